import type { Outcome } from './inputs.js';
import { inRole, type ActiveResource } from './journal/record.js';
import { append } from './journal/queue.js';
import { RC, saysPromoted } from './return-codes.js';
import { end, endSession, enterJoining } from './session/phases.js';
import { LAST_RESULTS_MS, REJOIN_PAUSE_MS } from './session/timing.js';
import type { NodeState, OwnStop, Stopping } from './state.js';
import { dropLease } from './lease.js';
import { beforeEndMs } from './lease-policy.js';
import { freshId, log, update, type Turn } from './turn.js';
import { leftUntold } from './watchdog.js';

/**
 * Stopping everything that may run here without the server's help, in the reverse order of starting: each stop begins when the one before has ended, but all
 * have begun after a time, so that the server's allowance (the longest time that one of them may take) covers them. What may be promoted is demoted first: resource
 * agents refuse to stop it (OCF resource agent API). What fails is tried a second time.
 * @param beginWithinMs when the lease ends
 * @param which history ids; absent: everything but what is not managed
 */
export function startStopping(turn: Turn, then: Stopping['then'], beginWithinMs: number, which?: ReadonlySet<string>): void {
  endSession(turn);
  const { active, unmanaged } = turn.state.journal.ahead;
  const historyIds = [...active.keys()].filter((id) => which?.has(id) ?? !unmanaged.has(id)).reverse();
  const stops = new Map(historyIds.map((id) => [id, { status: 'waiting' } as const]));
  const stepMs = beginWithinMs / Math.max(1, historyIds.length);
  update(turn, { phase: { kind: 'stopping', then, stops, stepMs, nextAt: turn.now, round: 1 } });
}

export function driveStopping(turn: Turn, phase: Stopping): void {
  for (let next: Stopping | undefined = phase; next !== undefined; next = letNextBegin(turn, next)) {
    next = beginDue(turn, next);
    update(turn, { phase: next });
  }
  const { phase: now } = turn.state;
  if (now.kind !== 'stopping' || [...now.stops.values()].some(({ status }) => !['stopped', 'failed'].includes(status))) return;
  const failed = [...now.stops].filter(([, { status }]) => status === 'failed');
  if (failed.length === 0 || now.round === 2) {
    finish(
      turn,
      now,
      failed.map(([historyId]) => historyId),
    );
    return;
  }
  const again = new Map(failed.map(([historyId]) => [historyId, { status: 'due' } as const]));
  update(turn, { phase: beginDue(turn, { ...now, round: 2, stops: new Map([...now.stops, ...again]) }) });
}

/** Its time has come when the one before has ended, or is taking too long. */
function letNextBegin(turn: Turn, phase: Stopping): Stopping | undefined {
  const next = [...phase.stops].find(([, { status }]) => status === 'waiting');
  if (next === undefined) return undefined;
  const busy = [...phase.stops.values()].some(({ status }) => status === 'due' || status === 'demoting' || status === 'stopping');
  if (busy && turn.now < phase.nextAt) return undefined;
  return { ...phase, stops: new Map(phase.stops).set(next[0], { status: 'due' }), nextAt: turn.now + phase.stepMs };
}

/** Those that are due begin as soon as no other operation of their resource runs. */
function beginDue(turn: Turn, phase: Stopping): Stopping {
  const stops = new Map(phase.stops);
  for (const [historyId, { status }] of phase.stops) {
    if (status !== 'due' || hasProgram(turn.state, historyId)) continue;
    const active = turn.state.journal.ahead.active.get(historyId);
    stops.set(historyId, active === undefined ? { status: 'stopped' } : begin(turn, active));
  }
  return { ...phase, stops };
}

function hasProgram({ work }: NodeState, historyId: string): boolean {
  return [...work.runs.values()].some(({ stage, task }) => stage === 'running' && task.action.resource.historyId === historyId);
}

function begin(turn: Turn, active: ActiveResource): OwnStop {
  return active.mayBePromoted === true ? beginDemote(turn, active) : beginStop(turn, active, false);
}

/** In the time that is known for it: of a promotion that an older server ordered only that of the stop is. */
function beginDemote(turn: Turn, active: ActiveResource): OwnStop {
  return { status: 'demoting', run: beginProgram(turn, active, 'demote', active.demoteTimeoutMs ?? active.stopTimeoutMs) };
}

function beginStop(turn: Turn, active: ActiveResource, demoted: boolean): OwnStop {
  return { status: 'stopping', run: beginProgram(turn, active, 'stop', active.stopTimeoutMs), demoted };
}

