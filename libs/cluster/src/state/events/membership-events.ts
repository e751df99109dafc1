import type { XmlElement } from '@systole/cib';
import type {
  LeaseLossPolicyTold,
  ManagedTold,
  NodeJoined,
  NodeJoinRefused,
  NodeLeft,
  NodeShutdownRequested,
  RecordedClusterEvent,
  WatchdogTold,
} from '../../events/cluster-event.js';
import { arrivingAtJoin, arrivingOn } from '../../lease/arriving.js';
import { doubtOf, earlierBootsWith, silentSince, withEarlierBootHeard, withProven, withUnproven } from '../../lease/doubtful-boots.js';
import { reckonedAtJoin } from '../../lease/lease-loss.js';
import { leftByAnother, mayRunUnmanaged, withLeftRunning, withNothingLeft } from '../../lease/left-running.js';
import { withLossNoted } from '../../lease/lost-together.js';
import { type ClusterState, memberOf, type NodeMember, type NodeWatchdog } from '../cluster-state.js';
import { isClusterMember, joinedNodes } from '../../remote/remote-nodes.js';
import { heldConnections } from '../../remote/connection.js';
import { unprobedAtJoin } from '../../remote/stranded.js';
import { configuredNodes, ensureNode } from '../configuration.js';
import { withNothingHeld } from '../dampening.js';
import { editNode, withMember } from '../members.js';
import {
  editNodeState,
  eraseLife,
  isPromotionScore,
  nodeStateOf,
  removeFormerIds,
  removeTransientAttributes,
  asRemote,
  setPresence,
  setTransientAttribute,
  transientAttribute,
  withHistoryBegun,
  withTransientAttributesOf,
} from '../node-state.js';
import { isPresentLife } from '../present-life.js';
import { locksIn, withLocks } from '../shutdown-locks.js';
import { down, ended } from './ended.js';
import { withFencingForgiven } from './fencing-forgiven.js';
import type { Folds } from './folds.js';
import { mayBeLostWithFencing, withGivenUp } from './given-up.js';

/** That nodes come and go, what they say of themselves, and what is said to them. */
export const membershipEvents: Folds<
  | 'NodeJoined'
  | 'NodeLeaseLost'
  | 'NodeJoinRefused'
  | 'FalseWitnessShown'
  | 'LeaseLossPolicyTold'
  | 'WatchdogTold'
  | 'ManagedTold'
  | 'NodeTroublesTold'
  | 'NodeLeft'
  | 'NodeConfirmedDown'
  | 'NodeShutdownRequested'
  | 'ResultsDropped'
> = {
  NodeJoined: joined,
  NodeLeaseLost: (state, data, recorded) => (isPresentLife(state, data) ? leaseLost(state, data.node, recorded) : state),
  NodeJoinRefused: joinRefused,
  FalseWitnessShown: (state, { node }, { occurredAt }) => withMember(state, node, { falseWitnessAt: occurredAt }),
  LeaseLossPolicyTold: (state, data) => (isPresentLife(state, data) ? policyTold(state, data) : state),
  WatchdogTold: (state, data, { occurredAt }) => (isPresentLife(state, data) ? watchdogTold(state, data, occurredAt) : state),
  ManagedTold: (state, data) => (isPresentLife(state, data) ? managedTold(state, data) : state),
  NodeTroublesTold: (state, data) => (isPresentLife(state, data) ? withMember(state, data.node, { troubles: data.troubles }) : state),
  NodeLeft: (state, data, { occurredAt }) => (isPresentLife(state, data) ? left(state, data, occurredAt) : state),
  NodeConfirmedDown: (state, { node }, { occurredAt }) => confirmedDown(state, node, occurredAt),
  NodeShutdownRequested: (state, data, { occurredAt }) => (isPresentLife(state, data) ? shutdownRequested(state, data, occurredAt) : state),
  ResultsDropped: (state, data) => (isPresentLife(state, data) ? withMember(state, data.node, { droppedResults: true }) : state),
};

/** How many second machines are remembered. */
const BOOTS_REMEMBERED = 8;

function joinRefused(state: ClusterState, data: NodeJoinRefused['data'], { occurredAt: at, version }: RecordedClusterEvent): ClusterState {
  const { node, bootId, machineId, alongside, unconfigured } = data;
  if (unconfigured === true) return memberOf(state, node) === undefined ? withUnconfigured(state, data, at) : state;
  const boots = memberOf(state, node)?.secondBoots ?? [];
  if (alongside === true) {
    const noted = withMember(state, node, { secondBoots: [...boots, bootId].slice(-BOOTS_REMEMBERED) });
    return withEarlierBootHeard(noted, node, bootId);
  }
  return withMember(state, node, { refusedJoin: { bootId, ...(machineId === undefined ? {} : { machineId }), at, version } });
}

