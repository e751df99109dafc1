import type { XmlElement } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { clusterOption } from '../state/configuration.js';
import { durationMs } from '../state/duration.js';

const DEFAULT_RECHECK_MS = 15 * 60_000;

/** Option `cluster-recheck-interval`, ms, default 15 min; infinite when it is 0: the cluster is not looked at again by itself. */
export function recheckIntervalMs(cib: XmlElement): number {
  const interval = durationMs(clusterOption(cib, 'cluster-recheck-interval'), DEFAULT_RECHECK_MS);
  return interval > 0 ? interval : Number.POSITIVE_INFINITY;
}

/**
 * How many fencing actions for a target failed one after another, as far as they count against a further try: 0 once a transition was planned
 * `cluster-recheck-interval` after the newest one. Whoever stands and watches is not made to wait for long, and a device that
 * came back by itself is found.
 */
export function countedFailures(state: ClusterState, target: string): number {
  const failures = Object.hasOwn(state.fencingFailures, target) ? state.fencingFailures[target] : undefined;
  if (failures === undefined) return 0;
  const sinceS = Math.floor(Date.parse(failures.at) / 1000);
  const plannedS = state.transition?.now ?? sinceS;
  return (plannedS - sinceS) * 1000 >= recheckIntervalMs(state.cib) ? 0 : failures.count;
}
