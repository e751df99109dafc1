import { groupAlive, oldestWith, processStat, terminateGroup } from '@systole/ocf';
import type { ActionProcess } from '@systole/node-session';
import { ACTION_MARK } from '../programs/programs.js';

/**
 * Ends what an earlier process of this agent, in the same boot, left running of an action: nothing may run beside it.
 * @param process as noted; it is not when that agent died between the start of the process and the note
 * @param graceMs between TERM and KILL
 */
export async function endLeftover(actionId: string, process: ActionProcess | undefined, graceMs: number): Promise<void> {
  const group = process === undefined ? oldestWith(ACTION_MARK, actionId)?.group : process.pid;
  if (group === undefined || (process !== undefined && !isSame(process))) return;
  await terminateGroup(group, { graceMs });
}

/** Whether the group that the process led is still that group: its leader is the same process, or is gone and only its children are left. */
function isSame({ pid, startTicks }: ActionProcess): boolean {
  const leader = processStat(pid);
  return leader === undefined ? groupAlive(pid) : leader.startTicks === startTicks;
}
