import type { ClusterState } from '../cluster-state.js';

/** What failed of fencing this node counts no more. */
export function withFencingForgiven(state: ClusterState, target: string): ClusterState {
  if (!Object.hasOwn(state.fencingFailures, target)) return state;
  return { ...state, fencingFailures: Object.fromEntries(Object.entries(state.fencingFailures).filter(([name]) => name !== target)) };
}

/** Whether fencing of some node failed, as far as it counts still. */
export function hasFencingFailures(state: ClusterState): boolean {
  return Object.keys(state.fencingFailures).length > 0;
}

/** What failed before may succeed now: whoever repaired a fence device need not know which nodes wait for it. */
export function withAllFencingForgiven(state: ClusterState): ClusterState {
  return hasFencingFailures(state) ? { ...state, fencingFailures: {} } : state;
}
