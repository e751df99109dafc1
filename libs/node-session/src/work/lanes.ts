import { takenDue, withDue } from '../persistent/due-times.js';
import type { Task } from '../state.js';
import { update, type Turn } from '../turn.js';

/** Operations of one resource come one after the other, in order; a fencing waits for nobody. */
function laneOf({ action }: Task): string {
  return action.kind === 'fence' ? `fence ${action.actionId}` : action.resource.historyId;
}

export function enqueue(turn: Turn, task: Task): void {
  const { work } = turn.state;
  const lane = laneOf(task);
  const lanes = work.lanes.with(lane, [...(work.lanes.get(lane) ?? []), task]);
  update(turn, { work: { ...work, lanes, waitingFencings: work.waitingFencings + (isFencing(task) ? 1 : 0) } });
}

function isFencing({ action }: Task): boolean {
  return action.kind === 'fence';
}

/** Lets a task wait for its time before it waits for its lane. */
export function delay(turn: Turn, delayMs: number, task: Task): void {
  const { work } = turn.state;
  update(turn, { work: { ...work, delayed: withDue(work.delayed, turn.now + delayMs, task.number, task) } });
}

/** The delayed tasks whose time has come. */
export function takeDelayed(turn: Turn): readonly Task[] {
  const { work } = turn.state;
  const { due, rest } = takenDue(work.delayed, turn.now);
  if (due.length > 0) update(turn, { work: { ...work, delayed: rest } });
  return due;
}

/** Takes the tasks that can begin out of their lanes: one of each lane that is free, and of resources no more than the limit at a time. */
export function takeStartable(turn: Turn): readonly { readonly lane: string; readonly task: Task }[] {
  const { work, settings } = turn.state;
  if (work.lanes.size === 0) return [];
  const busy = new Set([...work.runs.values()].map(({ lane }) => lane));
  let free = settings.actionLimit - [...work.runs.values()].filter(({ task }) => !isFencing(task)).length;
  let { lanes, waitingFencings } = work;
  const taken: { lane: string; task: Task }[] = [];
  for (const [lane, [task, ...rest]] of work.lanes) {
    // Thousands may wait behind those that can begin.
    if (free <= 0 && waitingFencings === 0) break;
    if (task === undefined || busy.has(lane)) continue;
    if (isFencing(task)) waitingFencings -= 1;
    else {
      if (free <= 0) continue;
      free -= 1;
    }
    taken.push({ lane, task });
    lanes = rest.length === 0 ? lanes.without(lane) : lanes.with(lane, rest);
  }
  if (taken.length > 0) update(turn, { work: { ...work, lanes, waitingFencings } });
  return taken;
}
