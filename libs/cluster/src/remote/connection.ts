import { childElements, isConnectionAgent, type XmlElement } from '@systole/cib';
import type { GraphAction } from '@systole/scheduler';
import type { ClusterEvent, OperationRecorded, OperationStatus } from '../events/cluster-event.js';
import type { OperationDigests } from '../events/operations.js';
import { intervalMsOf } from '../engine/graph-index.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { hasLastFailure, historyOf, isActive, isProbe, recordedDigests } from '../state/history.js';
import { presentKey } from '../state/present-key.js';
import { nodeStateOf, transientAttribute } from '../state/node-state.js';
import { mayRunOn } from './may-run-on.js';
import { isClusterMember } from './remote-nodes.js';

/**
 * Connections to remote and guest nodes (`ocf:pacemaker:remote`; docs/decisions/0068-remote-nodes.md). The agent of such a node is in a session with the server, as any other, and no cluster node talks to it. So a
 * connection is held by the server for the cluster node that it is placed on: it can be begun where the agent of the remote node is in a session, and fails when that one's lease is lost.
 */

/** How an operation of a connection ended, as the server says. */
export interface ConnectionAnswer {
  readonly status: OperationStatus;
  readonly rc: number;
  readonly exitReason?: string;
}

const DONE: ConnectionAnswer = { status: 'done', rc: 0 };
const NOT_RUNNING: ConnectionAnswer = { status: 'done', rc: 7 };
const RC_ERROR = 1;

/** Whether an action of a graph is an operation of a connection, which no agent is given. */
export function isConnectionAction({ kind, primitive }: GraphAction): boolean {
  return kind === 'rsc_op' && primitive !== undefined && isConnectionAgent(primitive);
}

/**
 * What the server says of an operation of a connection; undefined while it is waited for the agent of the remote node, until the operation's time-out.
 *
 * @param isSilent whether a node should have renewed its lease by now
 */
export function connectionAnswer(
  state: ClusterState,
  action: GraphAction,
  isSilent: (node: string) => boolean,
): ConnectionAnswer | undefined {
  const { operation, primitive, node } = action;
  const remote = primitive?.id ?? '';
  const isThere = memberOf(state, remote)?.membership === 'joined' && !isSilent(remote);
  switch (operation) {
    case 'start':
    case 'migrate_from':
      return isThere ? DONE : wasLostRunning(state, remote) ? lost(remote) : undefined;
    case 'monitor':
      if (isProbe(operation, intervalMsOf(action))) return isHeldBy(state, remote, node?.name ?? '') ? DONE : NOT_RUNNING;
      return memberOf(state, remote)?.membership === 'joined' ? DONE : lost(remote);
    default:
      return DONE;
  }
}

/** Whether a node was lost with what it runs: as nobody holds its connection, nothing else says so, and it would be fenced, or its resources started elsewhere, no sooner than its start has waited in vain. */
function wasLostRunning(state: ClusterState, remote: string): boolean {
  return memberOf(state, remote)?.membership === 'lost' && mayRunOn(state, remote).length > 0;
}

function lost(remote: string): ConnectionAnswer {
  return { status: 'error', rc: RC_ERROR, exitReason: `the agent of ${remote} is in no session` };
}

/** What is recorded of one that has waited for the agent in vain. */
export function connectionTimedOut(action: GraphAction): ConnectionAnswer {
  return { status: 'timeout', rc: RC_ERROR, exitReason: `the agent of ${action.primitive?.id ?? ''} did not join in time` };
}

function isHeldBy(state: ClusterState, remote: string, host: string): boolean {
  return connectionHosts(state, remote).includes(host);
}

/** Names of the cluster nodes on which a connection is active, as far as their histories tell. Not of one that was lost and counts as stopped since (without fencing), whose history stays: nothing is reached from there. */
export function connectionHosts(state: ClusterState, remote: string): readonly string[] {
  return Object.values(state.nodes).flatMap((member) => {
    if (!isClusterMember(member) || member.givenUp === true) return [];
    return isActive(historyOf(nodeStateOf(state.cib, member), remote), remote) ? [member.name] : [];
  });
}

/**
 * Histories of the connections that the server holds for a cluster node, to nodes that are in a session. They outlast the restart of that node's agent, which has no part in them: were they forgotten with what it told, a guest
 * would count as out of reach, and what it runs in would be stopped as its fencing.
 */
