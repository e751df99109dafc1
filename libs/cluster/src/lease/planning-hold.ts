import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { clusterOption, configuredNodes, fencingEnabled } from '../state/configuration.js';
import { durationMs } from '../state/duration.js';
import { downMarginMs } from './lease.js';

const DEFAULT_DEAD_TIME_MS = 20_000;

/** Until when no plan may be made, and why (for status). Epoch ms. */
export interface PlanningHold {
  readonly until: number;
  readonly reason: string;
}

/**
 * Whether planning has to wait although `recompute` is set. The worker asks before it schedules, and sets a timer for `until`.
 *
 * - *Start-up*: nodes join one after another. Until every configured node was heard of, or `dc-deadtime` (20 s) after the first join, nothing
 *   is planned: a node that is only late would otherwise be fenced, and resources would all go to the first node.
 * - *No fencing*: a lost node whose down margin has not passed (fencing was switched off in between) may still run its resources.
 */
export function planningHold(state: ClusterState, now: number): PlanningHold | undefined {
  return [startUpHold(state), ...marginHolds(state)].find((hold) => hold !== undefined && hold.until > now);
}

function startUpHold(state: ClusterState): PlanningHold | undefined {
  const missing = configuredNodes(state.cib).filter(({ name }) => memberOf(state, name) === undefined);
  if (missing.length === 0) return undefined;
  const deadTime = durationMs(clusterOption(state.cib, 'dc-deadtime'), DEFAULT_DEAD_TIME_MS);
  const reason = `waiting for ${missing.map(({ name }) => name).join(', ')} to join`;
  return { until: state.firstJoinAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(state.firstJoinAt) + deadTime, reason };
}

function marginHolds(state: ClusterState): readonly PlanningHold[] {
  if (fencingEnabled(state.cib)) return [];
  return Object.values(state.nodes)
    .filter(({ membership, lostWithFencing }) => membership === 'lost' && lostWithFencing === true)
    .map(({ name, since }) => ({
      until: Date.parse(since) + downMarginMs(state, name),
      reason: `giving ${name} time to stop its resources, as there is no fencing`,
    }));
}
