import { beginningOf, LIMITS, type AgentResult, type ResultsAnswer } from '@systole/protocol';
import { backoffMs } from '../attempt.js';
import type { RecordedResult } from '../journal/record.js';
import { append, tellable } from '../journal/queue.js';
import { asTold, reduced } from '../result.js';
import type { NodeState, Outbox } from '../state.js';
import { abandon, log, send, update, type Turn } from '../turn.js';
import { noteRecorded } from './head.js';
import { uptimeMs } from '../uptime.js';
import { REQUEST_TIMEOUT_MS } from './timing.js';

/** As many as a request may carry: a node whose reports have to wait says everything with the next one. */
const BATCH = LIMITS.results;
/** Most UTF-16 code units of a batch; three bytes each at the most. */
const BATCH_CHARS = Math.floor((LIMITS.requestBytes * 0.9) / 3);
/** A server that fails so often over the same results fails because of them. */
const FAILURES_OF_CONTENT = 4;
const DEFER_MS = 60_000;

export const EMPTY_OUTBOX: Outbox = { retryAt: 0, failures: 0, batch: BATCH, deferred: new Map() };

/** What the server does not have, in the order in which it arose. */
export function* undelivered({ journal }: NodeState): Generator<RecordedResult, undefined> {
  for (const resultId of tellable(journal).unacknowledged.keys()) {
    // As it stands after what has been decided about it and is not on disk yet.
    const present = journal.ahead.unacknowledged.get(resultId);
    if (present !== undefined) yield present;
  }
  return undefined;
}

/** Carries results to the server until each is acknowledged, in order and in batches. */
export function driveOutbox(turn: Turn): void {
  const { outbox } = turn.state;
  if (outbox.sending !== undefined || outbox.retryAt > turn.now) return;
  const { incarnation, results } = firstBatch(waiting(turn), outbox.batch, uptimeMs(turn.state));
  if (incarnation === undefined) return;
  const request = send(turn, { kind: 'results', body: { incarnation, results } }, REQUEST_TIMEOUT_MS);
  setOutbox(turn, { sending: { request, incarnation, resultIds: results.map(({ resultId }) => resultId) } });
}

/** What is undelivered and does not stand aside. */
function* waiting({ state, now }: Turn): Generator<RecordedResult, undefined> {
  const { deferred } = state.outbox;
  for (const recorded of undelivered(state)) if ((deferred.get(recorded.result.resultId) ?? 0) <= now) yield recorded;
  return undefined;
}

/** No results have no incarnation. */
interface Batch {
  readonly incarnation: number | undefined;
  readonly results: readonly AgentResult[];
}

/** As many results of one incarnation as can be sent at once without changing their order; at least one. @param now ms since the boot */
function firstBatch(from: Iterable<RecordedResult>, most: number, now: number): Batch {
  const results: AgentResult[] = [];
  let incarnation: number | undefined;
  let chars = 0;
  for (const next of from) {
    incarnation ??= next.incarnation;
    chars += JSON.stringify(next.result).length;
    if (next.incarnation !== incarnation || (results.length > 0 && chars > BATCH_CHARS)) break;
    results.push(asTold(next, now));
    if (results.length >= most) break;
  }
  return { incarnation, results };
}

export function onAcknowledged(turn: Turn, { acknowledged, dropped = [], head }: ResultsAnswer): void {
  noteRecorded(turn, head);
  const { outbox } = turn.state;
  const resultIds = acknowledged.filter((id) => outbox.sending?.resultIds.includes(id) === true);
  if (resultIds.length === 0) {
    onUnanswered(turn, 'the server acknowledged none of the results');
    return;
  }
  if (dropped.length > 0) log(turn, 'warn', 'the server does not record these results: nobody asked this node for them', { dropped });
  append(turn, [{ kind: 'acknowledged', resultIds }]);
  const deferred = new Map([...outbox.deferred].filter(([id]) => !resultIds.includes(id)));
  setOutbox(turn, { deferred, batch: Math.min(BATCH, outbox.batch * 2), failures: 0, retryAt: 0 }, 'sent');
}

