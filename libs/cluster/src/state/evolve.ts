import { applyElementChanges, element, firstChildNamed, parseXml, readingOf, type XmlElement } from '@systole/cib';
import { tellingsOf } from '../epoch/tellings.js';
import { fencingDevices } from '../fencing/device.js';
import { countedFailures, waitedUntil } from '../fencing/failures.js';
import { isRequested, withFencingForgotten } from '../fencing/fencing-limit.js';
import { fencingDiffers } from '../fencing/fencing-configuration.js';
import type {
  ClusterCreated,
  ConfigurationChanged,
  EpochBegan,
  FencingCompleted,
  FencingRequested,
  ManagedTold,
  NodeJoined,
  NodeJoinRefused,
  NodeLeft,
  OperationRecorded,
  QuorumChanged,
  RecordedClusterEvent,
  TicketChanged,
  TransitionPlanned,
} from '../events/cluster-event.js';
import { leftByAnother, mayRunUnmanaged, withLeftRunning, withNothingLeft } from '../lease/left-running.js';
import {
  doubtOf,
  earlierBootsWith,
  silentSince,
  withDoubtsJudged,
  withEarlierBootHeard,
  withoutEarlierBoots,
  withProven,
  withUnproven,
} from '../lease/doubtful-boots.js';
import { reckonedAtJoin } from '../lease/lease-loss.js';
import { withLossNoted } from '../lease/lost-together.js';
import { withSpared } from '../lease/spared.js';
import { readableEvent } from '../events/readable-event.js';
import {
  emptyCib,
  joinedNodes,
  memberOf,
  pendingFencing,
  type ActionResult,
  type ClusterState,
  type NodeMember,
  type QuorumState,
  type TransitionState,
} from './cluster-state.js';
import { configurationOf, configuredNodes, ensureNode, nodeIdOf, setPermanentAttribute } from './configuration.js';
import { clearFailCounts, countFailure } from './fail-counts.js';
import { deleteHistory, forgetLastFailure, isExpected, parseTransitionKey, recordOperation } from './history.js';
import {
  editNodeState,
  eraseLife,
  nodeStateOf,
  removeFormerIds,
  setPresence,
  setTransientAttribute,
  withEmptyHistory,
} from './node-state.js';
import { reporterOf } from './disturbance.js';
import { emptyList } from './persistent-list.js';
import { withRecentResult } from './recent-results.js';
import { hasFenced, isOfRunning, isOutcomeOf, isConfirmed, isPresentLife, relevance, standingOf, type Relevance } from './relevance.js';
import { SERVER, withReport } from './transition-results.js';
import { childById, putById, putOnly, withAttributes } from './tree.js';

const PROBLEMS_KEPT = 20;

/**
 * Folds one event in. Total: every recorded event is a fact, so nothing is refused and nothing throws; what can't be applied is noted
 * in `problems`. Deterministic: the same events give the same state, byte for byte.
 *
 * Besides keeping the CIB it decides, in this order, what the event means for planning (`relevance`): `recompute` is set, and a running
 * transition is marked `aborting`. So any process that has folded to the head knows at once that nothing more may be handed out.
 *
 * Cost: path copying, and what the event concerns: one resource on one node, a node's life with its history (those of all nodes when the log went back), or the configuration, which is read anew
 * when it has changed. What ends maintenance costs what was not managed until then (`withSpared`). Nothing looks through the histories of all nodes otherwise.
 */
