import { childElements, firstChildNamed, type XmlElement } from '@systole/cib';
import { readNodeAttributes } from '../nodes.js';
import { markForFencing, secondsOf, terminateRequested } from '../../requests/fencing.js';
import type { Cluster } from '../../model/cluster.js';
import { sameText } from '../../model/names.js';
import type { ClusterNode } from '../../model/node.js';
import { INFINITY } from '../../model/score.js';

/** First pass over the status section: tickets and the states of cluster nodes (specification 03 §2.1). */
export function unpackNodeStates(cluster: Cluster): void {
  const status = cluster.cib.firstNamed('status');
  for (const element of status ? childElements(status) : []) {
    if (element.name === 'tickets') unpackTickets(cluster, element);
    else if (element.name === 'node_state') unpackNodeState(cluster, element);
  }
}

/** Ticket states (specification 03 §4.1). */
function unpackTickets(cluster: Cluster, tickets: XmlElement): void {
  for (const { name, attributes } of childElements(tickets)) {
    if (name !== 'ticket_state' || !attributes['id']) continue;
    const ticket = cluster.ticket(attributes['id']);
    if (attributes['granted'] !== undefined) ticket.granted = cluster.cib.boolean(attributes['granted']) === true;
    if (attributes['standby'] !== undefined) ticket.standby = cluster.cib.boolean(attributes['standby']) === true;
  }
}

/** The node of a `node_state`: by id over all nodes, and only then by name. */
export function stateNode(cluster: Cluster, state: XmlElement): ClusterNode | undefined {
  const { id, uname } = state.attributes;
  return (id === undefined ? undefined : cluster.nodeById(id)) ?? (uname === undefined ? undefined : cluster.nodeByName(uname));
}

function unpackNodeState(cluster: Cluster, state: XmlElement): void {
  if (state.attributes['id'] === undefined) {
    cluster.error('Ignoring a node_state without id');
    return;
  }
  const node = stateNode(cluster, state);
  if (!node) return;
  if (node.remoteType) {
    node.fencingRecorded = (cluster.cib.integer(state.attributes['node_fenced']) ?? 0) > 0;
    return;
  }
  const transient = firstChildNamed(state, 'transient_attributes');
  if (transient) readNodeAttributes(cluster, node, { element: transient, lifetime: 'reboot' });
  if (isTrue(cluster, node, 'standby')) node.standby = true;
  if (isTrue(cluster, node, 'maintenance')) node.maintenance = true;
  node.unclean = false;
  node.statusCertain = true;
  const { in_ccm: inCcm, crmd, join, expected } = state.attributes;
  const membership: Membership = {
    memberSince: memberTime(cluster, inCcm),
    onlineSince: onlineTime(cluster, crmd),
    join,
    expected,
  };
  if (node.shutdownRequested) node.shutdown = true;
  else if (sameText(expected, 'member')) node.shouldBeUp = true;
  const online = cluster.options.fencingEnabled
    ? onlineWithFencing(cluster, node, membership)
    : onlineWithoutFencing(cluster, node, membership);
  if (online) node.online = true;
  if (!node.online || node.shutdown) {
    node.baseScore = -INFINITY;
    cluster.forgetDefaults();
  }
  if (!cluster.quorate && node.online && cluster.options.quorumPolicy === 'fence')
    markForFencing(cluster, node, 'cluster does not have quorum');
}

/** Whether a node attribute is a true boolean. */
export function isTrue(cluster: Cluster, node: ClusterNode, attribute: string): boolean {
  return cluster.cib.boolean(node.attributes.get(attribute)) === true;
}

interface Membership {
  /** Epoch seconds; 0 = not a member, -1 = unknown. `now`: nobody says since when. */
  readonly memberSince: number | 'now';
  /** Epoch seconds; 0 = no controller process. */
  readonly onlineSince: number;
  readonly join: string | undefined;
  readonly expected: string | undefined;
}

function memberTime(cluster: Cluster, text: string | undefined): Membership['memberSince'] {
  if (text === undefined) return -1;
  const flag = cluster.cib.boolean(text);
  if (flag !== undefined) return flag ? 'now' : 0;
  const time = cluster.cib.integer(text);
  return time !== undefined && time >= 0 ? time : -1;
}

function onlineTime(cluster: Cluster, text: string | undefined): number {
  if (text === undefined || sameText(text, 'offline')) return 0;
  if (sameText(text, 'online')) return 1;
  const time = cluster.cib.integer(text);
  return time !== undefined && time >= 0 ? time : 0;
}

/** Specification 03 §2.3. */
function onlineWithFencing(cluster: Cluster, node: ClusterNode, { memberSince, onlineSince, join, expected }: Membership): boolean {
  const member = isMember(memberSince);
  const up = onlineSince > 0;
  const fence = (reason: string, delay = false): void => {
    markForFencing(cluster, node, reason, delay);
  };
  const wait = (): void => {
    node.standby = true;
    node.pending = true;
  };
  if (node.shutdown) return up;
  if (memberSince === -1) {
    fence('peer has not been seen by the cluster');
    return false;
  }
  if (join === 'banned') {
    fence('peer failed Pacemaker membership criteria');
    return member;
  }
  if (terminateRequested(cluster, node)) {
    if (!member && !up && join === 'down') return false;
    fence('fencing was requested');
    return member;
  }
  if (expected === undefined || sameText(expected, 'down')) {
    if (up) {
      wait();
      return member;
    }
    if (!member) return false;
    if (pendingTooLong(cluster, memberSince)) fence('peer pending timed out on joining the process group');
    else wait();
    return true;
  }
  if (!member) {
    fence('peer is no longer part of the cluster', true);
    return false;
  }
  if (!up) fence('peer process is no longer available');
  else if (join === 'pending' || join === 'down') wait();
  else if (join !== 'member') fence('peer was in an unknown state');
  return true;
}

function isMember(since: Membership['memberSince']): boolean {
  return since === 'now' || since > 0;
}

function pendingTooLong(cluster: Cluster, memberSince: Membership['memberSince']): boolean {
  const timeout = secondsOf(cluster.options.nodePendingTimeout);
  if (timeout <= 0) return false;
  const until = (memberSince === 'now' ? cluster.now : memberSince) + timeout;
  if (cluster.now >= until) return true;
  cluster.proposeRecheck(until);
  return false;
}

/** Specification 03 §2.4. */
function onlineWithoutFencing(cluster: Cluster, node: ClusterNode, { memberSince, onlineSince, join }: Membership): boolean {
  if (!isMember(memberSince)) return false;
  if (onlineSince > 0) return sameText(join, 'member');
  if (node.shouldBeUp) markForFencing(cluster, node, 'peer is unexpectedly down');
  return false;
}
