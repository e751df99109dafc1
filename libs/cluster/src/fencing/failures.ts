import { INFINITY_SCORE, readingOf, type XmlElement } from '@systole/cib';
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

/** How long after a plan its first try waits, ms, when so many fencing actions failed before: 2, 4, 8 … s, at most 60 s; none without failures. */
export function retryPauseMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(60_000, 1_000 * 2 ** failures);
}

/** How often fencing of a target may fail before nothing more is tried by itself: option `fencing-max-attempts`. @param now epoch ms, for rules */
export function mostFencingFailures(cib: XmlElement, now: number): number {
  const most = readingOf(cib, now).options.integer('fencing-max-attempts');
  return most >= INFINITY_SCORE ? Number.POSITIVE_INFINITY : most;
}

function secondsOf(at: string): number {
  return Math.floor(Date.parse(at) / 1000);
}
