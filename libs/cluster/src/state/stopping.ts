import type { ClusterState, NodeMember, NodeMembership } from './cluster-state.js';

/** What they run is not known to be over. */
const MAY_RUN: ReadonlySet<NodeMembership> = new Set(['joined', 'lost', 'unheard']);

/** Whether a node may run something: one that left stopped everything but what it is known to have left running, one that is down runs nothing. */
export function mayRun({ membership, leftRunning }: Pick<NodeMember, 'membership' | 'leftRunning'>): boolean {
  return MAY_RUN.has(membership) || leftRunning !== undefined;
}

/** Whether any node may run something. */
export function mayRunAnything({ nodes }: ClusterState): boolean {
  return Object.values(nodes).some(mayRun);
}

/** Names of the nodes that may run something, and nobody can make them stop it. */
export function awayNodes({ nodes }: ClusterState): readonly string[] {
  return Object.values(nodes).flatMap((member) => (member.membership !== 'joined' && mayRun(member) ? [member.name] : []));
}
