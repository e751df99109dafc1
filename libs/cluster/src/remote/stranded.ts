import { isKnownElsewhere } from '../lease/active-elsewhere.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { remoteNodeNamed } from '../state/configuration.js';
import { isConfiguredHistory } from '../state/configured-history.js';
import { historyOf } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { mayRun } from '../state/stopping.js';
import { connectionHosts } from './connection.js';
import { mayRunOn } from './may-run-on.js';
import { isClusterMember } from './remote-nodes.js';

/**
 * History ids of what runs on remote and guest nodes whose connections are not up: without fencing the scheduler does not read their histories (specification 03 §4.2), and would start it elsewhere. It is not made active
 * anywhere before the connection is up again, or the node left, is down or lost. What ran there when the agent joined anew, and was not probed since, is in no history: nobody fences the node for that, so it is waited for, too,
 * while the node is lost and keeps what it runs. So is all that ran on a lost node that nothing configures any more.
 */
export function strandedResources(state: ClusterState): readonly string[] {
  return stranded(state).flatMap(({ resources }) => resources);
}

/** The same by node: those that have none are left out. */
export function stranded(state: ClusterState): readonly { readonly node: string; readonly resources: readonly string[] }[] {
  return Object.values(state.nodes).flatMap((member) => {
    const { name, membership, onLeaseLoss } = member;
    // Nobody fences a remote node whose connection was deleted, once the history of that is gone as well: what it still stops, or keeps, is waited for. A guest ends with what it runs in.
    const isDeleted =
      membership === 'lost' && member.kind === 'remote' && member.givenUp !== true && remoteNodeNamed(state.cib, name) === undefined;
    const runs = membership === 'joined' || isDeleted || (membership === 'lost' && onLeaseLoss === 'keep');
    if (isClusterMember(member) || !runs || connectionHosts(state, name).length > 0) return [];
    // Else what a history tells of a lost node is its fencing's business.
    const resources = new Set([...(membership === 'joined' || isDeleted ? mayRunOn(state, name) : []), ...unprobedOn(state, member)]);
    return resources.size === 0 ? [] : [{ node: name, resources: [...resources] }];
  });
}

function unprobedOn(state: ClusterState, member: NodeMember): readonly string[] {
  const { unprobed = [] } = member;
  if (unprobed.length === 0) return unprobed;
  const nodeState = nodeStateOf(state.cib, member);
  return unprobed.filter((id) => isConfiguredHistory(state, id) && historyOf(nodeState, id) === undefined);
}

/**
 * What may run on a remote or guest node that joins anew, on the boot on which it joined before, or it is not known on which: its history ends with the join, and what was in it is probed only when the connection is up. So it
 * is with what its agent says to run, of which the log may know nothing.
 *
 * @param state before the join
 */
export function unprobedAtJoin(
  state: ClusterState,
  before: NodeMember | undefined,
  { bootId, active = [] }: { readonly bootId?: string; readonly active?: readonly string[] },
): Pick<NodeMember, 'unprobed'> {
  const unprobed = [...new Set([...ofLifeBefore(state, before, bootId), ...active])];
  return unprobed.length === 0 ? {} : { unprobed };
}

function ofLifeBefore(state: ClusterState, before: NodeMember | undefined, bootId: string | undefined): readonly string[] {
  const isOther = before?.bootId !== undefined && bootId !== undefined && before.bootId !== bootId;
  if (before === undefined || isClusterMember(before) || isOther || !mayRun(before) || before.givenUp === true) return [];
  return [...mayRunOn(state, before.name), ...unprobedOn(state, before)];
}

/**
 * What of that which the agent of a remote or guest node says to run, as it joins, may run there for all that the log knows: what is configured, and is not known to run elsewhere. A lie must not keep the others from starting it.
 *
 * @param claimed history ids
 */
export function claimableAtJoin(state: ClusterState, node: string, claimed: readonly string[]): readonly string[] {
  return [...new Set(claimed)].filter((id) => isConfiguredHistory(state, id) && !isKnownElsewhere(state, node, id));
}

/**
 * Whether the agent of a remote or guest node that asked to be shut down may leave: its connection was stopped, and all that ran there before it. Where the connection was not up when it asked, it is not begun any more
 * (specification 03 §4.2), and nobody can stop what runs there but the agent, which does so when it has waited in vain. Cluster nodes are told by an action of a graph.
 */
export function mayLeave(state: ClusterState, node: string): boolean {
  const member = memberOf(state, node);
  if (member === undefined || isClusterMember(member) || !member.shutdownRequested) return false;
  return connectionHosts(state, node).length === 0;
}