export function evolve(before: ClusterState, stored: RecordedClusterEvent): ClusterState {
  const event = readableEvent(stored.event);
  const recorded = event === stored.event ? stored : { ...stored, event };
  const unreadable = `${event.type} has text that XML cannot carry: it is shown replaced`;
  const state = recorded === stored ? before : withProblem(before, stored.version, unreadable);
  const meaning = relevance(state, recorded.event);
  const judged = withDoubtsJudged(apply(withLifeEnding(state, recorded), recorded), recorded.event);
  const applied = withConfiguredAt(state, withSpared(state, { ...judged, version: recorded.version }, recorded.event), event);
  if (meaning.effect === 'none' || applied.existence !== 'active') return applied;
  const marked: ClusterState = {
    ...applied,
    recompute: { reason: applied.recompute?.reason ?? meaning.reason, version: recorded.version },
  };
  return meaning.effect === 'abort' ? aborting(marked, recorded, meaning) : marked;
}

/** A transition that is obsolete goes on with its probes as long as they are all that says so; what they find is what they are for, and disturbs nobody. */
function aborting(state: ClusterState, recorded: RecordedClusterEvent, { reason, discovered }: Relevance): ClusterState {
  const { transition } = state;
  const begins = transition?.status === 'running';
  if (transition === undefined || (!begins && (discovered === true || transition.probingSince === undefined))) return state;
  const aborted = { ...withoutProbing(transition), status: 'aborting', abortReason: transition.abortReason ?? reason } as const;
  return discovered === true
    ? { ...state, transition: { ...aborted, probingSince: recorded.occurredAt } }
    : { ...withDisturbance(state, recorded, reason), transition: aborted };
}

function withoutProbing({ probingSince: _, ...transition }: TransitionState): TransitionState {
  return transition;
}

/** What only the present lives of nodes tell, and is to be known after they ended. */
function withLifeEnding(state: ClusterState, { event, occurredAt }: RecordedClusterEvent): ClusterState {
  switch (event.type) {
    case 'NodeLeaseLost': {
      const { node, expiredAt } = event.data;
      return withFencingForgotten(state, [node], earlier(expiredAt, occurredAt));
    }
    case 'NodeJoined':
    case 'NodeLeft':
    case 'NodeConfirmedDown':
      return withFencingForgotten(state, [event.data.node], occurredAt);
    case 'EpochBegan':
      return withFencingForgotten(state, Object.keys(state.nodes), occurredAt);
    default:
      return state;
  }
}

/** A lease may have been over for long before anybody could tell. */
function earlier(at: string, other: string): string {
  return Date.parse(at) < Date.parse(other) ? at : other;
}

function withDisturbance(state: ClusterState, recorded: RecordedClusterEvent, reason: string): ClusterState {
  const node = reporterOf(recorded);
  if (node === undefined) return state;
  const { disturbances = {} } = state;
  const before = Object.hasOwn(disturbances, node) ? disturbances[node] : undefined;
  return { ...state, disturbances: { ...disturbances, [node]: { count: (before?.count ?? 0) + 1, reason } } };
}

/** What a join writes into the configuration is kept by every document that replaces it (`withKnownNodes`). */
function withConfiguredAt(before: ClusterState, after: ClusterState, { type }: RecordedClusterEvent['event']): ClusterState {
  const same = type === 'NodeJoined' || (type !== 'ClusterCreated' && configurationOf(after.cib) === configurationOf(before.cib));
  return same ? after : { ...after, configuredAt: after.version };
}

/** Folds many events, in order. */
export function fold(state: ClusterState, events: Iterable<RecordedClusterEvent>): ClusterState {
  let folded = state;
  for (const event of events) folded = evolve(folded, event);
  return folded;
}

