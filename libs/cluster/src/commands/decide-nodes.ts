import { nextIncarnation } from '../epoch/incarnations.js';
import type { ClusterEvent, NodeTrouble } from '../events/cluster-event.js';
import { UNKNOWN_RESOURCES } from '../events/membership.js';
import { isKnownElsewhere } from '../lease/active-elsewhere.js';
import { isLateLowering, leaseLossPolicy } from '../lease/lease-loss.js';
import { activatedByHand, claimableUnmanaged, managedAndActive, mayRunUnmanaged, runningUnmanaged } from '../lease/left-running.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { configuredNodes, remoteNodeNamed } from '../state/configuration.js';
import { isConfiguredHistory } from '../state/configured-history.js';
import { historyOf } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';
import { isPresentLife } from '../state/present-life.js';
import { mayRun } from '../state/stopping.js';
import { connectionFailures, connectionForgiven, connectionForgotten, connectionHosts } from '../remote/connection.js';
import { isClusterMember, isKnownNode } from '../remote/remote-nodes.js';
import { isRunnableOn } from '../remote/runnable.js';
import { claimableAtJoin } from '../remote/stranded.js';
import { isNodeName, NODE_NAME_SAYS, type ImpliedNode } from '@systole/cib';
import type {
  JoinNode,
  LeaveNode,
  NoteFalseWitness,
  NoteManaged,
  NoteUnconfigured,
  NoteTroubles,
  NoteWatchdog,
  RequestShutdown,
} from './agent-command.js';
import { isRequested } from '../fencing/fencing-limit.js';
import { awaitedReset } from '../fencing/watchdog.js';
import type { AllowFencing, ClearFencingHistory, ConfirmNodeDown } from './cluster-command.js';
import type { Decision, Rejection } from './decision.js';
import type { ChangeQuorum, LoseLease, ReckonWith } from './worker-command.js';
import { accept, reject } from './rejection.js';
import { isDoubtful, joinedElsewhere } from './second-machine.js';
import { mayRunElsewhere, stopFirst } from './stop-first.js';

export function joinNode(command: JoinNode, state: ClusterState): Decision {
  const { node, agentVersion, leaseMs, onLeaseLoss, bootId, machineId, attempt, actionLimit, localOnLeaseLoss } = command;
  if (!isNodeName(node)) {
    return reject(state, 'invalid-argument', NODE_NAME_SAYS, {
      pointer: '/node',
    });
  }
  if (!Number.isInteger(leaseMs) || leaseMs <= 0) {
    return reject(state, 'invalid-argument', 'a lease is a positive number of milliseconds', { pointer: '/leaseMs' });
  }
  const configured = configuredNodes(state.cib);
  const nodeId = configured.find(({ name }) => name === node)?.id ?? memberOf(state, node)?.id ?? command.nodeId ?? node;
  // What the configuration says is a person's word; an id that an agent chooses may not be taken for another node.
  const chosen = configured.every(({ name }) => name !== node);
  const others = chosen ? [...configured, ...Object.values(state.nodes)] : configured;
  const owner = others.find(({ id, name }) => name !== node && (id === nodeId || (chosen && name === nodeId)));
  const named = chosen && command.nodeIdHasToken === true && nodeId === command.nodeId && nodeId !== node;
  if (owner !== undefined || named) {
    const message = `node id ${nodeId} is the id or the name of ${owner?.name ?? 'a node that has a token'}: join with another one`;
    return reject(state, 'invalid-argument', message, { pointer: '/nodeId' });
  }
  const kind = kindToJoin(command, state);
  if (typeof kind === 'object') return kind;
  const elsewhere = joinedElsewhere(command, state);
  if (elsewhere !== undefined) return elsewhere;
  const before = memberOf(state, node);
  const order = compareAttempts(command, before);
  if (order === 'earlier') {
    const message = `a later join of ${node} was there before: this one came late, or is of a process of the agent that another one has followed`;
    return reject(state, 'join-overtaken', message, { pointer: '/attempt' });
  }
  if (order === 'same' && before?.membership === 'joined') return accept();
  // Its watchdog is to reset it: whoever renewed its lease would keep it from that. Another boot shows that it has.
  if (awaitedReset(state, node) !== undefined && (bootId === undefined || bootId === before?.bootId))
    return resetOrdered(state, node, '/bootId');
  const toStop = stopFirst(command, state);
  if (toStop !== undefined) return toStop;
  if (order === 'same' && before?.membership === 'unheard') return { ok: false, rejection: epochChanged(state) };
  if (order === 'same')
    return reject(state, 'lease-lost', `the session of ${node} that this join began is over: join again`, { pointer: '/attempt' });
  const incarnation = nextIncarnation(state, node);
  const machine = {
    ...(bootId === undefined ? {} : { bootId }),
    ...(machineId === undefined ? {} : { machineId }),
    ...(attempt === undefined ? {} : { attempt }),
  };
  const told = onLeaseLoss === undefined ? {} : { onLeaseLoss };
  const own = {
    ...(actionLimit === undefined ? {} : { actionLimit }),
    ...(localOnLeaseLoss === undefined ? {} : { localOnLeaseLoss }),
    ...(command.debugOperations === undefined ? {} : { debugOperations: command.debugOperations }),
    ...(command.watchdogMs === undefined ? {} : { watchdogMs: command.watchdogMs }),
  };
  const active = new Set(command.active?.filter((id) => isRunnableOn(state, node, id, kind)));
  const spared = claimableUnmanaged(
    state,
    node,
    (command.unmanaged ?? []).filter((id) => active.has(id)),
  );
  const unmanaged = spared.length === 0 ? {} : { unmanaged: spared };
  const claimed = kind === 'cluster' ? [] : claimableAtJoin(state, node, [...active]);
  const mayBeActive = claimed.length === 0 ? {} : { active: claimed };
  const doubtful = isDoubtful(command, before, state) ? { doubtful: true as const } : {};
  const attributesKept = attributesThatLast(command, before);
  const kept = attributesKept === undefined ? {} : { attributesKept };
  const joined: ClusterEvent = {
    type: 'NodeJoined',
    data: {
      node,
      nodeId,
      ...(kind === 'cluster' ? {} : { kind }),
      incarnation,
      leaseMs,
      agentVersion,
      ...told,
      ...machine,
      ...own,
      ...doubtful,
      ...unmanaged,
      ...mayBeActive,
      ...kept,
    },
  };
  const isOver = before?.membership === 'lost' || before?.membership === 'down';
  const isBack = isOver && !isRequested(state, node, planTime(state));
  return accept(joined, ...(kind === 'cluster' ? [] : connectionForgiven(state, node, isBack)));
}

