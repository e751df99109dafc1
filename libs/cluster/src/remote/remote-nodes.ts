import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { configuredNodes, remoteNodeNamed } from '../state/configuration.js';

/** Whether a node was heard of, or the configuration has it, of whatever kind. */
export function isKnownNode(state: ClusterState, name: string): boolean {
  return memberOf(state, name) !== undefined || isConfiguredNode(state, name);
}

/** Whether the configuration has a node of that name, or makes one: permanent attributes have a place there. */
export function isConfiguredNode({ cib }: Pick<ClusterState, 'cib'>, name: string): boolean {
  return configuredNodes(cib).some((node) => node.name === name) || remoteNodeNamed(cib, name) !== undefined;
}

/** Whether the agent of a node joined as that of a cluster node: with a vote, and able to hold connections and to fence. */
export function isClusterMember({ kind }: Pick<NodeMember, 'kind'>): boolean {
  return kind === undefined;
}

/** Names of the cluster nodes that hold a lease, in the order in which they were first heard of. */
export function joinedNodes(state: ClusterState): readonly string[] {
  return Object.values(state.nodes).flatMap((member) => (member.membership === 'joined' && isClusterMember(member) ? [member.name] : []));
}