function apply(state: ClusterState, recorded: RecordedClusterEvent): ClusterState {
  const { event, occurredAt, version } = recorded;
  switch (event.type) {
    case 'ClusterCreated':
      return created(state, event.data, version);
    case 'ClusterStopping': {
      const { reason, restore } = event.data;
      const stopping = { since: occurredAt, ...(reason === undefined ? {} : { reason }), ...(restore === undefined ? {} : { restore }) };
      return { ...state, stopping };
    }
    case 'ClusterStopCancelled':
      return without(state, 'stopping');
    case 'ClusterDeleted':
      return without({ ...state, existence: 'deleted' }, 'transition', 'recompute', 'recheckBy', 'stopping');
    case 'EpochBegan':
      return epochBegan(state, event.data, recorded);
    case 'ConfigurationChanged':
      return configured(state, event.data, version, Date.parse(occurredAt));
    case 'NodeJoined':
      return joined(state, event.data, recorded);
    case 'NodeLeaseLost':
      return isPresentLife(state, event.data) ? leaseLost(state, event.data.node, recorded) : state;
    case 'NodeJoinRefused':
      return joinRefused(state, event.data, recorded);
    case 'FalseWitnessShown':
      return withMember(state, event.data.node, { falseWitnessAt: occurredAt });
    case 'LeaseLossPolicyTold': {
      const { node, policy } = event.data;
      return isPresentLife(state, event.data) ? withMember(state, node, { onLeaseLoss: policy }) : state;
    }
    case 'ManagedTold':
      return isPresentLife(state, event.data) ? managedTold(state, event.data) : state;
    case 'NodeTroublesTold': {
      const { node, troubles } = event.data;
      return isPresentLife(state, event.data) ? withMember(state, node, { troubles }) : state;
    }
    case 'NodeLeft':
      return isPresentLife(state, event.data) ? left(state, event.data, occurredAt) : state;
    case 'NodeConfirmedDown':
      return confirmedDown(state, event.data.node, occurredAt);
    case 'NodeShutdownRequested': {
      if (!isPresentLife(state, event.data)) return state;
      const since = String(Math.floor(Date.parse(occurredAt) / 1000));
      const next = editNode(state, event.data.node, (node, id) => setTransientAttribute(node, id, 'shutdown', since));
      return withMember(next, event.data.node, { shutdownRequested: true });
    }
    case 'NodeAttributeSet':
      return attributeChanged(state, event.data, event.data.value, version, event.data.uniqueIds);
    case 'NodeAttributeCleared':
      return attributeChanged(state, event.data, undefined, version);
    case 'OperationRecorded':
      return operationRecorded(state, event.data, Date.parse(occurredAt));
    case 'ResultsDropped':
      return isPresentLife(state, event.data) ? withMember(state, event.data.node, { droppedResults: true }) : state;
    case 'FailuresCleared': {
      const { resource, node, graphAction } = event.data;
      const next = editNode(state, node, (nodeState) =>
        forgetLastFailure(clearFailCounts(nodeState, resource, event.data), resource, event.data),
      );
      if (graphAction !== undefined) return withResult(next, graphAction.transition, graphAction.id, SERVER, DONE);
      return fencingDevices(state.cib, Date.parse(occurredAt)).some(({ id }) => id === resource) ? withAllFencingForgiven(next) : next;
    }
    case 'HistoryDeleted': {
      const { resource, node, graphAction } = event.data;
      const next = editNode(state, node, (nodeState) => deleteHistory(nodeState, resource, event.data));
      return graphAction === undefined ? next : withResult(next, graphAction.transition, graphAction.id, SERVER, DONE);
    }
    case 'FencingRequested':
      return fencingRequested(state, event.data, occurredAt);
    case 'FencingAllowed':
      return { ...state, fencingAllowed: [...state.fencingAllowed.filter((name) => name !== event.data.node), event.data.node] };
    case 'FencingCompleted':
      return fencingCompleted(state, event.data, occurredAt);
    case 'QuorumChanged':
      return quorumChanged(state, event.data, recorded);
    case 'TicketChanged':
      return { ...state, cib: ticketChanged(state.cib, event.data, occurredAt) };
    case 'TransitionPlanned':
      return planned(state, event.data, version);
    case 'TransitionAborted':
      return state;
    case 'TransitionCompleted': {
      if (state.transition?.number !== event.data.number) return state;
      if (event.data.outcome === 'complete') return without(state, 'transition', 'disturbances');
      const next = without(state, 'transition');
      if (next.recompute !== undefined) return next;
      return { ...next, recompute: { reason: state.transition.abortReason ?? 'transition aborted', version } };
    }
  }
}

