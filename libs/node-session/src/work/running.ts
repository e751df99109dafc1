import type { AgentAction, AgentResult } from '@systole/protocol';
import type { Job } from '../effects.js';
import type { Outcome } from '../inputs.js';
import { append, problemOf, takeBack } from '../journal/queue.js';
import type { ActionProcess, JournalRecord } from '../journal/record.js';
import { endedNow, immediate, resultOf, type Execution } from '../result.js';
import { RC } from '../return-codes.js';
import type { Run, Task } from '../state.js';
import { freshId, log, update, type Turn } from '../turn.js';
import { enqueue, takeDelayed, takeStartable } from './lanes.js';
import { endRecurring, isCurrent, recurringKey, scheduleNext, takeDue } from './recurring.js';

const DEFAULT_TIMEOUT_MS = 20_000;
/** Part of an action's time for which it waits for a journal that can't be written. */
const PATIENCE_SHARE = 0.5;

/** Begins whatever is due and has room. */
export function beginWhatCan(turn: Turn): void {
  for (const task of [...takeDelayed(turn), ...takeDue(turn)]) enqueue(turn, task);
  for (;;) {
    const startable = takeStartable(turn);
    if (startable.length === 0) return;
    for (const { lane, task } of startable) begin(turn, lane, task);
  }
}

function begin(turn: Turn, lane: string, task: Task): void {
  const { action, incarnation, repeated } = task;
  if (repeated && !isCurrent(turn.state.work, task)) return;
  const run = freshId(turn);
  const queueMs = Math.round(turn.now - task.acceptedAt);
  setRun(turn, run, { lane, task, stage: repeated ? 'running' : 'recording', withdrawn: false, started: false, queueMs });
  if (repeated) execute(turn, run, task);
  else
    append(turn, [{ kind: 'intent', action, incarnation }], {
      kind: 'begin',
      run,
      giveUpAt: turn.now + timeoutOf(action) * PATIENCE_SHARE,
    });
}

/** An intent is on disk: its program may be started. */
export function onRecorded(turn: Turn, id: number): void {
  const run = turn.state.work.runs.get(id);
  if (run?.stage !== 'recording') return;
  const { withdrawn } = run;
  if (withdrawn) {
    notBegun(turn, id, run);
    return;
  }
  beginProgram(turn, id, run);
}

function beginProgram(turn: Turn, id: number, run: Run): void {
  endRecurring(turn, run.task);
  setRun(turn, id, { ...run, stage: 'running' });
  execute(turn, id, run.task);
}

/** What only takes away, and does no harm when it is done twice (OCF resource agent API: both are idempotent). */
const SAFE_TO_REPEAT: ReadonlySet<string> = new Set(['stop', 'demote']);

/** A monitor changes nothing, whether it is a probe or the first of many. */
function isSafeToRepeat({ action: { kind, operation } }: Task): boolean {
  return kind === 'operation' && (operation === 'monitor' || SAFE_TO_REPEAT.has(operation));
}

/**
 * Stops do not wait for a disk that takes nothing: a node that can't write is one that has to be emptied. After a crash they may be done twice. Nor do monitors: one that is said to have failed for the disk's sake
 * counts as a resource that has failed, or may be active here, and has it stopped where it runs well.
 */
export function beginUnrecorded(turn: Turn): void {
  if (problemOf(turn.state.journal) === undefined) return;
  for (const [id, run] of turn.state.work.runs)
    if (run.stage === 'recording' && !run.withdrawn && isSafeToRepeat(run.task)) beginProgram(turn, id, run);
}

export function onStarted(turn: Turn, id: number, process: ActionProcess): void {
  const run = turn.state.work.runs.get(id);
  if (run === undefined) return;
  setRun(turn, id, { ...run, started: true });
  const { actionId } = run.task.action;
  if (turn.state.journal.ahead.inFlight.has(actionId)) append(turn, [{ kind: 'process', actionId, process }]);
}

