import type { ClusterState } from './cluster-state.js';

/** So many are kept, the newest. */
const PROBLEMS_KEPT = 20;

/** Notes what of an event could not be applied. @param text for people */
export function withProblem(state: ClusterState, version: number, text: string): ClusterState {
  return { ...state, problems: [...state.problems, { version, text }].slice(-PROBLEMS_KEPT) };
}

/** What was thrown, for people. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
