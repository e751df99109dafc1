import { randomUUID } from 'node:crypto';
import { groupAlive, oldestWith, processStat, terminateGroup } from '@systole/ocf';
import { ACTION_MARK } from '../execution/executor.js';
import type { Logger } from 'pino';
import { lostResult } from '../execution/result.js';
import type { Journal } from '../journal/journal.js';

/**
 * Settles what an earlier process of this agent left behind: operations that were in flight when it died are ended (their processes may still be
 * running, and nothing may run beside them), and journaled as lost. They are never run again.
 * @param killGraceMs between TERM and KILL
 */
export async function settleLeftovers(journal: Journal, bootId: string, killGraceMs: number, logger: Logger): Promise<void> {
  const { state } = journal;
  const sameBoot = state.bootId === bootId;
  await journal.append({ kind: 'started', bootId });
  for (const { action, incarnation, process } of state.inFlight.values()) {
    const { actionId, operation, resource } = action;
    logger.warn({ actionId, operation, resource: resource.id }, 'this operation was interrupted by the end of the last agent process');
    // The agent may have died between the start of the process and the note of its pid: then it is known by its mark.
    const group = process === undefined ? oldestWith(ACTION_MARK, actionId)?.group : process.pid;
    if (sameBoot && group !== undefined && (process === undefined || isSame(process.pid, process.startTicks))) {
      await terminateGroup(group, { graceMs: killGraceMs });
    }
    await journal.append({ kind: 'result', incarnation, result: lostResult(action, randomUUID(), new Date()) });
  }
}

/** Whether the group that the process led is still that group: its leader is the same process, or is gone and only its children are left. */
function isSame(pid: number, startTicks: number): boolean {
  const leader = processStat(pid);
  return leader === undefined ? groupAlive(pid) : leader.startTicks === startTicks;
}
