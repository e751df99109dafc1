import type { EndedSpan, SpanSink } from '@systole/control-plane';
import type { CallersTrace } from './trace-context.js';
import type { TracingConfig } from './tracing-config.js';

/** What became of spans since the start. */
export interface SpanTally {
  /** A collector took them. */
  readonly exported: number;
  /** It was away, too slow, or did not want them. */
  readonly failed: number;
  /** Too many waited. */
  readonly dropped: number;
}

export interface TracesParts {
  /** `service.name`, where nobody sets another one. */
  readonly service: string;
  readonly version?: string;
  /** Hears once that the collector does not take spans, and once that it does again. */
  readonly log: {
    warn(fields: object, message: string): void;
    info(fields: object, message: string): void;
  };
}

/** Where spans go that are sent to a collector. Neither throws nor waits. */
export interface Traces extends SpanSink {
  readonly tally: SpanTally;
  /** The same for what is a part of a trace that a caller brought. @param caller whose trace it is */
  endedFor(span: EndedSpan, caller: CallersTrace | undefined): void;
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
}

/** Loads what traces are sent with: only then does it take time and memory. */
export async function startTraces(config: TracingConfig, parts: TracesParts): Promise<Traces> {
  const { ExportedTraces } = await import('./exported-traces.js');
  return new ExportedTraces(config, parts);
}
