import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { becameOf, waits } from './interruption.js';

/** A request that would change something was sent, and nobody knows what came of it. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
}

/** `fetch`, or what stands in for it. */
export type Send = (request: Request, options: { readonly signal: AbortSignal }) => Promise<Response>;

export interface Patience {
  /** For how long a request whose answer was lost is sent again, ms. */
  readonly repeatForMs: number;
  /** Between two attempts, ms. */
  readonly pauseMs: number;
  /** How long a read may take until its answer begins, ms. */
  readonly readWithinMs: number;
}

export const PATIENCE: Patience = { repeatForMs: 30_000, pauseMs: 1_000, readWithinMs: 30_000 };

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What a failed connection is called when nothing of the request was sent. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/**
 * Sends what changes something so that it takes place once: each request has an `Idempotency-Key` of its own, and one whose answer was lost is sent again with it, for a while: the server answers
 * what it answered, or would have (docs/guide/api.md). A read is given up when its answer does not begin in time.
 *
 * @param tell hears, for people, that an answer was lost and that it is asked for again
 * @throws {WriteInterrupted} when the signal aborts while a write is waited for
 * @throws {AnswerLost} when it stays lost; what `send` throws when nothing was sent, and for reads
 */
export function sendingOnce(send: Send, tell: (text: string) => void, patience: Patience = PATIENCE): Send {
  return async (request, { signal }) => {
    if (READS.has(request.method)) return sendRead(send, request, signal, patience.readWithinMs);
    if (!request.headers.has('idempotency-key')) request.headers.set('idempotency-key', randomUUID());
    const deadline = Date.now() + patience.repeatForMs;
    for (let attempt = 1; ; attempt++) {
      const outcome = await send(request.clone(), { signal }).then(
        (response) => ({ response }),
        (error: unknown) => ({ error }),
      );
      if ('error' in outcome && signal.aborted && waits(request)) throw await becameOf(request, send);
      if ('error' in outcome && (signal.aborted || (attempt === 1 && isNotSent(outcome.error)))) throw outcome.error;
      if ('response' in outcome && !(attempt > 1 && (await isRunning(outcome.response)))) return outcome.response;
      if (Date.now() > deadline) throw answerLost(outcome);
      if (attempt === 1) tell('the answer was lost; asking again what came of it');
      await pause(patience.pauseMs, undefined, { signal });
    }
  };
}

async function sendRead(send: Send, request: Request, signal: AbortSignal, withinMs: number): Promise<Response> {
  const given = new AbortController();
  const timer = setTimeout(() => {
    given.abort(new Error(`no answer within ${String(withinMs / 1_000)} s (SYSTOLE_TIMEOUT sets how long is waited)`));
  }, withinMs);
  try {
    return await send(request, { signal: AbortSignal.any([signal, given.signal]) });
  } catch (error) {
    throw given.signal.aborted ? given.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether an earlier attempt is being worked on, by the server or by one that ended meanwhile. */
async function isRunning(response: Response): Promise<boolean> {
  if (response.status === 503) return true;
  return response.status === 409 && (await response.clone().text()).includes('/problems/request-running"');
}

function answerLost(last: { readonly error: unknown } | { readonly response: Response }): AnswerLost {
  const detail =
    'it was sent, and its answer was lost: what was asked for may have been done. Look before you ask again: systole events --newest-first';
  return new AnswerLost(detail, 'error' in last ? { cause: last.error } : undefined);
}

function isNotSent(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AggregateError) return cause.errors.every(isNotSent);
    if ('code' in cause && typeof cause.code === 'string' && NOT_SENT.has(cause.code)) return true;
  }
  return false;
}