function execute(turn: Turn, run: number, task: Task): void {
  const { action } = task;
  const outcome = withoutProgram(turn, task);
  if (outcome !== undefined) onEnded(turn, run, outcome);
  else turn.effects.push({ type: 'run', run, actionId: action.actionId, job: jobOf(turn, task) });
  if (action.fence !== undefined) {
    const { target, action: what, deviceId: device } = action.fence;
    log(turn, 'warn', 'fencing a node', { target, action: what, device });
  }
}

/** What is decided without starting anything. */
function withoutProgram(turn: Turn, task: Task): Outcome | undefined {
  const { action } = task;
  const { work } = turn.state;
  if (!isCurrent(work, task)) return immediate('cancelled', RC.ERR_GENERIC, turn.wallMs, 'cancelled before its first run');
  if (action.kind === 'cancel' || action.operation === 'delete') return immediate('done', RC.SUCCESS, turn.wallMs);
  if (action.kind === 'fence') {
    if (action.fence === undefined) return immediate('error', RC.ERR_ARGS, turn.wallMs, 'a fence action without target');
    return fencingLeftMs(turn, task) > 0
      ? undefined
      : immediate('timeout', RC.ERR_GENERIC, turn.wallMs, 'not begun: it has waited here for as long as it may take');
  }
  if (action.resource.class !== 'stonith') return undefined;
  const isProbe = action.operation === 'monitor' && action.intervalMs === 0;
  // It stands for the nodes' own watchdogs (specification 15 §1): there is no device to ask, and its program only describes itself.
  if (action.resource.type === 'fence_watchdog' && !isProbe) return immediate('done', RC.SUCCESS, turn.wallMs);
  if (!isProbe) return undefined;
  return immediate('done', work.startedDevices.has(action.resource.historyId) ? RC.SUCCESS : RC.NOT_RUNNING, turn.wallMs);
}

function jobOf(turn: Turn, task: Task): Job {
  const { action } = task;
  if (action.fence !== undefined) return { kind: 'fence', order: action.fence, timeoutMs: fencingLeftMs(turn, task) };
  const { journal } = turn.state;
  const timeoutMs = timeoutOf(action);
  const { operation, intervalMs, meta, digests } = action;
  const bare = action.undescribed === true && digests !== undefined ? { bareDigests: digests } : {};
  // With what it was started with: what the configuration says by now is another address, another device, another agent, or nothing any more.
  const started = operation === 'stop' ? journal.ahead.active.get(action.resource.historyId) : undefined;
  const { resource, parameters } = started ?? action;
  return { kind: 'operation', operation: { resource, operation, intervalMs, timeoutMs, parameters, meta, ...bare } };
}

/** The servers wait for a fencing from when it was handed out, and then have the next made: what it has waited for here, but for the delay that was ordered, its program has no more. */
function fencingLeftMs({ now }: Turn, { action, acceptedAt }: Task): number {
  return Math.floor(timeoutOf(action) - Math.max(0, now - acceptedAt - (action.startDelayMs ?? 0)));
}

function timeoutOf({ timeoutMs }: AgentAction): number {
  return timeoutMs > 0 ? timeoutMs : DEFAULT_TIMEOUT_MS;
}

export function onEnded(turn: Turn, id: number, outcome: Outcome): void {
  const run = turn.state.work.runs.get(id);
  if (run?.stage !== 'running') return;
  if (run.withdrawn && !run.started) notBegun(turn, id, run);
  else if (run.task.repeated) onRepeated(turn, id, run, outcome);
  else onFirst(turn, id, run, outcome);
}

/** Nothing of it happened: it may be handed out again. */
function notBegun(turn: Turn, id: number, { task }: Run): void {
  append(turn, [{ kind: 'not-begun', actionId: task.action.actionId }]);
  release(turn, id);
}

function onFirst(turn: Turn, id: number, run: Run, outcome: Outcome): void {
  const { action, incarnation } = run.task;
  noteDevice(turn, action, outcome);
  const result = report(turn, run, outcome);
  const forgotten: readonly JournalRecord[] =
    action.operation === 'delete' ? [{ kind: 'stopped', historyId: action.resource.historyId }] : [];
  setRun(turn, id, { ...run, stage: 'settling' });
  append(turn, [...forgotten, endedNow(turn, result, incarnation)], { kind: 'settled', run: id });
  // The next stop of the resource must not wait for the disk.
  if (problemOf(turn.state.journal) !== undefined && isSafeToRepeat(run.task)) release(turn, id);
  if (run.task.recurrence !== undefined && isCurrent(turn.state.work, run.task)) scheduleNext(turn, run.task, result);
}

