import type { FencingCompleted, OperationRecorded } from '../events/cluster-event.js';
import { memberOf, pendingFencing, type ClusterState, type PendingFencing } from './cluster-state.js';
import { parseTransitionKey, type TransitionKey } from './history.js';

/** Whether what is told of a node, and of its operations and its fencing, is of its present life. */

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

/** Whether an event about a node's life speaks of its present one. */
export function isPresentLife(state: ClusterState, data: { readonly node: string; readonly incarnation: number }): boolean {
  const member = memberOf(state, data.node);
  return member?.incarnation === data.incarnation && (member.membership === 'joined' || member.membership === 'lost');
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

/** Whether no life of the target has begun since the attempt was requested. */
export function isOfTargetedLife(state: ClusterState, { target, targetIncarnation }: PendingFencing): boolean {
  return targetIncarnation === (memberOf(state, target)?.incarnation ?? 0);
}

function isOfTargetedBoot(state: ClusterState, { target, targetBootVersion }: PendingFencing): boolean {
  return targetBootVersion !== undefined && targetBootVersion === memberOf(state, target)?.bootVersion;
}
