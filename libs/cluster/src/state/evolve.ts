import type { RecordedClusterEvent } from '../events/cluster-event.js';
import { readableEvent } from '../events/readable-event.js';
import { fencingDevices } from '../fencing/device.js';
import { withFencingForgotten } from '../fencing/fencing-limit.js';
import { withDoubtsJudged } from '../lease/doubtful-boots.js';
import { withSpared } from '../lease/spared.js';
import type { ClusterState, TransitionState } from './cluster-state.js';
import { configurationOf } from './configuration.js';
import { reporterOf } from './disturbance.js';
import { attributeChanged } from './events/attribute-events.js';
import { created } from './events/cluster-events.js';
import { configured } from './events/configuration-events.js';
import { epochBegan } from './events/epoch-events.js';
import { fencingCompleted, fencingRequested } from './events/fencing-events.js';
import { withAllFencingForgiven } from './events/fencing-forgiven.js';
import { DONE, withResult } from './events/graph-results.js';
import { operationRecorded } from './events/history-events.js';
import { confirmedDown, joined, joinRefused, leaseLost, left, managedTold } from './events/membership-events.js';
import { quorumChanged } from './events/quorum-events.js';
import { ticketChanged } from './events/ticket-events.js';
import { planned } from './events/transition-events.js';
import { clearFailCounts } from './fail-counts.js';
import { deleteHistory, forgetLastFailure } from './history.js';
import { editNode, withMember } from './members.js';
import { setTransientAttribute } from './node-state.js';
import { withProblem } from './problems.js';
import { isPresentLife, relevance, type Relevance } from './relevance.js';
import { SERVER } from './transition-results.js';
import { without } from './without.js';

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
