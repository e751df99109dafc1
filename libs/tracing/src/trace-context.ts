import { createHash } from 'node:crypto';

/** Whose trace a request is a part of, by its `traceparent` (W3C Trace Context). */
export interface CallersTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Of what it is a part there; 16 hexadecimal digits. */
  readonly spanId: string;
  /** The caller keeps this trace. */
  readonly sampled: boolean;
}

/** The trace of what follows from a request or a report. */
export interface TraceOf {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Whether a caller keeps it, whose trace it is; absent for one that began here. */
  readonly callerKeeps?: boolean;
}

/** Later versions may have more behind (W3C Trace Context, on versions of `traceparent`); version ff is none. */
const TRACEPARENT =
  /^(?:00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})|(?!ff|00)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.{0,200})?)$/;
const CARRIED = /\.([\da-f]{32})-(0[01])$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const NOBODYS = /^0+$/;

/** What a `traceparent` says; undefined for none, or one that can't be read: then a trace begins here. */
export function callersTrace(header: string | undefined): CallersTrace | undefined {
  const match = header === undefined ? null : TRACEPARENT.exec(header);
  if (match === null) return undefined;
  const traceId = match[1] ?? match[4] ?? '';
  const spanId = match[2] ?? match[5] ?? '';
  const flags = match[3] ?? match[6] ?? '';
  if (NOBODYS.test(traceId) || NOBODYS.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The correlation id of a request that is a part of its caller's trace: everybody who has it knows the trace. Its own id goes before, so that it is nobody else's. */
export function correlationWithin(requestId: string, { traceId, sampled }: CallersTrace): string {
  return `${requestId}.${traceId}-${sampled ? '01' : '00'}`;
}

/** The trace of what has this correlation id: the caller's, or the one that began with it. */
export function traceOf(correlationId: string): TraceOf {
  const [, traceId, flags] = CARRIED.exec(correlationId) ?? [];
  if (traceId !== undefined) return { traceId, callerKeeps: flags === '01' };
  if (UUID.test(correlationId)) return { traceId: correlationId.replaceAll('-', '').toLowerCase() };
  return { traceId: digestOf(correlationId).slice(0, 32) };
}

/** The id of a span: whoever derives it once more comes to the same. @param key of it among all that has the correlation id */
export function spanIdOf(correlationId: string, key: string): string {
  return digestOf(`${correlationId}\n${key}`).slice(0, 16);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
