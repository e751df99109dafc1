import { readingOf, type XmlElement } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';

/**
 * Option `cluster-recheck-interval`, ms; infinite when it is 0: the cluster is not looked at again by itself.
 *
 * @param now epoch ms, for rules
 */
export function recheckIntervalMs(cib: XmlElement, now: number): number {
  const interval = readingOf(cib, now).options.duration('cluster-recheck-interval');
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
  return (plannedS - sinceS) * 1000 >= recheckIntervalMs(state.cib, plannedS * 1000) ? 0 : failures.count;
}