/** Later runs of a recurring operation are reported when the result differs from the last reported one. */
function onRepeated(turn: Turn, id: number, run: Run, outcome: Outcome): void {
  const { task } = run;
  release(turn, id);
  if (!isCurrent(turn.state.work, task) || outcome.status === 'cancelled') return;
  const last = turn.state.work.recurring.byKey.get(recurringKey(task.action))?.last;
  scheduleNext(turn, task, outcome);
  if (outcome.status === last?.status && outcome.rc === last.rc) return;
  append(turn, [endedNow(turn, report(turn, run, outcome), task.incarnation)]);
}

/** A result is on disk: the next operation of the resource may begin. */
export function onSettled(turn: Turn, id: number): void {
  release(turn, id);
}

/** What waits for a journal that can't be written does so for a part of its time; then it has failed without having begun. */
export function giveUpUnrecorded(turn: Turn): void {
  const { journal } = turn.state;
  const problem = problemOf(journal);
  if (problem === undefined) return;
  // What is being written fails soon, or is there, unless the write hangs.
  const waiting = journal.hanging === undefined ? journal.pending.slice(journal.writing?.count ?? 0) : journal.pending;
  const overdue = waiting.flatMap(({ then }) => {
    const run = then?.kind === 'begin' && then.giveUpAt <= turn.now ? turn.state.work.runs.get(then.run) : undefined;
    return then?.kind === 'begin' && run?.stage === 'recording' ? [{ id: then.run, run }] : [];
  });
  if (overdue.length === 0) return;
  const ids = new Set(overdue.map(({ id }) => id));
  takeBack(turn, ({ then }) => then?.kind === 'begin' && ids.has(then.run));
  for (const { id, run } of overdue) {
    const reason = `not begun, as the journal of this node can not be written: ${problem}`;
    const result = report(turn, run, immediate('error', RC.ERR_GENERIC, turn.wallMs, reason));
    append(turn, [endedNow(turn, result, run.task.incarnation)]);
    release(turn, id);
  }
}

function noteDevice(turn: Turn, { operation, resource, kind }: AgentAction, { status, rc }: Outcome): void {
  if (resource.class !== 'stonith' || kind !== 'operation') return;
  const startedDevices = new Set(turn.state.work.startedDevices);
  if (operation === 'stop') startedDevices.delete(resource.historyId);
  if (operation === 'start' && status === 'done' && rc === RC.SUCCESS) startedDevices.add(resource.historyId);
  update(turn, { work: { ...turn.state.work, startedDevices } });
}

/** Ids and counters of the next report. */
export function nextExecution(turn: Turn, queueMs: number, recurring: boolean): Execution {
  const callId = turn.state.callId + 1;
  update(turn, { callId });
  return { resultId: `${turn.state.settings.instance}.${callId}`, callId, queueMs, recurring };
}

function report(turn: Turn, { task, queueMs }: Run, outcome: Outcome): AgentResult {
  const { action, repeated } = task;
  const result = resultOf(action, outcome, nextExecution(turn, queueMs, repeated));
  const { operation, intervalMs, status, rc, exitReason, execMs } = result;
  const on = action.kind === 'fence' ? action.fence?.target : action.resource.id;
  log(turn, 'info', 'executed', { on, kind: action.kind, operation, intervalMs, status, rc, exitReason, execMs });
  return result;
}

function setRun(turn: Turn, id: number, run: Run): void {
  const { work } = turn.state;
  update(turn, { work: { ...work, runs: new Map(work.runs).set(id, run) } });
}

function release(turn: Turn, id: number): void {
  const { work } = turn.state;
  const runs = new Map(work.runs);
  const run = runs.get(id);
  runs.delete(id);
  const first = run === undefined || run.task.repeated ? undefined : run.task.action.actionId;
  const accepted = first === undefined ? work.accepted : work.accepted.without(first);
  update(turn, { work: { ...work, runs, accepted } });
}