/** As which kind of node an agent of that name joins: as the configuration says. */
function kindToJoin(
  { node, remote }: JoinNode,
  state: ClusterState,
): 'cluster' | ImpliedNode['kind'] | (Decision & { readonly ok: false }) {
  const kind = remoteNodeNamed(state.cib, node)?.kind ?? 'cluster';
  const at = { pointer: '/node' };
  if (kind !== 'cluster' && configuredNodes(state.cib).some(({ name }) => name === node)) {
    const message = `the configuration has ${node} as a cluster node and as a ${kind} node: give its connection, or the node, another name`;
    return reject(state, 'invalid-argument', message, at);
  }
  if (remote === true && kind === 'cluster') {
    const message = `the configuration makes no remote or guest node of ${node} yet: give it a primitive ${node} (ocf:pacemaker:remote), or the resource that it runs in the meta-attribute remote-node`;
    return reject(state, 'node-not-found', message, at);
  }
  const before = memberOf(state, node);
  const known = before?.kind ?? 'cluster';
  if (before === undefined || known === kind || before.incarnation === 0 || !mayRun(before)) return kind;
  const message = `${node} is ${before.membership} as a ${known} node, and the configuration has it as a ${kind} node by now: it joins as that when it has left or is down`;
  return reject(state, 'invalid-argument', message, at);
}

/**
 * After the log went back an agent with a valid token asks to join as a remote or guest node that the configuration does not make (any more): it may have been made in the lost tail, and
 * run what would be started elsewhere. It can't be let in, as nothing says where its connection is, but it is waited for. What is not configured nobody would start.
 */
export function noteUnconfigured({ node, bootId, machineId, active }: NoteUnconfigured, state: ClusterState): Decision {
  const known = isKnownNode(state, node);
  const mayRunSomething = active === undefined || active.some((id) => isConfiguredHistory(state, id));
  if (state.epoch === undefined || known || !mayRunSomething) return accept();
  return accept({ type: 'NodeJoinRefused', data: { node, bootId, ...(machineId === undefined ? {} : { machineId }), unconfigured: true } });
}

/**
 * Which transient attributes outlast the join (specification 12 §1): on the same boot the node's life goes on, as long as nobody took it for over. What runs there runs on, so that
 * without its promotion score a healthy promoted instance would be demoted. Of an agent that lost its lease and stops its resources then, whoever deletes their scores had no server to tell.
 */
