import type { Task, Work } from '../state.js';
import { update, type Turn } from '../turn.js';

/** Operations of one resource come one after the other, in order; a fencing waits for nobody. */
function laneOf({ action }: Task): string {
  return action.kind === 'fence' ? `fence ${action.actionId}` : action.resource.historyId;
}

export function enqueue(turn: Turn, task: Task): void {
  const { work } = turn.state;
  const lane = laneOf(task);
  update(turn, { work: { ...work, lanes: new Map(work.lanes).set(lane, [...(work.lanes.get(lane) ?? []), task]) } });
}

/** The delayed tasks whose time has come. */
export function takeDelayed(turn: Turn): readonly Task[] {
  const { work } = turn.state;
  const due = work.delayed.filter(({ at }) => at <= turn.now);
  if (due.length > 0) update(turn, { work: { ...work, delayed: work.delayed.filter(({ at }) => at > turn.now) } });
  return due.map(({ task }) => task);
}

/** Takes the tasks that can begin out of their lanes: one of each lane that is free, and of resources no more than the limit at a time. */
export function takeStartable(turn: Turn): readonly { readonly lane: string; readonly task: Task }[] {
  const { work, settings } = turn.state;
  if (work.lanes.size === 0) return [];
  const busy = new Set([...work.runs.values()].map(({ lane }) => lane));
  let free = settings.actionLimit - [...work.runs.values()].filter(({ task }) => task.action.kind !== 'fence').length;
  const taken: { lane: string; task: Task }[] = [];
  const lanes = new Map(work.lanes);
  for (const [lane, [task, ...rest]] of work.lanes) {
    if (task === undefined || busy.has(lane)) continue;
    if (task.action.kind !== 'fence') {
      if (free <= 0) continue;
      free -= 1;
    }
    taken.push({ lane, task });
    if (rest.length === 0) lanes.delete(lane);
    else lanes.set(lane, rest);
  }
  if (taken.length > 0) update(turn, { work: { ...work, lanes } });
  return taken;
}

/** The first executions that have not begun. */
export function waitingActionIds({ lanes, delayed }: Work): readonly string[] {
  const tasks = [...[...lanes.values()].flat(), ...delayed.map(({ task }) => task)];
  return tasks.filter(({ repeated }) => !repeated).map(({ action }) => action.actionId);
}
