import type { ClusterState, NodeMembership } from './cluster-state.js';

const MAY_RUN: ReadonlySet<NodeMembership> = new Set(['joined', 'lost', 'unheard']);

/** Whether any node may run something: one that left stopped everything, one that is down runs nothing. */
export function mayRunAnything({ nodes }: ClusterState): boolean {
  return Object.values(nodes).some(({ membership }) => MAY_RUN.has(membership));
}

/** Names of the nodes of which nobody knows what they run. */
export function awayNodes({ nodes }: ClusterState): readonly string[] {
  return Object.values(nodes).flatMap(({ name, membership }) => (membership === 'lost' || membership === 'unheard' ? [name] : []));
}
