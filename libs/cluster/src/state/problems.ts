import type { ClusterState } from './cluster-state.js';

const PROBLEMS_KEPT = 20;

export function withProblem(state: ClusterState, version: number, text: string): ClusterState {
  return { ...state, problems: [...state.problems, { version, text }].slice(-PROBLEMS_KEPT) };
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
