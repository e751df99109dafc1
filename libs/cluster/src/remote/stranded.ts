import { managedAndActive } from '../lease/left-running.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { connectionHosts } from './connection.js';
import { isClusterMember } from './remote-nodes.js';

/**
 * History ids of what runs on remote and guest nodes whose connections are not up: without fencing the scheduler does not read their histories (specification 03 §4.2), and would start it elsewhere. It is not made active
 * anywhere before the connection is up again, or the node left, is down or lost.
 */
export function strandedResources(state: ClusterState): readonly string[] {
  return Object.values(state.nodes).flatMap((member) => {
    const isCutOff = !isClusterMember(member) && member.membership === 'joined' && connectionHosts(state, member.name).length === 0;
    return isCutOff ? managedAndActive(state, member.name) : [];
  });
}

/** Whether the agent of a remote or guest node that asked to be shut down may leave: its connection was stopped, and all that ran there before it. Cluster nodes are told by an action of a graph. */
export function mayLeave(state: ClusterState, node: string): boolean {
  const member = memberOf(state, node);
  if (member === undefined || isClusterMember(member) || !member.shutdownRequested) return false;
  return connectionHosts(state, node).length === 0 && managedAndActive(state, node).length === 0;
}