function attributesThatLast({ bootId }: JoinNode, before: NodeMember | undefined): 'all' | 'but-promotion' | undefined {
  if (before === undefined || bootId === undefined || bootId !== before.bootId) return undefined;
  if (before.membership === 'joined') return 'all';
  if (before.membership !== 'lost' || mayRunElsewhere(before)) return undefined;
  return before.onLeaseLoss === 'keep' ? 'all' : 'but-promotion';
}

/** How a try to join stands to the one that the node joined with: messages are late, and come twice. Nothing is known across boots, or of agents that don't tell. */
function compareAttempts({ bootId, attempt }: JoinNode, before: NodeMember | undefined): 'earlier' | 'same' | 'later' {
  const known = before?.attempt;
  if (attempt === undefined || known === undefined || bootId !== before?.bootId) return 'later';
  const difference = attempt.processStartedMs - known.processStartedMs || attempt.number - known.number;
  if (difference === 0) return 'same';
  return difference < 0 ? 'earlier' : 'later';
}

export function noteFalseWitness({ node, witness: { epoch, version, hash } }: NoteFalseWitness, state: ClusterState): Decision {
  const member = memberOf(state, node);
  if (member === undefined || member.falseWitnessAt !== undefined) return accept();
  const { incarnation } = member;
  return accept({ type: 'FalseWitnessShown', data: { node, incarnation, witness: { epoch, version, hash } } });
}

/** What an agent is told whose cluster is no more. */
export function clusterDeleted(state: ClusterState): Decision & { readonly ok: false } {
  const message = `the cluster ${state.name} was deleted: leave everything running, and end`;
  return reject(state, 'cluster-deleted', message);
}

/** What an agent is told whose place in the log is not in the log any more, or of an epoch that is over. */
export function epochChanged(state: ClusterState): Rejection {
  return reject(state, 'log-epoch-changed', 'the event log went back in time: join anew, and leave what runs there running', {
    pointer: '/incarnation',
  }).rejection;
}

/** What an agent is told that is at what the database has not given it. @param actionIds some of that */
export function lostDelivery(state: ClusterState, actionIds: readonly string[]): Rejection {
  const message = `the database does not know that it gave ${actionIds.join(', ')} to this node, so it is of before: join anew, and leave what runs there running`;
  return reject(state, 'log-epoch-changed', message, { pointer: '/known' }).rejection;
}

/** Why an agent has to join anew that has not shown the newest roll call, though it was told: its join answers that (docs/decisions/0041-a-roll-call.md). */
export function rollCallUnanswered(state: ClusterState): Rejection {
  const message = 'this agent was told of a roll call, and goes on showing another one: join anew, and leave what runs there running';
  return reject(state, 'log-epoch-changed', message, { pointer: '/rollCall' }).rejection;
}

/** Why an agent of that incarnation may not speak for the node any more; undefined when it may. */
export function superseded(state: ClusterState, node: string, incarnation: number): (Decision & { readonly ok: false }) | undefined {
  const member = memberOf(state, node);
  if (member === undefined) return reject(state, 'node-not-found', `${node} never joined this cluster: join first`, { pointer: '/node' });
  if (isPresentLife(state, { node, incarnation })) return undefined;
  // A later one than any: the stream was restored from an earlier state. That agent, too, has to join anew.
  const newest = incarnation >= member.incarnation;
  const ofLostTail = state.epoch !== undefined && (member.membership === 'unheard' || incarnation > member.incarnation);
  if (newest && ofLostTail) return { ok: false, rejection: epochChanged(state) };
  if (newest) return ended(state, member);
  const message = `incarnation ${String(incarnation)} of ${node} is over: the node joined as incarnation ${String(member.incarnation)}`;
  return reject(state, 'incarnation-superseded', message, { pointer: '/incarnation' });
}

/** The newest incarnation holds no lease any more: whether its resources may have been started elsewhere decides what its agent has to do. */
function ended(state: ClusterState, member: NodeMember): Decision & { readonly ok: false } {
  const { name, since } = member;
  if (!mayRunElsewhere(member)) {
    return reject(state, 'lease-lost', `the lease of ${name} ran out: join again, and leave what runs there running`, {
      pointer: '/incarnation',
    });
  }
  const message = `${name} counts as down since ${since}: stop everything that runs there, then join again`;
  return reject(state, 'declared-down', message, { pointer: '/incarnation' });
}

/**
 * Whether the agent that polls holds its node's lease still. The api asks before it renews the lease or hands out actions: a node that was
 * declared lost, left or down has to join anew.
 */
