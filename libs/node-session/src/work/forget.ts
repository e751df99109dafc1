import type { Work } from '../state.js';
import { OrderedMap } from '../persistent/ordered-map.js';
import { OrderedSet } from '../persistent/ordered-set.js';
import { takeBack } from '../journal/queue.js';
import { update, type Turn } from '../turn.js';
import { NO_RECURRENCES, recurrencesOf } from './recurring.js';

export const NO_WORK: Work = {
  accepted: OrderedSet.empty(),
  lanes: OrderedMap.empty(),
  waitingFencings: 0,
  runs: new Map(),
  delayed: undefined,
  recurring: NO_RECURRENCES,
  startedDevices: new Set(),
};

/**
 * Drops what has not begun: the server hands it out again, or does not. An intent that waits for the disk is taken back, one that is being written is
 * withdrawn as soon as it is there. Recurring operations that have begun go on.
 */
export function dropWaiting(turn: Turn): void {
  const { runs: before } = turn.state.work;
  takeBack(turn, ({ then }) => then?.kind === 'begin' && before.get(then.run)?.stage === 'recording');
  const { work, journal } = turn.state;
  const writing = new Set(journal.pending.flatMap(({ then }) => (then?.kind === 'begin' ? [then.run] : [])));
  const runs = [...work.runs].filter(([id, { stage }]) => stage !== 'recording' || writing.has(id));
  const kept = new Map(runs.map(([id, run]) => [id, run.stage === 'recording' ? { ...run, withdrawn: true } : run]));
  const begun = [...kept.values()].filter(({ task }) => !task.repeated).map(({ task }) => task.action.actionId);
  const underWay = new Set([...kept.values()].filter(({ withdrawn }) => !withdrawn).map(({ task }) => task.recurrence));
  const recurring = [...work.recurring.byKey]
    .filter(([, { last, number }]) => last !== undefined || underWay.has(number))
    .map(([key, recurrence]) => [key, underWay.has(recurrence.number) ? recurrence : { dueAt: turn.now, ...recurrence }] as const);
  const { startedDevices } = work;
  update(turn, {
    work: { ...NO_WORK, startedDevices, accepted: OrderedSet.of(begun), runs: kept, recurring: recurrencesOf(recurring) },
  });
}

/** Drops what has not begun and ends all recurring operations, and fencing that is under way: the agent joins anew, or leaves. */
export function forgetPlans(turn: Turn): void {
  dropWaiting(turn);
  killFencings(turn);
  update(turn, { work: { ...turn.state.work, recurring: NO_RECURRENCES, startedDevices: NO_WORK.startedDevices } });
}

/**
 * Ends what was asked for and has not been heard to be there: the lease may have been lost while this process was frozen, between its order and its program. It is
 * reported as never begun, unless it turns out to have been.
 */
export function killUnstarted(turn: Turn): void {
  const runs = new Map(turn.state.work.runs);
  for (const [id, run] of turn.state.work.runs) {
    const { action, repeated } = run.task;
    if (run.stage !== 'running' || run.started || repeated || (action.kind === 'operation' && action.operation === 'stop')) continue;
    runs.set(id, { ...run, withdrawn: true });
    kill(turn, id);
  }
  update(turn, { work: { ...turn.state.work, runs } });
}

/**
 * Ends fencing that is under way: with the lease, or the incarnation, the servers give the attempt up and have another node make the next. Its target may be back by the time at which this one would act. What it has done by
 * now nobody knows: it is reported as cancelled, which is no success.
 */
export function killFencings(turn: Turn): void {
  for (const [run, { stage, task }] of turn.state.work.runs) if (stage === 'running' && task.action.kind === 'fence') kill(turn, run);
}

/** Ends what is running, except stops: they do what has to be done anyway. */
export function killAllButStops(turn: Turn): void {
  for (const [run, { stage, task }] of turn.state.work.runs) {
    if (stage === 'running' && (task.action.kind !== 'operation' || task.action.operation !== 'stop')) kill(turn, run);
  }
}

/** Once in a turn, for whatever reasons. */
function kill(turn: Turn, run: number): void {
  if (!turn.effects.some((effect) => effect.type === 'kill' && effect.run === run)) turn.effects.push({ type: 'kill', run });
}
