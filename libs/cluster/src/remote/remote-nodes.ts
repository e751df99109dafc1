import type { XmlElement } from '@systole/cib';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { configuredNodes, remoteNodeNamed, remoteNodes } from '../state/configuration.js';

/** Whether a node was heard of, or the configuration has it, of whatever kind. */
export function isKnownNode(state: ClusterState, name: string): boolean {
  return memberOf(state, name) !== undefined || isConfiguredNode(state, name);
}

/** Whether the configuration has a node of that name, or makes one: permanent attributes have a place there. */
export function isConfiguredNode({ cib }: Pick<ClusterState, 'cib'>, name: string): boolean {
  return configuredNodes(cib).some((node) => node.name === name) || remoteNodeNamed(cib, name) !== undefined;
}

/** Names of the configured nodes that are fenced by a device when they are lost: cluster and remote nodes. What a guest runs in is restarted instead. */
export function fencedByDevice(cib: XmlElement): readonly string[] {
  const remote = remoteNodes(cib).flatMap(({ name, kind }) => (kind === 'remote' ? [name] : []));
  return [...new Set([...configuredNodes(cib).map(({ name }) => name), ...remote])];
}

/** Whether the agent of a node joined as that of a cluster node: with a vote, and able to hold connections and to fence. */
export function isClusterMember({ kind }: Pick<NodeMember, 'kind'>): boolean {
  return kind === undefined;
}

/** Names of the cluster nodes: whose agents joined as such, whether they hold a lease or not, in the order in which they were first heard of. */
export function clusterNodes(state: ClusterState): readonly string[] {
  return Object.values(state.nodes).flatMap((member) => (isClusterMember(member) ? [member.name] : []));
}

/** Names of the cluster nodes that hold a lease, in the order in which they were first heard of. */
export function joinedNodes(state: ClusterState): readonly string[] {
  return clusterNodes(state).filter((node) => memberOf(state, node)?.membership === 'joined');
}