export function checkIncarnation(state: ClusterState, node: string, incarnation: number): (Decision & { readonly ok: false }) | undefined {
  if (state.existence === 'deleted') return clusterDeleted(state);
  const problem = superseded(state, node, incarnation);
  if (problem !== undefined) return problem;
  const member = memberOf(state, node);
  if (awaitedReset(state, node) !== undefined) return resetOrdered(state, node, '/incarnation');
  return member === undefined || member.membership === 'joined' ? undefined : ended(state, member);
}

function resetOrdered(state: ClusterState, node: string, pointer: string): Decision & { readonly ok: false } {
  return reject(state, 'reset-ordered', `${node} is fenced by its own watchdog: begin nothing more, and do not feed it`, { pointer });
}

export function leaveNode(command: LeaveNode, state: ClusterState): Decision {
  const { node, incarnation } = command;
  const member = memberOf(state, node);
  if (member?.incarnation === incarnation && member.membership === 'left') return accept();
  const problem = superseded(state, node, incarnation);
  if (problem !== undefined) return problem;
  // What the agent says of what is managed by now is the newest word; of what is not managed somebody else may have started some.
  // So it may name only what was looked for there, and runs nowhere else: a lie must not keep the others from starting it.
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  const tried = member === undefined ? [] : activatedByHand(member);
  const mayRunThere = (id: string): boolean => tried.includes(id) || historyOf(nodeState, id) !== undefined;
  const claimed = command.active?.filter((id) => mayRunThere(id) && !isKnownElsewhere(state, node, id));
  const running = managedAndActive(state, node).filter((id) => claimed?.includes(id) !== true);
  if (running.length > 0) {
    const message = `${running.join(', ')} was not stopped on ${node}, as far as the log knows: a node leaves when nothing that is managed runs there any more`;
    return reject(state, 'still-active', message, { pointer: '/active' });
  }
  const active = claimed === undefined ? mayRunUnmanaged(state, node) : [...new Set([...claimed, ...runningUnmanaged(state, node)])];
  const left: ClusterEvent = { type: 'NodeLeft', data: { node, incarnation, active } };
  return accept(left, ...(member === undefined || isClusterMember(member) ? [] : connectionForgotten(state, node)));
}

export function requestShutdown(command: RequestShutdown, state: ClusterState): Decision {
  const { node, incarnation } = command;
  const problem = superseded(state, node, incarnation);
  if (problem !== undefined) return problem;
  const member = memberOf(state, node);
  if (member?.shutdownRequested === true) return accept();
  const isCutOff = member !== undefined && !isClusterMember(member) && connectionHosts(state, node).length === 0;
  return accept({ type: 'NodeShutdownRequested', data: { node, incarnation, ...(isCutOff ? { cutOff: true } : {}) } });
}

export function loseLease(command: LoseLease, state: ClusterState): Decision {
  const { node, incarnation, expiredAt, overdue = [], measured } = command;
  const member = isPresentLife(state, command) ? memberOf(state, node) : undefined;
  if (member?.membership !== 'joined') return accept();
  const lost: ClusterEvent = {
    type: 'NodeLeaseLost',
    data: { node, incarnation, expiredAt, ...(overdue.length === 0 ? {} : { overdue }), ...(measured === undefined ? {} : { measured }) },
  };
  return accept(
    lost,
    ...(isClusterMember(member) ? [] : connectionFailures(state, node, Date.parse(expiredAt), `the lease of ${node} ran out`)),
  );
}

export function reckonWith({ node, incarnation, policy }: ReckonWith, state: ClusterState): Decision {
  const problem = superseded(state, node, incarnation);
  if (problem !== undefined) return problem;
  return memberOf(state, node)?.onLeaseLoss === policy || isLateLowering(state, node, policy, planTime(state))
    ? accept()
    : accept({ type: 'LeaseLossPolicyTold', data: { node, incarnation, policy } });
}