/**
 * The server refuses the content. A batch is sent again in halves until the culprit is found; that one is sent without whatever can be left out, and set
 * aside if even that is refused. It never blocks those behind it.
 */
export function onContentRefused(turn: Turn, problem: string): void {
  const { outbox, journal } = turn.state;
  const resultIds = outbox.sending?.resultIds ?? [];
  const [resultId] = resultIds;
  setOutbox(turn, { batch: Math.max(1, Math.floor(resultIds.length / 2)), retryAt: turn.now }, 'sent');
  const only = resultIds.length === 1 && resultId !== undefined ? journal.ahead.unacknowledged.get(resultId) : undefined;
  if (only === undefined) return;
  const { result } = only;
  const { actionId } = result;
  const less = only.reduced === true ? undefined : reduced(result, problem);
  if (less === undefined) {
    log(turn, 'error', 'the server refuses this result; it is set aside in the journal', { result, problem });
    append(turn, [{ kind: 'refused', resultId: result.resultId, actionId, problem: beginningOf(problem, LIMITS.reasonChars) }]);
  } else {
    log(turn, 'error', 'the server refuses this result; it is sent without what can be left out', { result, problem });
    append(turn, [{ kind: 'reduced', result: less }]);
  }
}

/** Why results were not taken: perhaps because of themselves, and how long the server asks to be left alone with any, ms. */
export interface NotTaken {
  readonly ofThese?: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** They wait. The other servers are tried at once. */
export function onUnanswered(turn: Turn, detail: string, { ofThese = false, retryAfterMs = 0 }: NotTaken = {}): void {
  const { outbox, servers } = turn.state;
  const { sending } = outbox;
  const failures = outbox.failures + 1;
  const tried = servers.urls.length;
  if (ofThese && failures >= Math.max(FAILURES_OF_CONTENT, tried) && sending !== undefined && holdsUpOthers(turn, sending.resultIds)) {
    standAside(turn, sending.resultIds, detail);
    return;
  }
  const delayMs = Math.max(retryAfterMs, failures % tried === 0 ? backoffMs(turn, failures / tried - 1) : 0);
  log(turn, 'warn', 'results could not be delivered', { problem: detail, delayMs });
  setOutbox(turn, { failures, retryAt: turn.now + delayMs }, 'sent');
}

/** Only where others wait is there something to stand aside for; the server may well fail for reasons of its own. */
function holdsUpOthers(turn: Turn, resultIds: readonly string[]): boolean {
  for (const { result } of waiting(turn)) if (result.resultId !== resultIds[0]) return true;
  return false;
}

/** The server fails over these again and again: fewer at a time; a single one lets the others go first. */
function standAside(turn: Turn, resultIds: readonly string[], detail: string): void {
  const { outbox } = turn.state;
  if (resultIds.length > 1) {
    setOutbox(turn, { batch: Math.floor(resultIds.length / 2), retryAt: turn.now }, 'sent');
    return;
  }
  log(turn, 'error', 'the server fails over this result; it is tried again later', { resultIds, problem: detail, delayMs: DEFER_MS });
  const deferred = new Map(outbox.deferred);
  for (const id of resultIds) deferred.set(id, turn.now + DEFER_MS);
  setOutbox(turn, { deferred, failures: 0, retryAt: turn.now }, 'sent');
}

export function closeOutbox(turn: Turn): void {
  const { sending, deferred } = turn.state.outbox;
  abandon(turn, sending?.request);
  // What stands aside does so until it is acknowledged: a new session is no reason to let it hold up the others again.
  update(turn, { outbox: { ...EMPTY_OUTBOX, deferred } });
}

function setOutbox(turn: Turn, change: Partial<Outbox>, sent?: 'sent'): void {
  const { sending, ...rest } = turn.state.outbox;
  update(turn, { outbox: { ...rest, ...(sending === undefined || sent === 'sent' ? {} : { sending }), ...change } });
}
