import { readsNodeAttribute } from '@systole/cib';
import { isOfBefore } from '../epoch/attributes-of-before.js';
import type { ClusterEvent, FencingCompleted, NodeAttributeCleared, NodeAttributeSet, OperationRecorded } from '../events/cluster-event.js';
import { lateArrival } from '../lease/arriving.js';
import { unansweredMigrations } from '../lease/unanswered-migrations.js';
import { managedAndActive } from '../lease/left-running.js';
import { memberOf, pendingFencing, type ClusterState } from './cluster-state.js';
import { connectionHosts } from '../remote/connection.js';
import { isClusterMember } from '../remote/remote-nodes.js';
import { writtenPermanentAttribute } from './configuration.js';
import { guestsEndedBy, sourcesOver } from './ended-life.js';
import { isDiscovery, isExpected, parseTransitionKey } from './history.js';
import { nodeStateOf, transientAttribute, transientAttributes } from './node-state.js';
import { hasFenced, isOfRunning, isOfTargetedLife, isOutcomeOf, isPresentLife, standingOf } from './present-life.js';
import { isReported } from './transition-results.js';

/**
 * What an event means for planning.
 * - `none`: the newest plan still holds.
 * - `recompute`: plan again, but a running transition may finish first.
 * - `abort`: a running transition is obsolete: hand out nothing more, and plan again when what is in flight has ended.
 */
export interface Relevance {
  readonly effect: 'none' | 'recompute' | 'abort';
  /** For people; empty with `none`. */
  readonly reason: string;
  /** With `abort`: all that has come to light is what a probe of the running transition has discovered (`isDiscovery`), as it was to. */
  readonly discovered?: true;
}

const NONE: Relevance = { effect: 'none', reason: '' };
const abort = (reason: string): Relevance => ({ effect: 'abort', reason });
const recompute = (reason: string): Relevance => ({ effect: 'recompute', reason });

function ofOperation(state: ClusterState, data: OperationRecorded['data']): Relevance {
  const key = parseTransitionKey(data.transitionKey);
  if (standingOf(state, data) === 'superseded') {
    const target = lateArrival(state, data, isExpected(data, key?.expectedRc ?? 0));
    return target === undefined ? NONE : abort(`${data.resource} may have been migrated to ${target}`);
  }
  const expected = isExpected(data, key?.expectedRc ?? 0);
  const what = `${data.operation} of ${data.resource} on ${data.node}`;
  const { transition } = state;
  const ours = isOfRunning(state, key);
  // By anybody: where two nodes speak of one action, one of them says what the plan knows nothing of.
  const answered = ours && transition !== undefined && isReported(transition, key.graphActionId);
  if (!expected) {
    const unexpected = abort(`${what}: ${data.status === 'done' ? `rc ${String(data.rc)}` : data.status}`);
    return ours && !answered && isDiscovery(data, key.expectedRc) ? { ...unexpected, discovered: true } : unexpected;
  }
  if (data.operation === 'notify' || data.operation === 'cancel' || data.status === 'cancelled') return NONE;
  if (ours && !answered) return ofConnectionStop(state, data);
  return abort(`${what} was reported outside the current transition`);
}

/**
 * That the connection to a remote node was stopped tells more than that what was planned is done, where resources were left active there (its agent was lost): as long as it was to be stopped the scheduler read their
 * histories, and could only wait with them; without fencing it does not read them any more (specification 03 §4.2), and starts them elsewhere. Nothing else may happen that asks for that plan.
 */
function ofConnectionStop(state: ClusterState, { operation, resource, node }: OperationRecorded['data']): Relevance {
  const remote = operation === 'stop' ? memberOf(state, resource) : undefined;
  if (remote === undefined || isClusterMember(remote)) return NONE;
  return managedAndActive(state, resource).length === 0 ? NONE : recompute(`the connection of ${resource} was stopped on ${node}`);
}

function ofFencing(state: ClusterState, data: FencingCompleted['data']): Relevance {
  const request = pendingFencing(state, data.fencingId);
  if (hasFenced(state, data)) {
    // What joined since the request it ends as well, of which the plan knows nothing.
    const expected = request !== undefined && isOwn(state, request.transition) && isOfTargetedLife(state, request);
    return expected ? NONE : abort(`${data.target} was fenced`);
  }
  if (request !== undefined && !isOutcomeOf(request, data)) return NONE;
  return data.exhausted === true ? abort(`fencing of ${data.target} failed`) : NONE;
}

/** Judges an event by the state before it. `evolve` acts on it; the api and the worker may use it to explain. */
export function relevance(state: ClusterState, event: ClusterEvent): Relevance {
  const itself = ofItself(state, event);
  return itself.effect === 'abort' ? itself : (ofEndedGuests(state, event) ?? ofSentAway(state, event) ?? itself);
}

/**
 * A guest that ends as it was planned to takes its transient attributes with it, and the plan was made by them: it would have what is begun anew promoted by the score of what is gone, an empty database before one
 * that runs and has the data.
 */
function ofEndedGuests(state: ClusterState, event: ClusterEvent): Relevance | undefined {
  // Whatever else ends guests has a plan made anew by itself.
  if (event.type !== 'FencingCompleted' && event.type !== 'OperationRecorded') return undefined;
  const guest = guestsEndedBy(state, event).find((member) => {
    const nodeState = nodeStateOf(state.cib, member);
    return nodeState !== undefined && transientAttributes(nodeState).some(({ name }) => readsNodeAttribute(state.cib, name));
  });
  return guest === undefined ? undefined : abort(`${guest.name} ended, and its attributes with it`);
}

