import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { configuredNodes } from '../state/configuration.js';
import { isPresentLife } from '../state/relevance.js';
import type {
  ChangeQuorum,
  ClearNodeAttribute,
  ConfirmNodeDown,
  Decision,
  JoinNode,
  LeaveNode,
  LoseLease,
  RequestShutdown,
  SetNodeAttribute,
} from './cluster-command.js';
import { accept, NAME, reject } from './rejection.js';

export function joinNode(command: JoinNode, state: ClusterState): Decision {
  const { node, agentVersion, leaseMs } = command;
  if (!NAME.test(node)) {
    return reject(state, 'invalid-argument', 'a node name is 1 to 64 characters of A-Z a-z 0-9 . _ - and begins with a letter or digit', {
      pointer: '/node',
    });
  }
  if (!Number.isInteger(leaseMs) || leaseMs <= 0) {
    return reject(state, 'invalid-argument', 'a lease is a positive number of milliseconds', { pointer: '/leaseMs' });
  }
  const configured = configuredNodes(state.cib);
  const nodeId = configured.find(({ name }) => name === node)?.id ?? memberOf(state, node)?.id ?? command.nodeId ?? node;
  const owner = configured.find(({ id, name }) => id === nodeId && name !== node);
  if (owner !== undefined) {
    return reject(state, 'invalid-argument', `node id ${nodeId} belongs to ${owner.name}: join with another one`, { pointer: '/nodeId' });
  }
  const incarnation = (memberOf(state, node)?.incarnation ?? 0) + 1;
  return accept({ type: 'NodeJoined', data: { node, nodeId, incarnation, leaseMs, agentVersion } });
}

/** Why an agent of that incarnation may not speak for the node any more; undefined when it may. */
function superseded(state: ClusterState, node: string, incarnation: number): (Decision & { readonly ok: false }) | undefined {
  const member = memberOf(state, node);
  if (member === undefined) return reject(state, 'node-not-found', `${node} never joined this cluster: join first`, { pointer: '/node' });
  if (isPresentLife(state, { node, incarnation })) return undefined;
  // A later one than any: the stream was restored from an earlier state. That agent, too, has to join anew.
  const newest = incarnation >= member.incarnation;
  const why = newest ? `is ${member.membership} since ${member.since}` : `joined as incarnation ${String(member.incarnation)}`;
  const code = newest ? 'lease-ended' : 'incarnation-superseded';
  return reject(state, code, `incarnation ${String(incarnation)} of ${node} is over: the node ${why}`, { pointer: '/incarnation' });
}

/**
 * Whether the agent that polls holds its node's lease still. The api asks before it renews the lease or hands out actions: a node that was
 * declared lost, left or down has to join anew.
 */
export function checkIncarnation(state: ClusterState, node: string, incarnation: number): (Decision & { readonly ok: false }) | undefined {
  const problem = superseded(state, node, incarnation);
  if (problem !== undefined) return problem;
  if (memberOf(state, node)?.membership === 'joined') return undefined;
  return reject(state, 'lease-ended', `the lease of ${node} ran out: join again`, { pointer: '/incarnation' });
}

export function leaveNode(command: LeaveNode, state: ClusterState): Decision {
  const { node, incarnation } = command;
  const member = memberOf(state, node);
  if (member?.incarnation === incarnation && member.membership === 'left') return accept();
  return superseded(state, node, incarnation) ?? accept({ type: 'NodeLeft', data: { node, incarnation } });
}

export function requestShutdown(command: RequestShutdown, state: ClusterState): Decision {
  const { node, incarnation } = command;
  const problem = superseded(state, node, incarnation);
  if (problem !== undefined) return problem;
  if (memberOf(state, node)?.shutdownRequested === true) return accept();
  return accept({ type: 'NodeShutdownRequested', data: { node, incarnation } });
}

export function loseLease(command: LoseLease, state: ClusterState): Decision {
  const { node, incarnation, expiredAt } = command;
  const held = isPresentLife(state, command) && memberOf(state, node)?.membership === 'joined';
  return held ? accept({ type: 'NodeLeaseLost', data: { node, incarnation, expiredAt } }) : accept();
}

export function confirmNodeDown(command: ConfirmNodeDown, state: ClusterState): Decision {
  const { node, reason } = command;
  const member = memberOf(state, node);
  if (member === undefined && !configuredNodes(state.cib).some(({ name }) => name === node)) {
    return reject(state, 'node-not-found', `the cluster has no node ${node}`, { pointer: '/node' });
  }
  if (member?.membership === 'joined') {
    return reject(state, 'node-online', `${node} holds a lease: it is not down. Stop its agent, or fence it`, { pointer: '/node' });
  }
  if (member?.membership === 'down' || member?.membership === 'left') return accept();
  return accept({ type: 'NodeConfirmedDown', data: { node, ...(reason === undefined ? {} : { reason }) } });
}

export function changeQuorum(command: ChangeQuorum, state: ClusterState): Decision {
  const { quorate, votes, expectedVotes } = command;
  const { quorum } = state;
  if (quorum?.quorate === quorate && quorum.votes === votes && quorum.expectedVotes === expectedVotes) return accept();
  return accept({ type: 'QuorumChanged', data: { quorate, votes, expectedVotes } });
}

export function changeAttribute(command: SetNodeAttribute | ClearNodeAttribute, state: ClusterState): Decision {
  const { node, name, lifetime, incarnation } = command;
  if (name === '' || name.length > 255) {
    return reject(state, 'invalid-argument', 'an attribute has a name of 1 to 255 characters', { pointer: '/name' });
  }
  if (incarnation !== undefined) {
    const problem = superseded(state, node, incarnation);
    if (problem !== undefined) return problem;
  }
  const configured = configuredNodes(state.cib).some((candidate) => candidate.name === node);
  const member = memberOf(state, node);
  if (!configured && member === undefined) {
    return reject(state, 'node-not-found', `the cluster has no node ${node}`, { pointer: '/node' });
  }
  if (lifetime === 'forever' && !configured) {
    return reject(state, 'node-not-found', `${node} is not in the configuration: permanent attributes live there`, { pointer: '/node' });
  }
  if (lifetime === 'reboot' && (member === undefined || member.membership === 'down' || member.membership === 'left')) {
    return reject(state, 'node-offline', `${node} is not online: what lasts until its reboot can't be set before it joins`, {
      pointer: '/node',
    });
  }
  if (command.type === 'set-node-attribute') {
    return accept({ type: 'NodeAttributeSet', data: { node, name, value: command.value, lifetime } });
  }
  return accept({ type: 'NodeAttributeCleared', data: { node, name, lifetime } });
}