export function heldConnections(state: ClusterState, host: string): readonly XmlElement[] {
  const member = memberOf(state, host);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  return Object.values(state.nodes).flatMap((remote) => {
    if (isClusterMember(remote) || remote.membership !== 'joined') return [];
    const history = historyOf(nodeState, remote.name);
    const hosts = connectionHosts(state, remote.name);
    return history !== undefined && hosts.length === 1 && hosts[0] === host ? [history] : [];
  });
}

/**
 * What is recorded when the lease of a remote or guest node is lost, or it is to be fenced: its connection fails where it is active, in its recurring monitor where it has one.
 *
 * @param at epoch ms
 * @param exitReason for people
 */
export function connectionFailures(state: ClusterState, remote: string, at: number, exitReason: string): readonly ClusterEvent[] {
  return connectionHosts(state, remote).map((node) => {
    const monitored = recurringMonitor(state, remote, node);
    const data: OperationRecorded['data'] = {
      node,
      incarnation: 0,
      resource: remote,
      class: 'ocf',
      provider: 'pacemaker',
      agentType: 'remote',
      operation: 'monitor',
      intervalMs: monitored?.intervalMs ?? 0,
      status: 'error',
      rc: RC_ERROR,
      exitReason,
      callId: 0,
      transitionKey: presentKey(state, monitored?.transitionKey),
      // Without them the scheduler takes the definition for changed, and forgets the failure: nothing would fence the node when that was tried in vain.
      ...(monitored?.digests === undefined ? {} : { digests: monitored.digests }),
      actionId: `lost:${remote}:${String(memberOf(state, remote)?.incarnation ?? 0)}`,
      lastRcChange: Math.floor(at / 1000),
      execMs: 0,
      queueMs: 0,
      late: false,
    };
    return { type: 'OperationRecorded', data };
  });
}

/** The agent has left in order: where the connection is active it is looked for anew, and not found. */
export function connectionForgotten(state: ClusterState, remote: string): readonly ClusterEvent[] {
  return connectionHosts(state, remote).map((node) => ({ type: 'HistoryDeleted', data: { resource: remote, node } }));
}

/**
 * The agent is there: that it was not, when somebody tried to begin the connection, counts no more; nor that the connection failed when its lease was lost, if it comes back after that. It would be fenced else though it is in a
 * session again, and what it runs is probed like all that runs where an agent has joined.
 *
 * @param isBack whether its life before is over, and nobody asked for its fencing
 */
export function connectionForgiven(state: ClusterState, remote: string, isBack: boolean): readonly ClusterEvent[] {
  return Object.values(state.nodes).flatMap((member): readonly ClusterEvent[] => {
    if (!isClusterMember(member)) return [];
    const { name: node } = member;
    const nodeState = nodeStateOf(state.cib, member);
    const failed = transientAttribute(nodeState, `fail-count-${remote}#start_0`) !== undefined;
    return [
      ...(failed ? [{ type: 'FailuresCleared', data: { resource: remote, node, operation: 'start', intervalMs: 0 } } as const] : []),
      ...(isBack ? lossForgiven(state, remote, node, historyOf(nodeState, remote)) : []),
    ];
  });
}

/** Without a recurring monitor the failure stands in the place of the start: there the connection is begun anew. */
function lossForgiven(state: ClusterState, remote: string, node: string, history: XmlElement | undefined): readonly ClusterEvent[] {
  if (!hasLastFailure(history, remote, { operation: 'monitor' })) return [];
  if (!isActive(history, remote)) return [{ type: 'HistoryDeleted', data: { resource: remote, node } }];
  const intervalMs = recurringMonitor(state, remote, node)?.intervalMs ?? 0;
  return [{ type: 'FailuresCleared', data: { resource: remote, node, operation: 'monitor', intervalMs } }];
}

interface Monitored {
  readonly intervalMs: number;
  readonly transitionKey: string;
  readonly digests: OperationDigests | undefined;
}

function recurringMonitor(state: ClusterState, remote: string, host: string): Monitored | undefined {
  const member = memberOf(state, host);
  const history = member === undefined ? undefined : historyOf(nodeStateOf(state.cib, member), remote);
  if (history === undefined) return undefined;
  return childElements(history).flatMap(({ attributes }): Monitored[] => {
    const { operation, interval, 'transition-key': transitionKey } = attributes;
    const intervalMs = Number(interval);
    return operation === 'monitor' && intervalMs > 0 && transitionKey !== undefined
      ? [{ intervalMs, transitionKey, digests: recordedDigests(attributes) }]
      : [];
  })[0];
}