const DONE: ActionResult = { status: 'done', rc: 0, ok: true };
const FAILED: ActionResult = { status: 'error', rc: 1, ok: false };

type Optional =
  'transition' | 'disturbances' | 'recompute' | 'recheckBy' | 'firstJoinAt' | 'firstJoinVersion' | 'lastPlanned' | 'quorum' | 'stopping';

function without(state: ClusterState, ...names: readonly Optional[]): ClusterState {
  const copy: { -readonly [Name in keyof ClusterState]: ClusterState[Name] } = { ...state };
  for (const name of names) Reflect.deleteProperty(copy, name);
  return copy;
}

function withProblem(state: ClusterState, version: number, text: string): ClusterState {
  return { ...state, problems: [...state.problems, { version, text }].slice(-PROBLEMS_KEPT) };
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function created(state: ClusterState, data: ClusterCreated['data'], version: number): ClusterState {
  const base: ClusterState = { ...state, existence: 'active', name: data.name };
  try {
    const document = data.cib === '' ? emptyCib() : parseXml(data.cib);
    return { ...base, cib: putOnly(document, element('status')) };
  } catch (thrown) {
    return withProblem({ ...base, cib: emptyCib() }, version, `the CIB of the cluster could not be read: ${messageOf(thrown)}`);
  }
}

/** Whatever the log says of a node may be of yesterday: but for which machines it is, and what keeps others from being hurt, nothing of it is believed before the node was heard of again. */
function epochBegan(state: ClusterState, data: EpochBegan['data'], { occurredAt, version }: RecordedClusterEvent): ClusterState {
  const earlier = new Set([...(state.epoch?.earlier ?? []), data.previous, ...(data.witness === undefined ? [] : [data.witness.epoch])]);
  let cib = state.cib;
  const nodes: Record<string, NodeMember> = {};
  for (const member of Object.values(state.nodes)) {
    const over = member.membership === 'left' || member.membership === 'down' || member.overBefore === true;
    cib = editNodeState(cib, member, (nodeState) => eraseLife(setPresence(nodeState, over ? 'down' : 'unseen')));
    const { id, name, incarnation, leaseMs, agentVersion, bootId, machineId, bootVersion, attempt } = member;
    const { secondBoots, earlierBoots, leftRunning } = member;
    const machine = {
      ...(bootId === undefined ? {} : { bootId }),
      ...(machineId === undefined ? {} : { machineId }),
      ...(bootVersion === undefined ? {} : { bootVersion }),
      ...(secondBoots === undefined ? {} : { secondBoots }),
      ...(earlierBoots === undefined ? {} : { earlierBoots }),
      ...(leftRunning === undefined ? {} : { leftRunning }),
      ...(attempt === undefined ? {} : { attempt }),
    };
    const past = { id, name, incarnation, leaseMs, agentVersion, ...machine, ...doubtOf(member) };
    const unheard: NodeMember = {
      ...past,
      membership: 'unheard',
      since: occurredAt,
      shutdownRequested: false,
      ...(over ? { overBefore: true } : {}),
    };
    // What it left running it may have stopped since; what it may run on with now nobody knows: both stay held until it is known.
    nodes[name] = withLeftRunning(unheard, member.membership === 'joined' ? mayRunUnmanaged(state, name) : []);
  }
  const told = { times: (tellingsOf(state, data.by)?.times ?? 0) + 1, at: occurredAt };
  const tellings = { ...state.epoch?.tellings, ...(data.witness === undefined ? {} : { [data.by]: told }) };
  const epoch = { id: data.epoch, version, since: occurredAt, reason: data.reason, earlier: [...earlier], tellings };
  return without({ ...state, cib, nodes, epoch }, 'firstJoinAt', 'firstJoinVersion');
}

function configured(state: ClusterState, data: ConfigurationChanged['data'], version: number, now: number): ClusterState {
  try {
    const next = withGivenUp({ ...state, cib: applyElementChanges(state.cib, data.changes) }, now);
    return hasFencingFailures(state) && fencingDiffers(state.cib, next.cib, now) ? withAllFencingForgiven(next) : next;
  } catch (thrown) {
    return withProblem(state, version, `the configuration could not be changed: ${messageOf(thrown)}`);
  }
}

/** Edits the `node_state` of a node of which something was heard, or which is configured. */
function editNode(state: ClusterState, name: string, edit: (nodeState: XmlElement, id: string) => XmlElement): ClusterState {
  const id = memberOf(state, name)?.id ?? nodeIdOf(state, name);
  const cib = editNodeState(state.cib, { id, name }, (nodeState) => edit(nodeState, id));
  return cib === state.cib ? state : { ...state, cib };
}

function withMember(state: ClusterState, name: string, changes: Partial<NodeMember>): ClusterState {
  const member = memberOf(state, name);
  return member === undefined ? state : { ...state, nodes: { ...state.nodes, [name]: { ...member, ...changes } } };
}

/** How many second machines are remembered. */
const BOOTS_REMEMBERED = 8;

function joinRefused(
  state: ClusterState,
  { node, bootId, machineId, alongside }: NodeJoinRefused['data'],
  { occurredAt: at, version }: RecordedClusterEvent,
): ClusterState {
  const boots = memberOf(state, node)?.secondBoots ?? [];
  if (alongside === true) {
    const noted = withMember(state, node, { secondBoots: [...boots, bootId].slice(-BOOTS_REMEMBERED) });
    return withEarlierBootHeard(noted, node, bootId);
  }
  return withMember(state, node, { refusedJoin: { bootId, ...(machineId === undefined ? {} : { machineId }), at, version } });
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
  return withGivenUp(leaving(noted, name, mayRunUnmanaged(state, name)), now);
}

/** Where the time decides about fencing nobody knows any more how the judge of the lease saw it: then no margin was given for certain. */
function mayBeLostWithFencing({ cib }: ClusterState, now: number): boolean {
  const reading = readingOf(cib, now);
  return reading.options.flag('fencing-enabled') || !reading.holdsForEver;
}

/** Without fencing, time alone makes lost nodes count as stopped, but for those that were told to keep what they run (`activationHold`). */
function withGivenUp(state: ClusterState, now: number): ClusterState {
  const reading = readingOf(state.cib, now);
  if (reading.options.flag('fencing-enabled') && reading.holdsForEver) return state;
  const lost = Object.values(state.nodes).filter(
    ({ membership, givenUp, onLeaseLoss }) => membership === 'lost' && givenUp === undefined && onLeaseLoss !== 'keep',
  );
  return lost.reduce((next, { name }) => withMember(next, name, { givenUp: true }), state);
}

function managedTold(state: ClusterState, { node, resources }: ManagedTold['data']): ClusterState {
  const known = new Set(resources);
  const spared = Object.entries(memberOf(state, node)?.spared ?? {}).filter(([id]) => !known.has(id));
  return withMember(state, node, { spared: Object.fromEntries(spared) });
}

function joined(state: ClusterState, data: NodeJoined['data'], { occurredAt, version }: RecordedClusterEvent): ClusterState {
  const { node: name, incarnation, leaseMs, agentVersion, bootId, machineId, attempt, actionLimit, localOnLeaseLoss } = data;
  const before = memberOf(state, name);
  const onLeaseLoss = reckonedAtJoin(state, { node: name, bootId, told: localOnLeaseLoss ?? data.onLeaseLoss });
  const id = configuredNodes(state.cib).find((node) => node.name === name)?.id ?? data.nodeId;
  const first = joinedNodes(state).length === 0;
  const known = removeFormerIds(ensureNode(state.cib, { id, name }), { id, name });
  const cib = editNodeState(known, { id, name }, (nodeState) =>
    withEmptyHistory(eraseLife(setPresence(nodeState, 'member')), { id, name }),
  );
  const silent = before === undefined ? undefined : silentSince(state, before);
  const member: NodeMember = {
    id,
    name,
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
    ...(data.unmanaged === undefined ? {} : { spared: Object.fromEntries(data.unmanaged.map((id) => [id, version])) }),
    ...(before?.lastLoss === undefined ? {} : { lastLoss: before.lastLoss }),
    ...(before?.secondBoots === undefined || before.bootId !== bootId ? {} : { secondBoots: before.secondBoots }),
    ...(before === undefined ? {} : leftByAnother(before, bootId, data.restarted === true)),
  };
  const firstJoin = first ? { firstJoinAt: occurredAt, firstJoinVersion: version } : {};
  const present: ClusterState = { ...state, cib, nodes: { ...state.nodes, [name]: member }, ...firstJoin };
  const next = member.unproven === true ? withUnproven(present, member) : present;
  return withFencingForgiven({ ...next, fencingAllowed: next.fencingAllowed.filter((node) => node !== name) }, name);
}

/** Agents that left before it was recorded what runs on there did no better. */
function left(state: ClusterState, { node, active }: NodeLeft['data'], occurredAt: string): ClusterState {
  const resources = active ?? mayRunUnmanaged(state, node);
  return leaving(ended(state, node, 'left', occurredAt), node, resources);
}

/** Of a node that has joined since it is the earlier boot that is over. */
function confirmedDown(state: ClusterState, name: string, occurredAt: string): ClusterState {
  const member = memberOf(state, name);
  if (member?.membership !== 'joined') return ended(state, name, 'down', occurredAt);
  return withProven(state, withNothingLeft(member));
}

function leaving(state: ClusterState, node: string, resources: readonly string[]): ClusterState {
  const member = memberOf(state, node);
  return member === undefined ? state : { ...state, nodes: { ...state.nodes, [node]: withLeftRunning(member, resources) } };
}

/** The node's life is over for certain: nothing that is managed runs there. */
function ended(state: ClusterState, name: string, membership: 'left' | 'down', occurredAt: string): ClusterState {
  const before = memberOf(state, name);
  const member: NodeMember = before ?? {
    id: nodeIdOf(state, name),
    name,
    incarnation: 0,
    membership,
    leaseMs: 0,
    agentVersion: '',
    shutdownRequested: false,
    since: occurredAt,
  };
  const next = editNode(state, name, (nodeState) => eraseLife(setPresence(nodeState, 'down')));
  const rest = membership === 'down' ? withoutEarlierBoots(withNothingLeft(member)) : member;
  return { ...next, nodes: { ...next.nodes, [name]: { ...rest, membership, since: occurredAt, shutdownRequested: false } } };
}

function attributeChanged(
  state: ClusterState,
  data: { readonly node: string; readonly name: string; readonly lifetime: 'forever' | 'reboot' },
  value: string | undefined,
  version: number,
  uniqueIds = false,
): ClusterState {
  if (data.lifetime === 'reboot') {
    const known = nodeStateOf(state.cib, { id: nodeIdOf(state, data.node), name: data.node }) !== undefined;
    if (known) return editNode(state, data.node, (node, id) => setTransientAttribute(node, id, data.name, value));
    return withProblem(state, version, `attribute ${data.name}: ${data.node} never joined`);
  }
  const cib = setPermanentAttribute(state.cib, data.node, data.name, value, uniqueIds);
  if (cib === state.cib && value !== undefined && !hasNode(state, data.node)) {
    return withProblem(state, version, `attribute ${data.name}: the configuration has no node ${data.node}`);
  }
  return { ...state, cib };
}

function hasNode(state: ClusterState, name: string): boolean {
  const nodes = firstChildNamed(configurationOf(state.cib), 'nodes');
  return nodes?.children.some((child) => child.kind === 'element' && child.attributes['uname'] === name) ?? false;
}

function operationRecorded(state: ClusterState, data: OperationRecorded['data'], now: number): ClusterState {
  const key = parseTransitionKey(data.transitionKey);
  const ok = isExpected(data, key?.expectedRc ?? 0);
  let next = withRecentResult(state, data.node, data.resultId);
  if (standingOf(state, data) === 'current') {
    next = editNode(next, data.node, (nodeState, id) => {
      const written = recordOperation(nodeState, data, ok);
      return ok ? written : countFailure(state.cib, written, id, data, now);
    });
  }
  if (!isOfRunning(state, key)) return next;
  return withResult(next, key.transition, key.graphActionId, data.node, { status: data.status, rc: data.rc, ok });
}

/** Notes what `reporter` says of an action of the running transition; another transition is past. */
function withResult(state: ClusterState, transition: number, graphActionId: number, reporter: string, result: ActionResult): ClusterState {
  if (state.transition?.number !== transition) return state;
  return { ...state, transition: withReport(state.transition, graphActionId, reporter, result) };
}

function fencingRequested(state: ClusterState, data: FencingRequested['data'], occurredAt: string): ClusterState {
  const { incarnation: targetIncarnation = 0, bootVersion } = memberOf(state, data.target) ?? {};
  const executorIncarnation = memberOf(state, data.executor)?.incarnation ?? 0;
  const targeted = { targetIncarnation, ...(bootVersion === undefined ? {} : { targetBootVersion: bootVersion }) };
  const pending = { ...data, ...targeted, executorIncarnation };
  const next = { ...state, fencing: { ...state.fencing, [data.fencingId]: pending } };
  const counts = (data.wanted ?? data.action) !== 'on' && !isRequested(state, data.target, Date.parse(occurredAt));
  return counts ? { ...next, fencedAt: { ...state.fencedAt, [data.target]: occurredAt } } : next;
}

function fencingCompleted(state: ClusterState, data: FencingCompleted['data'], occurredAt: string): ClusterState {
  const request = pendingFencing(state, data.fencingId);
  let next = withRecentResult(state, data.executor, data.resultId);
  if (request === undefined || !isOutcomeOf(request, data)) return next;
  const fencing = Object.fromEntries(Object.entries(state.fencing).filter(([id]) => id !== data.fencingId));
  next = { ...next, fencing };
  if (next.transition?.number === request.transition) {
    const outcome = { graphActionId: request.graphActionId, attempt: request.attempt, result: data };
    next = { ...next, transition: { ...next.transition, fencing: [...next.transition.fencing, outcome] } };
  }
  if (isConfirmed(data)) {
    if (hasFenced(state, data)) {
      const unfenced = (request.wanted ?? request.action) === 'on';
      next = unfenced ? withUnfencing(next, request, occurredAt) : ended(next, data.target, 'down', occurredAt);
    }
    return withResult(withFencingForgiven(next, data.target), request.transition, request.graphActionId, SERVER, DONE);
  }
  if (data.exhausted !== true) return next;
  const failure = { count: countedFailures(next, data.target) + 1, at: occurredAt, last: data };
  const failures = { ...next.fencingFailures, [data.target]: failure };
  return withResult({ ...next, fencingFailures: failures }, request.transition, request.graphActionId, SERVER, FAILED);
}

/** A node that was unfenced says so in its attributes (specification 03 §12.6, 07 §9.8). */
function withUnfencing(state: ClusterState, { target, digests }: FencingRequested['data'], occurredAt: string): ClusterState {
  return editNode(state, target, (nodeState, id) => {
    const at = String(Math.floor(Date.parse(occurredAt) / 1000));
    const unfenced = setTransientAttribute(nodeState, id, '#node-unfenced', at);
    if (digests === undefined) return unfenced;
    return setTransientAttribute(setTransientAttribute(unfenced, id, '#digests-all', digests.all), id, '#digests-secure', digests.secure);
  });
}

function withFencingForgiven(state: ClusterState, target: string): ClusterState {
  if (!Object.hasOwn(state.fencingFailures, target)) return state;
  return { ...state, fencingFailures: Object.fromEntries(Object.entries(state.fencingFailures).filter(([name]) => name !== target)) };
}

function hasFencingFailures(state: ClusterState): boolean {
  return Object.keys(state.fencingFailures).length > 0;
}

/** What failed before may succeed now: whoever repaired a fence device need not know which nodes wait for it. */
function withAllFencingForgiven(state: ClusterState): ClusterState {
  return hasFencingFailures(state) ? { ...state, fencingFailures: {} } : state;
}

/** `have-quorum` is what the scheduler reads; `no-quorum-panic` says that quorum was had before (specification 03 §3.1). */
function quorumChanged(state: ClusterState, data: QuorumChanged['data'], { occurredAt, version }: RecordedClusterEvent): ClusterState {
  const everQuorate = data.quorate || (state.quorum?.everQuorate ?? false);
  const panic = everQuorate && !data.quorate ? '1' : undefined;
  const cib = withAttributes(state.cib, { 'have-quorum': data.quorate ? '1' : '0', 'no-quorum-panic': panic });
  const regained = data.quorate && state.quorum?.everQuorate === true && !state.quorum.quorate;
  const before = data.quorate ? state.quorum : undefined;
  const regain = regained ? { regainedAt: occurredAt, regainedVersion: version } : pastRegain(before);
  return { ...state, cib, quorum: { ...data, everQuorate, ...regain } };
}

function pastRegain(quorum: QuorumState | undefined): Pick<QuorumState, 'regainedAt' | 'regainedVersion'> {
  if (quorum?.regainedAt === undefined || quorum.regainedVersion === undefined) return {};
  return { regainedAt: quorum.regainedAt, regainedVersion: quorum.regainedVersion };
}

function ticketChanged(cib: XmlElement, data: TicketChanged['data'], occurredAt: string): XmlElement {
  const status = firstChildNamed(cib, 'status') ?? element('status');
  const tickets = firstChildNamed(status, 'tickets') ?? element('tickets');
  const ticket = childById(tickets, 'ticket_state', data.ticket) ?? element('ticket_state', { id: data.ticket });
  const edited = withAttributes(ticket, {
    ...data.attributes,
    ...(data.granted === undefined ? {} : { granted: String(data.granted) }),
    ...(data.granted === true ? { 'last-granted': String(Math.floor(Date.parse(occurredAt) / 1000)) } : {}),
    ...(data.standby === undefined ? {} : { standby: String(data.standby) }),
  });
  return putOnly(cib, putOnly(status, putById(tickets, edited)));
}

/** A graph without actions is complete at once: no transition runs, and no TransitionCompleted follows. */
function planned(state: ClusterState, data: TransitionPlanned['data'], version: number): ClusterState {
  const { number, inputVersion, now, digest, schedulerVersion, counts, recheckBy } = data;
  const plan = { number, inputVersion, plannedVersion: version, now, digest, schedulerVersion };
  const base: ClusterState = {
    ...without(state, 'transition', 'recompute', 'recheckBy'),
    lastTransitionNumber: Math.max(number, state.lastTransitionNumber),
    lastPlanned: plan,
    ...(hasFencingFailures(state) ? { fencingFailures: waitedUntil(state.fencingFailures, now) } : {}),
    ...(recheckBy === undefined ? {} : { recheckBy }),
    ...(state.recompute !== undefined && state.recompute.version > inputVersion ? { recompute: state.recompute } : {}),
  };
  if (counts.actions + counts.pseudo + counts.fencing === 0) return base;
  return { ...base, transition: { ...plan, status: 'running', results: emptyList(), fencing: [] } };
}