/** Known by its agent's word alone: it waits to be configured, or confirmed down, and everything waits for it (`activationHold`). It has no state, so that nothing is planned on it. */
function withUnconfigured(state: ClusterState, { node, bootId, machineId }: NodeJoinRefused['data'], since: string): ClusterState {
  const machine = { bootId, ...(machineId === undefined ? {} : { machineId }) };
  const member: NodeMember = {
    ...{ id: node, name: node, kind: 'remote', incarnation: 0, leaseMs: 0, agentVersion: '', ...machine },
    ...{ membership: 'unheard', since, shutdownRequested: false },
  };
  return { ...state, nodes: { ...state.nodes, [node]: member } };
}

function leaseLost(state: ClusterState, name: string, recorded: RecordedClusterEvent): ClusterState {
  if (memberOf(state, name)?.membership === 'lost') return state;
  const { occurredAt: since, version } = recorded;
  // One that asked to leave, and is lost, has not left: with the attribute the scheduler would take it for gone in order, and nobody would fence it.
  const next = editNode(state, name, (nodeState, id) => setTransientAttribute(setPresence(nodeState, 'unseen'), id, 'shutdown', undefined));
  const now = Date.parse(since);
  const lost = {
    membership: 'lost',
    shutdownRequested: false,
    since,
    lostVersion: version,
    lostWithFencing: mayBeLostWithFencing(state, now),
  } as const;
  const noted = withMember(withLossNoted(next, name, recorded), name, lost);
  return withGivenUp(leaving(noted, name, [...mayRunUnmanaged(state, name), ...arrivingOn(state, name)]), now);
}

/** Who may be told to do anything but starve its watchdog is not reset by it. */
function policyTold(state: ClusterState, { node, policy }: LeaseLossPolicyTold['data']): ClusterState {
  const next = withMember(state, node, { onLeaseLoss: policy });
  return policy === 'watchdog' ? next : withWatchdog(next, node, undefined);
}

function watchdogTold(state: ClusterState, { node, timeoutMs, armed, seq }: WatchdogTold['data'], occurredAt: string): ClusterState {
  const told = seq === undefined ? state : withMember(state, node, { watchdogSeq: Math.max(seq, memberOf(state, node)?.watchdogSeq ?? 0) });
  if (timeoutMs === undefined) return withWatchdog(told, node, undefined);
  return withWatchdog(withMember(told, node, { hasWatchdog: true }), node, {
    timeoutMs,
    ...(armed === false ? {} : { armedSince: occurredAt }),
  });
}

function withWatchdog(state: ClusterState, name: string, watchdog: NodeWatchdog | undefined): ClusterState {
  const member = memberOf(state, name);
  if (member === undefined) return state;
  const { watchdog: before, ...rest } = member;
  if (before === watchdog) return state;
  return { ...state, nodes: { ...state.nodes, [name]: watchdog === undefined ? rest : { ...rest, watchdog } } };
}

function managedTold(state: ClusterState, { node, resources }: ManagedTold['data']): ClusterState {
  const known = new Set(resources);
  const spared = Object.entries(memberOf(state, node)?.spared ?? {}).filter(([id]) => !known.has(id));
  return withMember(state, node, { spared: Object.fromEntries(spared) });
}

function joined(state: ClusterState, data: NodeJoined['data'], { occurredAt, version }: RecordedClusterEvent): ClusterState {
  const { node: name, kind, incarnation, leaseMs, agentVersion, bootId, machineId, attempt, actionLimit, localOnLeaseLoss } = data;
  const before = memberOf(state, name);
  const onLeaseLoss = reckonedAtJoin(state, { node: name, bootId, told: localOnLeaseLoss ?? data.onLeaseLoss });
  const id = configuredNodes(state.cib).find((node) => node.name === name)?.id ?? data.nodeId;
  const first = kind === undefined && joinedNodes(state).length === 0;
  const known = removeFormerIds(kind === undefined ? ensureNode(state.cib, { id, name }) : state.cib, { id, name });
  const connections =
    before?.membership === 'joined' && bootId !== undefined && bootId === before.bootId ? heldConnections(state, name) : [];
  const cib = editNodeState(known, { id, name }, (nodeState) => {
    const present = kind === undefined ? setPresence(nodeState, 'member') : asRemote(setPresence(nodeState, 'member'));
    const begun = withLasting(data, before, nodeState, eraseLife(present), id);
    return withLocks(withHistoryBegun(begun, { id, name }, connections), locksIn(nodeState));
  });
  const silent = before === undefined ? undefined : silentSince(state, before);
  const member: NodeMember = {
    id,
    name,
    ...(kind === undefined ? {} : { kind }),
    incarnation,
    membership: 'joined',
    leaseMs,
    agentVersion,
    shutdownRequested: false,
    since: occurredAt,
    ...(onLeaseLoss === undefined ? {} : { onLeaseLoss }),
    ...(bootId === undefined ? {} : { bootId }),
    ...(machineId === undefined ? {} : { machineId }),
    bootVersion: (bootId !== undefined && bootId === before?.bootId ? before.bootVersion : undefined) ?? version,
    ...(before === undefined ? {} : doubtOf(before)),
    ...(data.doubtful === true && silent !== undefined ? { doubtfulSince: silent } : {}),
    ...earlierBootsWith(before, bootId),
    ...(attempt === undefined ? {} : { attempt }),
    ...(actionLimit === undefined ? {} : { actionLimit }),
    ...(localOnLeaseLoss === undefined ? {} : { localOnLeaseLoss }),
    ...(data.watchdogMs === undefined ? {} : { watchdog: { timeoutMs: data.watchdogMs }, hasWatchdog: true }),
    ...(data.debugOperations === undefined ? {} : { debugOperations: data.debugOperations }),
    ...(data.unmanaged === undefined ? {} : { spared: Object.fromEntries(data.unmanaged.map((id) => [id, version])) }),
    ...(before?.lastLoss === undefined ? {} : { lastLoss: before.lastLoss }),
    ...(before?.secondBoots === undefined || before.bootId !== bootId ? {} : { secondBoots: before.secondBoots }),
    ...(kind === undefined ? {} : unprobedAtJoin(state, before, data)),
    ...(before === undefined ? {} : arrivingAtJoin(before, bootId)),
    ...(before === undefined ? {} : leftByAnother(before, bootId, data.restarted === true)),
  };
  const firstJoin = first ? { firstJoinAt: occurredAt, firstJoinVersion: version } : {};
  const present: ClusterState = { ...withHeldOf(state, data), cib, nodes: { ...state.nodes, [name]: member }, ...firstJoin };
  const next = member.unproven === true ? withUnproven(present, member) : present;
  return withFencingForgiven({ ...next, fencingAllowed: next.fencingAllowed.filter((node) => node !== name) }, name);
}

