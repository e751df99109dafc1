import type { ClusterState } from './cluster-state.js';

type Optional =
  | 'transition'
  | 'disturbances'
  | 'recompute'
  | 'recheckBy'
  | 'firstJoinAt'
  | 'firstJoinVersion'
  | 'lastPlanned'
  | 'quorum'
  | 'stopping'
  | 'dampened';

/** The state without these: they are absent, not undefined. */
export function without(state: ClusterState, ...names: readonly Optional[]): ClusterState {
  const copy: { -readonly [Name in keyof ClusterState]: ClusterState[Name] } = { ...state };
  for (const name of names) Reflect.deleteProperty(copy, name);
  return copy;
}
