import type { ClusterState } from '../state/cluster-state.js';
import { fencedByDevice } from '../remote/remote-nodes.js';

/** Within which fencing of one node counts as one trouble, ms: as for the limit on fencing. */
const WINDOW_MS = 10 * 60_000;
/** From so many on. A node that was fenced may fail once more before it is well. */
const REPEATED = 3;
/** So many are remembered of one node. */
const MOST = 100;

/** The fencing of a node that is remembered, one more included. @param at ISO time of that */
export function fencingsUntil({ fencings = {} }: Pick<ClusterState, 'fencings'>, node: string, at: string): readonly string[] {
  const before = Object.hasOwn(fencings, node) ? (fencings[node] ?? []) : [];
  return [...before.filter((time) => Date.parse(at) - Date.parse(time) <= WINDOW_MS), at].slice(-MOST);
}

/** A node that comes back each time, and has to be fenced again. */
export interface RepeatedFencing {
  readonly node: string;
  /** How often within ten minutes; at most a hundred are counted. */
  readonly count: number;
}

/**
 * The configured nodes that are fenced again and again. The limit on fencing holds none of them: it is about how many nodes are down, and one alone is down each time.
 *
 * @param now epoch ms, by the clock that dates events
 */
export function repeatedFencing(state: Pick<ClusterState, 'fencings' | 'cib'>, now: number): readonly RepeatedFencing[] {
  const { fencings = {} } = state;
  return fencedByDevice(state.cib).flatMap((name): readonly RepeatedFencing[] => {
    const times = Object.hasOwn(fencings, name) ? (fencings[name] ?? []) : [];
    const count = times.filter((time) => now - Date.parse(time) <= WINDOW_MS).length;
    return count < REPEATED ? [] : [{ node: name, count }];
  });
}
