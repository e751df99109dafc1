import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { clusterOption, configuredNodes, fencingEnabled } from '../state/configuration.js';
import { durationMs } from '../state/duration.js';
import { downMarginMs } from './lease.js';

type ElapsedSince = (cause: string, momentMs: number) => number;

const DEFAULT_DEAD_TIME_MS = 20_000;

/** For how many ms more no plan may be made, and why (for status). */
export interface PlanningHold {
  readonly forMs: number;
  readonly reason: string;
}

/**
 * Whether planning has to wait although `recompute` is set. The worker asks before it schedules, and sets a timer for `forMs`.
 *
 * - *Start-up*: nodes join one after another. Until every configured node was heard of, or `dc-deadtime` (20 s) after the first join, nothing
 *   is planned: a node that is only late would otherwise be fenced, and resources would all go to the first node.
 * - *No fencing*: a lost node whose down margin has not passed (fencing was switched off in between) may still run its resources.
 *
 * @param elapsed how long ago, ms, `cause` happened, which was dated `momentMs`: the caller knows by which clock
 */
export function planningHold(state: ClusterState, elapsed: ElapsedSince): PlanningHold | undefined {
  return [startUpHold(state, elapsed), ...marginHolds(state, elapsed)].find((hold) => hold !== undefined && hold.forMs > 0);
}

function startUpHold(state: ClusterState, elapsed: ElapsedSince): PlanningHold | undefined {
  const missing = configuredNodes(state.cib).filter(({ name }) => memberOf(state, name) === undefined);
  if (missing.length === 0) return undefined;
  const deadTime = durationMs(clusterOption(state.cib, 'dc-deadtime'), DEFAULT_DEAD_TIME_MS);
  const reason = `waiting for ${missing.map(({ name }) => name).join(', ')} to join`;
  const { firstJoinAt } = state;
  const forMs = firstJoinAt === undefined ? Number.POSITIVE_INFINITY : deadTime - elapsed('first join', Date.parse(firstJoinAt));
  return { forMs, reason };
}

function marginHolds(state: ClusterState, elapsed: ElapsedSince): readonly PlanningHold[] {
  if (fencingEnabled(state.cib)) return [];
  return Object.values(state.nodes)
    .filter(({ membership, lostWithFencing }) => membership === 'lost' && lostWithFencing === true)
    .map(({ name, since }) => ({
      forMs: downMarginMs(state, name) - elapsed(`loss of ${name}`, Date.parse(since)),
      reason: `giving ${name} time to stop its resources, as there is no fencing`,
    }));
}
