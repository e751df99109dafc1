import { recheckIntervalMs } from '@systole/cluster';
import type { ClusterAtTurn } from './cluster-at-turn.js';

/** Two plans that follow one another without an agent's doing anything in between are at least so far apart, ms. */
const PACE_MS = 1_000;

/**
 * In how many ms the next plan is due, and why. A moment that the last plan named comes when the database's clock says so, or when as much time went
 * by as the plan foresaw: a clock that was set back does not postpone it.
 */
export function nextPlanDue({ state, now, elapsed }: Pick<ClusterAtTurn, 'state' | 'now' | 'elapsed'>): {
  readonly inMs: number;
  readonly reason: string;
} {
  if (state.recompute) return { inMs: 0, reason: state.recompute.reason };
  const planned = (state.lastPlanned?.now ?? 0) * 1000;
  const passed = elapsed('planned', planned);
  const periodic = recheckIntervalMs(state.cib, now) - passed;
  const recheckBy = state.recheckBy === undefined ? undefined : state.recheckBy * 1000;
  const recheck = recheckBy === undefined ? undefined : Math.max(Math.min(recheckBy - now, recheckBy - planned - passed), PACE_MS - passed);
  return recheck !== undefined && recheck <= periodic
    ? { inMs: recheck, reason: 'a rule, a failure timeout or a delay came due' }
    : { inMs: periodic, reason: 'cluster-recheck-interval' };
}
