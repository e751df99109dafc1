import { managedAndActive } from '../lease/left-running.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { isConfiguredHistory } from '../state/configured-history.js';
import { historyOf, isActive, resourcesWithHistory, wasNotStopped } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { mayRun } from '../state/stopping.js';
import { connectionHosts } from './connection.js';
import { isClusterMember } from './remote-nodes.js';

/**
 * History ids of what runs on remote and guest nodes whose connections are not up: without fencing the scheduler does not read their histories (specification 03 §4.2), and would start it elsewhere. It is not made active
 * anywhere before the connection is up again, or the node left, is down or lost. What ran there when the agent joined anew, and was not probed since, is in no history: nobody fences the node for that, so it is waited for, too,
 * while the node is lost and keeps what it runs.
 */
export function strandedResources(state: ClusterState): readonly string[] {
  return Object.values(state.nodes).flatMap((member) => {
    const { name, membership, onLeaseLoss } = member;
    const runs = membership === 'joined' || (membership === 'lost' && onLeaseLoss === 'keep');
    if (isClusterMember(member) || !runs || connectionHosts(state, name).length > 0) return [];
    // What a history tells of a lost node is its fencing's business.
    return [...(membership === 'joined' ? mayRunOn(state, name) : []), ...unprobedOn(state, member)];
  });
}

function unprobedOn(state: ClusterState, member: NodeMember): readonly string[] {
  const { unprobed = [] } = member;
  if (unprobed.length === 0) return unprobed;
  const nodeState = nodeStateOf(state.cib, member);
  return unprobed.filter((id) => isConfiguredHistory(state, id) && historyOf(nodeState, id) === undefined);
}

/**
 * What may run on a remote or guest node that joins anew, on the boot on which it joined before, or it is not known on which: its history ends with the join, and what was in it is probed only when the connection is up.
 *
 * @param state before the join
 */
export function unprobedAtJoin(
  state: ClusterState,
  before: NodeMember | undefined,
  bootId: string | undefined,
): Pick<NodeMember, 'unprobed'> {
  const isOther = before?.bootId !== undefined && bootId !== undefined && before.bootId !== bootId;
  if (before === undefined || isClusterMember(before) || isOther || !mayRun(before) || before.givenUp === true) return {};
  const unprobed = [...new Set([...mayRunOn(state, before.name), ...unprobedOn(state, before)])];
  return unprobed.length === 0 ? {} : { unprobed };
}

/** What is not managed runs on as well, and may be started elsewhere where it is not managed on that node only; and what could not be stopped may run. */
function mayRunOn(state: ClusterState, node: string): readonly string[] {
  const member = memberOf(state, node);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  if (nodeState === undefined) return [];
  return resourcesWithHistory(nodeState).filter((id) => {
    const history = historyOf(nodeState, id);
    return isConfiguredHistory(state, id) && (isActive(history, id) || wasNotStopped(history, id));
  });
}

/** Whether the agent of a remote or guest node that asked to be shut down may leave: its connection was stopped, and all that ran there before it. Cluster nodes are told by an action of a graph. */
export function mayLeave(state: ClusterState, node: string): boolean {
  const member = memberOf(state, node);
  if (member === undefined || isClusterMember(member) || !member.shutdownRequested) return false;
  return connectionHosts(state, node).length === 0 && managedAndActive(state, node).length === 0;
}