/** What is held of attributes that end with a life ends with it. */
function withHeldOf(state: ClusterState, { node, attributesKept: kept }: NodeJoined['data']): ClusterState {
  if (kept === 'all') return state;
  return kept === 'but-promotion' ? withNothingHeld(state, node, isPromotionScore) : withNothingHeld(state, node);
}

/** What a life leaves to the one that follows it on the same boot. Events of before that was recorded leave `standby` alone: the node has had no reboot. */
function withLasting(
  { attributesKept: kept, bootId }: NodeJoined['data'],
  before: NodeMember | undefined,
  ended: XmlElement,
  begun: XmlElement,
  id: string,
): XmlElement {
  if (kept !== undefined) {
    // Whoever asked to be shut down was another process of the agent.
    const over = (name: string): boolean => name === 'shutdown' || (kept === 'but-promotion' && isPromotionScore(name));
    return withTransientAttributesOf(begun, removeTransientAttributes(ended, over));
  }
  if (bootId === undefined || before?.bootId !== bootId || before.membership !== 'joined') return begun;
  return setTransientAttribute(begun, id, 'standby', transientAttribute(ended, 'standby'));
}

/** Agents that left before it was recorded what runs on there did no better. */
function left(state: ClusterState, { node, active }: NodeLeft['data'], occurredAt: string): ClusterState {
  const resources = [...(active ?? mayRunUnmanaged(state, node)), ...arrivingOn(state, node)];
  const gone = ended(state, node, 'left', occurredAt);
  return leaving(isRemote(state, node) ? withShutdownKept(gone, state, node, occurredAt) : gone, node, resources);
}

function isRemote(state: ClusterState, node: string): boolean {
  const member = memberOf(state, node);
  return member !== undefined && !isClusterMember(member);
}

/** A remote node stays asked to shut down until it joins again: its connection would be begun else, in vain (specification 03 §4.2, after the final pass). */
function withShutdownKept(after: ClusterState, before: ClusterState, node: string, occurredAt: string): ClusterState {
  const member = memberOf(before, node);
  const known = member === undefined ? undefined : transientAttribute(nodeStateOf(before.cib, member), 'shutdown');
  const shutdown = known ?? (member?.shutdownRequested === true ? secondsOf(occurredAt) : undefined);
  return shutdown === undefined ? after : withShutdown(after, node, shutdown);
}

/** Of a node that has joined since it is the earlier boot that is over. */
function confirmedDown(state: ClusterState, name: string, occurredAt: string): ClusterState {
  const member = memberOf(state, name);
  if (member?.membership !== 'joined') return down(state, name, occurredAt);
  return withProven(state, withNothingLeft(member));
}

function leaving(state: ClusterState, node: string, resources: readonly string[]): ClusterState {
  const member = memberOf(state, node);
  return member === undefined ? state : { ...state, nodes: { ...state.nodes, [node]: withLeftRunning(member, resources) } };
}

function shutdownRequested(state: ClusterState, { node, cutOff }: NodeShutdownRequested['data'], occurredAt: string): ClusterState {
  const next = cutOff === true ? state : withShutdown(state, node, secondsOf(occurredAt));
  return withMember(next, node, { shutdownRequested: true });
}

/** @param since epoch seconds */
function withShutdown(state: ClusterState, node: string, since: string): ClusterState {
  return editNode(state, node, (nodeState, id) => setTransientAttribute(nodeState, id, 'shutdown', since));
}

function secondsOf(at: string): string {
  return String(Math.floor(Date.parse(at) / 1000));
}
