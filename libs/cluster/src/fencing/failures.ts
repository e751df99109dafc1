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
  const plannedS = state.transition?.now ?? secondsOf(failures.at);
  return (failures.waitedS ?? 0) * 1000 >= recheckIntervalMs(state.cib, plannedS * 1000) ? 0 : failures.count;
}

/**
 * The same failures when a transition is planned. The time since is summed up from plan to plan: a clock that was set back takes away what lay between two
 * of them, and not the size of its step.
 *
 * @param plannedS epoch seconds
 */
export function waitedUntil(failures: ClusterState['fencingFailures'], plannedS: number): ClusterState['fencingFailures'] {
  return Object.fromEntries(
    Object.entries(failures).map(([target, failure]) => {
      const passedS = Math.max(0, plannedS - (failure.countedToS ?? secondsOf(failure.at)));
      return [target, { ...failure, waitedS: (failure.waitedS ?? 0) + passedS, countedToS: plannedS }];
    }),
  );
}

function secondsOf(at: string): number {
  return Math.floor(Date.parse(at) / 1000);
}