export function noteWatchdog({ node, incarnation, timeoutMs, seq, announced }: NoteWatchdog, state: ClusterState): Decision {
  const problem = superseded(state, node, incarnation);
  if (problem !== undefined) return problem;
  const { membership, watchdog, watchdogSeq = 0, onLeaseLoss, localOnLeaseLoss } = memberOf(state, node) ?? {};
  const told = { node, incarnation, ...(seq === undefined ? {} : { seq }) };
  if (timeoutMs === undefined) return watchdog === undefined ? accept() : accept({ type: 'WatchdogTold', data: told });
  // A poll of before that a frozen server answers late knows nothing of what became of the watchdog since.
  const isLate = seq !== undefined && seq < watchdogSeq;
  const isKnown = watchdog?.armedSince !== undefined && watchdog.timeoutMs >= timeoutMs;
  if (membership !== 'joined' || onLeaseLoss !== 'watchdog' || isLate || isKnown) return accept();
  // Nor of what the polls after it were told, by the configuration as it is now: as long as nobody counts on the watchdog that leaves no number.
  if ((localOnLeaseLoss ?? leaseLossPolicy(state, node, true, planTime(state))) !== 'watchdog') return accept();
  // Whoever says that it counts has judged by a record that is gone meanwhile (`watchdogTelling`).
  if ((announced === true) !== (watchdog === undefined)) return accept();
  return accept({ type: 'WatchdogTold', data: { ...told, timeoutMs, ...(announced === true ? { armed: false as const } : {}) } });
}

export function noteManaged({ node, incarnation, resources }: NoteManaged, state: ClusterState): Decision {
  const problem = superseded(state, node, incarnation);
  if (problem !== undefined) return problem;
  const spared = memberOf(state, node)?.spared ?? {};
  const known = resources.filter((id) => Object.hasOwn(spared, id));
  return known.length === 0 ? accept() : accept({ type: 'ManagedTold', data: { node, incarnation, resources: known } });
}

export function noteTroubles({ node, incarnation, troubles }: NoteTroubles, state: ClusterState): Decision {
  const problem = superseded(state, node, incarnation);
  if (problem !== undefined) return problem;
  if (isTroubledAs(state, node, troubles)) return accept();
  return accept({ type: 'NodeTroublesTold', data: { node, incarnation, troubles } });
}

/** Whether the troubles of a node are of the same kinds as those that it told of last. What is said of them may count up; only names of what is unknown are worked through one after the other. */
export function isTroubledAs(state: ClusterState, node: string, troubles: readonly NodeTrouble[]): boolean {
  const kind = ({ code, detail }: NodeTrouble): string => (code === UNKNOWN_RESOURCES ? `${code} ${detail}` : code);
  const kinds = (of: readonly NodeTrouble[]): string => [...new Set(of.map(kind))].sort().join('\n');
  return kinds(memberOf(state, node)?.troubles ?? []) === kinds(troubles);
}

export function confirmNodeDown(command: ConfirmNodeDown, state: ClusterState): Decision {
  const { node, reason } = command;
  const unknown = unknownNode(state, node);
  if (unknown !== undefined) return unknown;
  const member = memberOf(state, node);
  // That what an earlier boot left running is over can be confirmed at any time.
  if (member?.membership === 'joined' && member.leftRunning === undefined && member.unproven === undefined) {
    return reject(state, 'node-online', `${node} holds a lease: it is not down. Stop its agent, or fence it`, { pointer: '/node' });
  }
  const nothingLeft = member?.leftRunning === undefined && member?.unproven === undefined;
  if (member?.membership === 'down' || (member?.membership === 'left' && nothingLeft)) return accept();
  return accept({ type: 'NodeConfirmedDown', data: { node, ...(reason === undefined ? {} : { reason }) } });
}

export function allowFencing({ node, reason }: AllowFencing, state: ClusterState): Decision {
  const unknown = unknownNode(state, node);
  if (unknown !== undefined) return unknown;
  if (state.fencingAllowed.includes(node)) return accept();
  return accept({ type: 'FencingAllowed', data: { node, ...(reason === undefined ? {} : { reason }) } });
}

/** Nodes that were removed have a history, too: any name will do. */
export function clearFencingHistory({ node, reason }: ClearFencingHistory): Decision {
  return accept({
    type: 'FencingHistoryCleared',
    data: { ...(node === undefined ? {} : { node }), ...(reason === undefined ? {} : { reason }) },
  });
}

function unknownNode(state: ClusterState, node: string): (Decision & { readonly ok: false }) | undefined {
  return isKnownNode(state, node) ? undefined : reject(state, 'node-not-found', `the cluster has no node ${node}`, { pointer: '/node' });
}

export function changeQuorum(command: ChangeQuorum, state: ClusterState): Decision {
  const { quorate, votes, expectedVotes } = command;
  const { quorum } = state;
  if (quorum?.quorate === quorate && quorum.votes === votes && quorum.expectedVotes === expectedVotes) return accept();
  return accept({ type: 'QuorumChanged', data: { quorate, votes, expectedVotes } });
}
