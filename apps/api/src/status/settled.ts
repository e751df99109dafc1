import { requestedFencing, type ClusterState } from '@systole/cluster';

/**
 * Nothing runs, nothing asks to be planned, no fencing that somebody asked for is open, and the cluster is not on its way to deletion.
 *
 * @param now epoch ms, for rules
 */
export function isSettled(state: ClusterState, now: number): boolean {
  const { existence, transition, recompute, stopping } = state;
  if (existence !== 'active') return true;
  return transition === undefined && recompute === undefined && stopping === undefined && requestedFencing(state, now).length === 0;
}
