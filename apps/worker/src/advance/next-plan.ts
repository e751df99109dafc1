import { recheckIntervalMs, type ClusterState } from '@systole/cluster';

/** Two plans that follow one another without an agent's doing anything in between are at least so far apart, ms. */
export const PACE_MS = 1_000;

/** When the next plan is due, epoch ms, and why. */
export function nextPlanDue(state: ClusterState): { readonly at: number; readonly reason: string } {
  if (state.recompute) return { at: 0, reason: state.recompute.reason };
  const planned = (state.lastPlanned?.now ?? 0) * 1000;
  const periodic = planned + recheckIntervalMs(state.cib);
  const recheck = state.recheckBy === undefined ? undefined : Math.max(state.recheckBy * 1000, planned + PACE_MS);
  return recheck !== undefined && recheck <= periodic
    ? { at: recheck, reason: 'a rule, a failure timeout or a delay came due' }
    : { at: periodic, reason: 'cluster-recheck-interval' };
}