/** Where a migration has brought a resource is not known, and the plan was made as if it were nowhere. */
function ofSentAway(state: ClusterState, event: ClusterEvent): Relevance | undefined {
  const sent = sourcesOver(state, event).flatMap((source) => unansweredMigrations(state, source));
  const [first] = sent;
  return first === undefined ? undefined : abort(`${first.resource} may have been migrated to ${first.target}`);
}

function ofItself(state: ClusterState, event: ClusterEvent): Relevance {
  switch (event.type) {
    case 'ClusterCreated':
      return abort('cluster created');
    case 'ClusterStopping':
      return abort('everything is to be stopped');
    case 'ClusterStopCancelled':
      return recompute('the deletion was called off');
    case 'EpochBegan':
      return abort(`the event log went back in time: ${event.data.reason}`);
    case 'ConfigurationChanged':
      return event.data.changes.length === 0 ? NONE : abort('configuration changed');
    case 'NodeJoined': {
      const { node, kind } = event.data;
      // Nothing is planned on a remote node yet whose connection is not up: a transition may be waiting for just this.
      return kind === undefined || connectionHosts(state, node).length > 0 ? abort(`${node} joined`) : recompute(`${node} joined`);
    }
    case 'NodeLeaseLost':
      return isPresentLife(state, event.data) ? abort(`lease of ${event.data.node} ran out`) : NONE;
    case 'NodeLeft': {
      if (!isPresentLife(state, event.data)) return NONE;
      const reason = `${event.data.node} left`;
      return memberOf(state, event.data.node)?.shutdownRequested === true ? recompute(reason) : abort(reason);
    }
    case 'NodeShutdownRequested':
      return isPresentLife(state, event.data) ? abort(`shutdown of ${event.data.node} requested`) : NONE;
    case 'NodeConfirmedDown':
      return abort(`${event.data.node} confirmed down`);
    case 'NodeAttributeSet':
    case 'NodeAttributeCleared': {
      const { node, name, lifetime } = event.data;
      // Promotions wait for that, whatever reads it (`promotionHold`).
      if (lifetime === 'forever' && isOfBefore(state, event.data)) return abort(`attribute ${name} of ${node} is known again`);
      return readsNodeAttribute(state.cib, name) && changesAttribute(state, event) ? abort(`attribute ${name} of ${node} changed`) : NONE;
    }
    case 'OperationRecorded':
      return ofOperation(state, event.data);
    case 'FailuresCleared': {
      const reason = `failures of ${event.data.resource} on ${event.data.node} cleared`;
      return isOwn(state, event.data.graphAction?.transition) ? recompute(reason) : abort(reason);
    }
    case 'HistoryDeleted':
      return isOwn(state, event.data.graphAction?.transition)
        ? NONE
        : abort(`history of ${event.data.resource} on ${event.data.node} deleted`);
    case 'FencingCompleted':
      return ofFencing(state, event.data);
    case 'QuorumChanged':
      return state.quorum?.quorate === event.data.quorate ? NONE : abort(event.data.quorate ? 'quorum gained' : 'quorum lost');
    case 'TicketChanged':
      return abort(`ticket ${event.data.ticket} changed`);
    case 'TransitionAborted':
      return state.transition?.number === event.data.number ? abort(event.data.reason) : NONE;
    case 'ClusterDeleted':
    case 'SecretErased':
    case 'LeaseLossPolicyTold':
    case 'WatchdogTold':
    case 'ManagedTold':
    case 'NodeTroublesTold':
    case 'AlertFailed':
    case 'AlertRecovered':
    case 'NodeJoinRefused':
    case 'FalseWitnessShown':
    case 'ResultsDropped':
    case 'DebugOperationRequested':
    case 'DebugOperationEnded':
    case 'FencingAllowed':
    case 'FencingHistoryCleared':
    case 'FencingRequested':
    case 'TransitionPlanned':
    case 'NodeAttributeHeld':
    case 'AttributeDelaySet':
      return NONE;
    case 'TransitionCompleted':
      return state.stopping === undefined ? NONE : recompute('everything is being stopped');
  }
}

/** The stream version from which on nothing came that a plan depends on: what was planned from a state since then is the plan of the present one (S3). */
export function relevantSince({ recompute, lastPlanned }: ClusterState): number {
  return Math.max(recompute?.version ?? 0, lastPlanned?.plannedVersion ?? 0);
}

function isOwn(state: ClusterState, transition: number | undefined): boolean {
  return transition !== undefined && transition === state.transition?.number;
}

/** Whether what is written of a node attribute is another value after the event. */
export function changesAttribute(state: ClusterState, { type, data }: NodeAttributeSet | NodeAttributeCleared): boolean {
  return writtenAttribute(state, data) !== (type === 'NodeAttributeSet' ? data.value : undefined);
}

/** What is written of a node attribute where an event of that lifetime writes it; whether that is in force is another question. */
function writtenAttribute(
  state: ClusterState,
  of: { readonly node: string; readonly name: string; readonly lifetime: 'forever' | 'reboot' },
): string | undefined {
  if (of.lifetime === 'forever') return writtenPermanentAttribute(state.cib, of.node, of.name);
  const member = memberOf(state, of.node);
  return transientAttribute(member === undefined ? undefined : nodeStateOf(state.cib, member), of.name);
}
