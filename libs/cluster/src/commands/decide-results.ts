import { childElements, type XmlElement } from '@systole/cib';
import type { ClusterEvent, FencingCompleted, OperationRecorded } from '../events/cluster-event.js';
import { debugIdOf, debuggingOn } from '../debugging/debug-action.js';
import { judgeAttempt } from '../fencing/fencing-step.js';
import { countingOf } from '../fencing/watchdog.js';
import { connectionFailures } from '../remote/connection.js';
import { isClusterMember } from '../remote/remote-nodes.js';
import { isRunnableOn } from '../remote/runnable.js';
import { memberOf, pendingFencing, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { remoteNodeNamed } from '../state/configuration.js';
import { isConfiguredHistory } from '../state/configured-history.js';
import { historyOf, isRecorded, parseTransitionKey } from '../state/history.js';
import { nodeStateOf, transientAttribute } from '../state/node-state.js';
import { livesEndedBy } from '../state/ended-life.js';
import { planTime } from '../state/plan-time.js';
import { isRecentResult } from '../state/recent-results.js';
import { isOfRunning, isOutcomeOf, isPresentLife, standingOf } from '../state/present-life.js';
import { lockOf } from '../state/shutdown-locks.js';
import { resultFrom } from '../state/transition-results.js';
import type { RecordResults, ReportedResult } from './agent-command.js';
import type { Decision } from './decision.js';
import { beganAt, notBeforeOthers } from './result-date.js';
import type { CompleteFencing, RecordConnections, RecordUnanswered, UnansweredAction } from './worker-command.js';
import { changesState } from './decide-debug-operations.js';
import { accept, reject } from './rejection.js';

/**
 * Results become events whatever their age, those of a life, too, that the log has lost with its tail: nothing follows from them (`standingOf`). Left out are those recorded already: an agent sends a result until it is acknowledged, so the
 * api acknowledges every id that it was sent once the events are stored.
 */
export function recordResults(command: RecordResults, state: ClusterState): Decision {
  const { node, incarnation } = command;
  const member = memberOf(state, node);
  if (member === undefined) return reject(state, 'node-not-found', `${node} never joined this cluster: join first`, { pointer: '/node' });
  if (!Number.isInteger(incarnation) || incarnation < 1) {
    return reject(state, 'invalid-argument', `${String(incarnation)} is no incarnation: it is a whole number from 1 on`, {
      pointer: '/incarnation',
    });
  }
  const seen = new Set<string>();
  const dropped = new Map(droppedResults(command, state).map(({ resultId, resource }) => [resultId, resource]));
  const events: ClusterEvent[] = [];
  for (const result of command.results) {
    if (seen.has(result.resultId) || isRecentResult(state, node, result.resultId)) continue;
    seen.add(result.resultId);
    if (dropped.has(result.resultId)) continue;
    const debugId = debugIdOf(result.actionId);
    if (debugId !== undefined) {
      events.push(...debugEvents(command, result, debugId, state));
      continue;
    }
    if (result.fence !== undefined) events.push(...withConnectionFailed(fencingEvent(command, result, result.fence, state), state));
    const event = result.fence === undefined ? operationEvent(command, result, state, member) : undefined;
    if (event !== undefined) events.push(event);
  }
  if (dropped.size > 0) {
    const resources = [...new Set(dropped.values())].slice(0, RESOURCES_NAMED);
    events.push({ type: 'ResultsDropped', data: { node, incarnation, count: dropped.size, resources } });
  }
  return accept(...events);
}

const RESOURCES_NAMED = 5;
/** Most entries of one resource in a node's history for which it is not asked whether they were handed out. */
const MOST_ENTRIES = 100;

/**
 * Why a result is not recorded: of a resource that is neither configured nor in the node's history, or a connection, or that can not run on a node of that kind; or of more operations of one resource than there can be.
 */
export type DropReason = 'not-asked-for' | 'too-many-operations';

export interface DroppedResult {
  readonly resultId: string;
  /** History id. */
  readonly resource: string;
  readonly reason: DropReason;
}

/** The results that the command does not record, because nobody asked the node for them. Each id once. */
export function droppedResults(
  { node, results, handedOut }: Pick<RecordResults, 'node' | 'results' | 'handedOut'>,
  state: ClusterState,
): readonly DroppedResult[] {
  const doubts = doubtsAbout(state, node, results);
  const dropped = new Map<string, DroppedResult>();
  for (const { resultId, actionId, resource } of results) {
    const reason = doubts.get(resultId);
    if (reason === undefined || handedOut?.has(actionId) === true || isRecentResult(state, node, resultId)) continue;
    if (!dropped.has(resultId)) dropped.set(resultId, { resultId, resource: resource.historyId, reason });
  }
  return [...dropped.values()];
}

/**
 * The results that are only believed when they were handed out to the node: of resources that are neither configured nor in its history, or can not run there (`isRunnableOn`), of connections (which never are), of fencing
 * by nodes that do none, and of ever more operations of one resource. Whoever records results asks for them first.
 */
export function doubtfulResults(state: ClusterState, node: string, results: readonly ReportedResult[]): readonly ReportedResult[] {
  const doubts = doubtsAbout(state, node, results);
  return results.filter(({ resultId }) => doubts.has(resultId));
}

/** By the result's id. */
function doubtsAbout(state: ClusterState, node: string, results: readonly ReportedResult[]): ReadonlyMap<string, DropReason> {
  const member = memberOf(state, node);
  const nodeState = member && nodeStateOf(state.cib, member);
  const entries = new Map<string, Set<string>>();
  const doubts = new Map<string, DropReason>();
  for (const { resultId, actionId, fence, resource, operation, intervalMs } of results) {
    if (fence !== undefined) {
      if (member !== undefined && !isClusterMember(member)) doubts.set(resultId, 'not-asked-for');
      continue;
    }
    const { historyId } = resource;
    // What a person had tried makes nothing active in the log.
    if (debugIdOf(actionId) === undefined && !isRunnableOn(state, node, historyId)) {
      doubts.set(resultId, 'not-asked-for');
      continue;
    }
    const history = historyOf(nodeState, historyId);
    // Of connections the server says itself how they are: a remote node that lied about another one's would have all stopped that runs there.
    if (remoteNodeNamed(state.cib, historyId) !== undefined || (history === undefined && !isConfiguredHistory(state, historyId))) {
      doubts.set(resultId, 'not-asked-for');
      continue;
    }
    const known = entries.get(historyId) ?? new Set((history === undefined ? [] : childElements(history)).map(keyOf));
    entries.set(historyId, known);
    const key = `${operation} ${String(intervalMs)}`;
    if (known.has(key)) continue;
    if (known.size >= MOST_ENTRIES) doubts.set(resultId, 'too-many-operations');
    else known.add(key);
  }
  return doubts;
}

function keyOf({ attributes }: XmlElement): string {
  return `${attributes['operation'] ?? ''} ${attributes['interval'] ?? ''}`;
}

function operationEvent(
  { node, incarnation, received }: RecordResults,
  result: ReportedResult,
  state: ClusterState,
  member: NodeMember,
): ClusterEvent | undefined {
  const { resource, exitReason, digests, migrateSource, migrateTarget, output } = result;
  const data = {
    node,
    incarnation,
    resource: resource.historyId,
    class: resource.class,
    ...(resource.provider === undefined ? {} : { provider: resource.provider }),
    agentType: resource.type,
    operation: result.operation,
    intervalMs: result.intervalMs,
    status: result.status,
    rc: result.rc,
    ...(exitReason === undefined ? {} : { exitReason }),
    callId: result.callId,
    transitionKey: result.transitionKey,
    actionId: result.actionId,
    resultId: result.resultId,
    ...(digests === undefined ? {} : { digests }),
    ...(migrateSource === undefined ? {} : { migrateSource }),
    ...(migrateTarget === undefined ? {} : { migrateTarget }),
    lastRcChange: beganAt(result, received, state),
    startedAt: result.startedAt,
    execMs: result.execMs,
    queueMs: result.queueMs,
    late: false,
    ...(output === undefined ? {} : { output }),
  };
  if (isRecorded(nodeStateOf(state.cib, member), data)) return undefined;
  const old = !result.recurring && !isOfRunning(state, parseTransitionKey(result.transitionKey));
  const standing = standingOf(state, data);
  const shutdownLock = standing === 'current' ? lockOf(state, data) : undefined;
  const late = old || standing === 'superseded';
  return { type: 'OperationRecorded', data: { ...data, ...(shutdownLock === undefined ? {} : { shutdownLock }), late } };
}

function fencingEvent(
  { node: executor, incarnation }: RecordResults,
  result: ReportedResult,
  fence: NonNullable<ReportedResult['fence']>,
  state: ClusterState,
): ClusterEvent {
  const outcome = result.status === 'done' && result.rc === 0 ? 'succeeded' : result.status === 'timeout' ? 'timeout' : 'failed';
  const detail = result.exitReason ?? result.output;
  return fencingCompleted(state, {
    fencingId: fence.fencingId,
    target: fence.target,
    action: fence.action,
    device: fence.deviceId,
    executor,
    incarnation,
    outcome,
    resultId: result.resultId,
    ...(result.status === 'not-supported' ? { unable: true as const } : {}),
    ...(detail === undefined ? {} : { detail }),
  });
}

/** What a person had tried. Where it may have changed anything, what was known of the resource there is forgotten, so that it is probed. */
function debugEvents(
  { node, incarnation }: RecordResults,
  { resource, operation, status, rc, exitReason, output, execMs, queueMs, resultId }: ReportedResult,
  debugId: string,
  state: ClusterState,
): readonly ClusterEvent[] {
  const isAwaited = debuggingOn(state, node).some((pending) => pending.debugId === debugId && pending.incarnation === incarnation);
  const ended: ClusterEvent = {
    type: 'DebugOperationEnded',
    data: {
      ...{ debugId, node, incarnation, resource: resource.historyId, operation, status, rc, execMs, queueMs, resultId },
      ...(exitReason === undefined ? {} : { exitReason }),
      ...(output === undefined ? {} : { output }),
      ...(isAwaited ? {} : { late: true as const }),
    },
  };
  const isPresent = isPresentLife(state, { node, incarnation });
  if (!changesState(operation) || !isPresent) return [ended];
  return [ended, { type: 'HistoryDeleted', data: { resource: resource.historyId, node } }];
}

/** Adds to an attempt's outcome what it means for the whole: nothing when it isn't open any more, or when another node made it. */
function fencingCompleted(state: ClusterState, data: FencingCompleted['data']): ClusterEvent {
  const request = pendingFencing(state, data.fencingId);
  const known = request !== undefined && isOutcomeOf(request, data);
  const verdict = known ? judgeAttempt(state, request, data) : ({ confirmed: false, exhausted: false, unasked: true } as const);
  return { type: 'FencingCompleted', data: { ...data, ...verdict } };
}

export function completeFencing(command: CompleteFencing, state: ClusterState): Decision {
  const { result } = command;
  const request = pendingFencing(state, result.fencingId);
  if (request === undefined) return accept();
  // Whoever counted must have counted of this very loss: nothing else says that the watchdog has reset it.
  if (request.watchdogMs !== undefined && result.outcome === 'succeeded' && countingOf(state, request).type !== 'since-lost')
    return reject(state, 'stale-decision', `nothing says that the watchdog of ${request.target} has reset it`);
  return accept(...withConnectionFailed(fencingCompleted(state, result), state));
}

/**
 * A remote node that is fenced while it holds its lease (a stop failed there) loses none any more, by which its connection would fail: it counted as up, and what is to run there would wait for a node that is down.
 */
function withConnectionFailed(event: ClusterEvent, state: ClusterState): readonly ClusterEvent[] {
  if (event.type !== 'FencingCompleted') return [event];
  const { target } = event.data;
  const member = memberOf(state, target);
  if (member?.membership !== 'joined' || isClusterMember(member) || !livesEndedBy(state, event).includes(member)) return [event];
  return [event, ...connectionFailures(state, target, planTime(state), `${target} was fenced`)];
}

/** Return code of what was never answered: unknown error. */
const RC_UNKNOWN_ERROR = 1;

/** Actions that were answered meanwhile, and those on nodes that are gone, are left out. */
export function recordUnanswered(command: RecordUnanswered, state: ClusterState): Decision {
  const outcome = { status: 'timeout', rc: RC_UNKNOWN_ERROR, exitReason: 'the agent did not answer in time' } as const;
  return accept(...command.actions.flatMap((action) => byServer(state, action, outcome)));
}

/** Connections: what was answered meanwhile, and what was to happen on a node that is gone, is left out. */
export function recordConnections(command: RecordConnections, state: ClusterState): Decision {
  return accept(
    ...command.actions.flatMap((action) => {
      const recorded = byServer(state, action, action);
      return recorded.length === 0 ? recorded : [...recorded, ...shutdownAfter(action, state)];
    }),
  );
}

/** That a node asked to shut down before its connection was up, who plans is told when it is: the cluster can stop what runs there now. */
function shutdownAfter(
  { resource, operation, status, rc, at }: RecordConnections['actions'][number],
  state: ClusterState,
): readonly ClusterEvent[] {
  const node = resource.historyId;
  const isUp = (operation === 'start' || operation === 'migrate_from') && status === 'done' && rc === 0;
  const member = isUp ? memberOf(state, node) : undefined;
  if (member?.shutdownRequested !== true || transientAttribute(nodeStateOf(state.cib, member), 'shutdown') !== undefined) return [];
  return [{ type: 'NodeAttributeSet', data: { node, name: 'shutdown', value: String(at), lifetime: 'reboot' } }];
}

/** A result that the server says itself; nothing where somebody has said one before it, or the node is gone. */
function byServer(
  state: ClusterState,
  action: UnansweredAction,
  { status, rc, exitReason }: Pick<OperationRecorded['data'], 'status' | 'rc' | 'exitReason'>,
): readonly ClusterEvent[] {
  const key = parseTransitionKey(action.transitionKey);
  const { transition } = state;
  const answered = isOfRunning(state, key) && transition && resultFrom(transition, key.graphActionId, action.node) !== undefined;
  if (answered === true || memberOf(state, action.node)?.membership !== 'joined') return [];
  const { resource, digests, migrateSource, migrateTarget } = action;
  return [
    {
      type: 'OperationRecorded',
      data: {
        node: action.node,
        incarnation: 0,
        resource: resource.historyId,
        class: resource.class,
        ...(resource.provider === undefined ? {} : { provider: resource.provider }),
        agentType: resource.type,
        operation: action.operation,
        intervalMs: action.intervalMs,
        status,
        rc,
        ...(exitReason === undefined ? {} : { exitReason }),
        callId: 0,
        transitionKey: action.transitionKey,
        actionId: action.actionId,
        ...(digests === undefined ? {} : { digests }),
        ...(migrateSource === undefined ? {} : { migrateSource }),
        ...(migrateTarget === undefined ? {} : { migrateTarget }),
        lastRcChange: notBeforeOthers(state, resource.historyId, action.at),
        execMs: action.execMs,
        queueMs: 0,
        late: false,
      },
    },
  ];
}
