import type { ClusterState } from '@systole/cluster';

/** Nothing runs, nothing asks to be planned, and the cluster is not on its way to deletion. */
export function isSettled({ existence, transition, recompute, stopping }: ClusterState): boolean {
  return existence !== 'active' || (transition === undefined && recompute === undefined && stopping === undefined);
}