function beginProgram(turn: Turn, { resource, parameters, meta }: ActiveResource, operation: string, knownMs: number | undefined): number {
  const run = freshId(turn);
  const timeoutMs = knownMs ?? turn.state.settings.stopTimeoutMs;
  const job = { resource, operation, intervalMs: 0, timeoutMs, parameters, meta: withoutOperation(meta) };
  turn.effects.push({ type: 'run', run, job: { kind: 'operation', operation: job } });
  return run;
}

/** @returns whether the run was of a stop of the agent's own */
export function onOwnStopEnded(turn: Turn, run: number, outcome: Outcome): boolean {
  const { phase } = turn.state;
  if (phase.kind !== 'stopping') return false;
  for (const [historyId, stop] of phase.stops) {
    if ((stop.status !== 'demoting' && stop.status !== 'stopping') || stop.run !== run) continue;
    const next = stop.status === 'demoting' ? afterDemote(turn, historyId, outcome) : afterStop(turn, historyId, outcome, stop.demoted);
    update(turn, { phase: { ...phase, stops: new Map(phase.stops).set(historyId, next) } });
    return true;
  }
  return false;
}

/** Whatever came of it, the stop is tried: it may do without. */
function afterDemote(turn: Turn, historyId: string, outcome: Outcome): OwnStop {
  const { status, rc, exitReason } = outcome;
  const isDone = status === 'done' && rc === RC.SUCCESS;
  log(turn, isDone ? 'warn' : 'error', 'demoted by the agent itself', { resource: historyId, status, rc, exitReason });
  const active = withRoleTold(turn, historyId, 'demote', outcome);
  return active === undefined ? { status: 'stopped' } : beginStop(turn, active, true);
}

/** One that is refused because the resource is promoted, of which nothing was known here, is tried again after a demote. */
function afterStop(turn: Turn, historyId: string, outcome: Outcome, demoted: boolean): OwnStop {
  const stopped = isStopped(outcome);
  const { status, rc, exitReason } = outcome;
  log(turn, stopped ? 'warn' : 'error', 'stopped by the agent itself', { resource: historyId, status, rc, exitReason });
  if (stopped) {
    append(turn, [{ kind: 'stopped', historyId }]);
    return { status: 'stopped' };
  }
  const active = withRoleTold(turn, historyId, 'stop', outcome);
  return active?.mayBePromoted === true && !demoted ? beginDemote(turn, active) : { status: 'failed' };
}

/** Keeps what an operation said of the role, for the second try and for an agent process that follows this one. @returns what is active */
function withRoleTold(turn: Turn, historyId: string, operation: string, { status, rc }: Outcome): ActiveResource | undefined {
  const active = turn.state.journal.ahead.active.get(historyId);
  const isPromoted = status === 'done' ? saysPromoted(operation, rc) : undefined;
  if (active === undefined || isPromoted === undefined) return active;
  const told = inRole(active, isPromoted);
  append(turn, [{ kind: 'active', active: told }]);
  return told;
}

/** An agent that can not be found has stopped nothing: what it started may well run on. */
function isStopped({ status, rc }: Outcome): boolean {
  return status === 'done' && rc === RC.SUCCESS;
}

function finish(turn: Turn, { then }: Stopping, left: readonly string[]): void {
  if (left.length > 0) {
    const { watchdog } = turn.state.settings;
    log(turn, 'error', 'these resources could not be stopped', { resources: left, watchdog });
    append(turn, [{ kind: 'stop-failed', historyIds: left }]);
    if (watchdog) update(turn, { starving: 'stop-failed' });
  }
  if (then === 'join') {
    dropLease(turn);
    enterJoining(turn, REJOIN_PAUSE_MS);
    return;
  }
  if (then !== 'end' && left.length === 0) {
    leaveAfter(turn, then);
    return;
  }
  const reason = left.length === 0 ? leftUntold(turn) : 'left-unclean';
  dropLease(turn);
  end(turn, reason);
}

/** Goodbye is said of a node on which nothing runs that is managed: what a probe found meanwhile is stopped first. */
function leaveAfter(turn: Turn, then: { readonly leaveAs: number }): void {
  const { active, unmanaged } = turn.state.journal.ahead;
  if ([...active.keys()].some((id) => !unmanaged.has(id))) {
    startStopping(turn, then, beforeEndMs(turn));
    return;
  }
  // Nothing hangs on the lease any more; with one that runs out a watchdog would not be fed.
  if (active.size === 0) dropLease(turn);
  update(turn, { phase: { kind: 'leaving', incarnation: then.leaveAs, until: turn.now + LAST_RESULTS_MS } });
}

/** The meta variables of the operation that was remembered are not those of a stop. */
function withoutOperation(meta: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(meta).filter(([name]) => !/^CRM_meta_(name|interval|timeout|op_target_rc|start_delay)$/.test(name)),
  );
}
