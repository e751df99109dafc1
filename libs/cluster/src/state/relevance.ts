import { readsNodeAttribute } from '@systole/cib';
import type { ClusterEvent, FencingCompleted, NodeAttributeCleared, NodeAttributeSet, OperationRecorded } from '../events/cluster-event.js';
import { lateArrival } from '../lease/arriving.js';
import { managedAndActive } from '../lease/left-running.js';
import { memberOf, pendingFencing, type ClusterState, type NodeMember, type PendingFencing } from './cluster-state.js';
import { connectionHosts } from '../remote/connection.js';
import { guestsEnded, launchersOn, launcherStoppedBy } from '../remote/guests.js';
import { isClusterMember } from '../remote/remote-nodes.js';
import { writtenPermanentAttribute } from './configuration.js';
import { isDiscovery, isExpected, parseTransitionKey, type TransitionKey } from './history.js';
import { nodeStateOf, transientAttribute, transientAttributes } from './node-state.js';
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

/** Which node life a result belongs to. */
export type ResultStanding =
  /** Of the node's present life, or made by the server: it goes into the history. */
  | 'current'
  /** Of a life that is over (a newer agent joined, or the node was fenced, or the log went back): recorded as a fact, and nothing else. */
  | 'superseded';

export function standingOf(state: ClusterState, data: OperationRecorded['data']): ResultStanding {
  if (!isOfEpoch(state, parseTransitionKey(data.transitionKey))) return 'superseded';
  const member = memberOf(state, data.node);
  const alive = member !== undefined && (member.membership === 'joined' || member.membership === 'lost');
  if (!alive) return 'superseded';
  return data.incarnation === 0 || data.incarnation === member.incarnation ? 'current' : 'superseded';
}

/** Whether a result belongs to the present epoch of the log: what was handed out before it went back may be unknown to it, or known as something else. */
export function isOfEpoch({ epoch }: ClusterState, key: TransitionKey | undefined): boolean {
  return epoch === undefined || key === undefined || key.epoch === epoch.id;
}

/** Whether a key is that of an action of the running transition. */
export function isOfRunning(state: ClusterState, key: TransitionKey | undefined): key is TransitionKey {
  return key !== undefined && key.transition === state.transition?.number && isOfEpoch(state, key);
}

function ofOperation(state: ClusterState, data: OperationRecorded['data']): Relevance {
  const key = parseTransitionKey(data.transitionKey);
  if (standingOf(state, data) === 'superseded') {
    const target = isOfEpoch(state, key) ? lateArrival(state, data, isExpected(data, key?.expectedRc ?? 0)) : undefined;
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

/** Whether the fencing of the target is complete with this. */
export function isConfirmed(data: FencingCompleted['data']): boolean {
  return data.confirmed ?? data.outcome === 'succeeded';
}

/**
 * Whether an outcome is that of the attempt: of its target, from the node that was asked, in the life in which it was asked. What any other
 * says means nothing. The server's own verdicts, and events from before reporters were recorded, name no incarnation. Of a watchdog nobody but the server, which counts, says anything.
 */
export function isOutcomeOf(request: PendingFencing, { target, executor, incarnation }: FencingCompleted['data']): boolean {
  if (request.watchdogMs !== undefined && incarnation !== undefined) return false;
  return (
    target === request.target && executor === request.executor && (incarnation === undefined || incarnation === request.executorIncarnation)
  );
}

/**
 * Whether a confirmed success says that the target is down now (or, with `on`, unfenced): the attempt is known, and no life of the target has begun that may have
 * begun after the device acted. A reboot may be reported after the node is back: that is another boot. One that joined anew as the same boot did so before, as whatever ran under that is over: else a
 * machine that is down would count as joined, and be fenced once more when it is up again. Where the boot is not known, or another one was there in between, it is taken for the later life, of
 * which nothing is known and which is probed; it is lost, and fenced, unless it renews its lease.
 */
export function hasFenced(state: ClusterState, data: FencingCompleted['data']): boolean {
  const request = pendingFencing(state, data.fencingId);
  if (!isConfirmed(data) || request === undefined || !isOutcomeOf(request, data)) return false;
  return isOfTargetedLife(state, request) || ((request.wanted ?? request.action) !== 'on' && isOfTargetedBoot(state, request));
}

function isOfTargetedLife(state: ClusterState, { target, targetIncarnation }: PendingFencing): boolean {
  return targetIncarnation === (memberOf(state, target)?.incarnation ?? 0);
}

function isOfTargetedBoot(state: ClusterState, { target, targetBootVersion }: PendingFencing): boolean {
  return targetBootVersion !== undefined && targetBootVersion === memberOf(state, target)?.bootVersion;
}

/** Judges an event by the state before it. `evolve` acts on it; the api and the worker may use it to explain. */
export function relevance(state: ClusterState, event: ClusterEvent): Relevance {
  const itself = ofItself(state, event);
  return itself.effect === 'abort' ? itself : (ofEndedGuests(state, event) ?? itself);
}

/**
 * A guest that ends as it was planned to takes its transient attributes with it, and the plan was made by them: it would have what is begun anew promoted by the score of what is gone, an empty database before one
 * that runs and has the data.
 */
function ofEndedGuests(state: ClusterState, event: ClusterEvent): Relevance | undefined {
  const guest = guestsEndedIn(state, event).find((member) => {
    const nodeState = nodeStateOf(state.cib, member);
    return nodeState !== undefined && transientAttributes(nodeState).some(({ name }) => readsNodeAttribute(state.cib, name));
  });
  return guest === undefined ? undefined : abort(`${guest.name} ended, and its attributes with it`);
}

/** Of what is planned. Whatever else ends guests has a plan made anew by itself. */
function guestsEndedIn(state: ClusterState, event: ClusterEvent): readonly NodeMember[] {
  if (event.type === 'FencingCompleted') {
    const { target } = event.data;
    return hasFenced(state, event.data) ? guestsEnded(state, launchersOn(state, target), target) : [];
  }
  const launcher = launcherStoppedBy(state, event);
  if (launcher === undefined || event.type !== 'OperationRecorded' || standingOf(state, event.data) === 'superseded') return [];
  return guestsEnded(state, [launcher], event.data.node);
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
      const { node, name } = event.data;
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

/** Whether an event about a node's life speaks of its present one. */
export function isPresentLife(state: ClusterState, data: { readonly node: string; readonly incarnation: number }): boolean {
  const member = memberOf(state, data.node);
  return member?.incarnation === data.incarnation && (member.membership === 'joined' || member.membership === 'lost');
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
