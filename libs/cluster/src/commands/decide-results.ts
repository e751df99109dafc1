import type { ClusterEvent, FencingCompleted } from '../events/cluster-event.js';
import { judgeAttempt } from '../fencing/fencing-step.js';
import { memberOf, pendingFencing, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { isRecorded, parseTransitionKey } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { isOutcomeOf, standingOf } from '../state/relevance.js';
import { resultFrom } from '../state/transition-results.js';
import type { CompleteFencing, Decision, RecordResults, RecordUnanswered, ReportedResult } from './cluster-command.js';
import { accept, reject } from './rejection.js';

/**
 * Results become events whatever their age. Left out are those recorded already: an agent sends a result until it is acknowledged, so the
 * api acknowledges every id that it was sent once the events are stored.
 */
export function recordResults(command: RecordResults, state: ClusterState): Decision {
  const { node, incarnation } = command;
  const member = memberOf(state, node);
  if (member === undefined) return reject(state, 'node-not-found', `${node} never joined this cluster: join first`, { pointer: '/node' });
  if (!Number.isInteger(incarnation) || incarnation < 1 || incarnation > member.incarnation) {
    return reject(state, 'invalid-argument', `${node} never had incarnation ${String(incarnation)}`, { pointer: '/incarnation' });
  }
  const seen = new Set(member.recentResults);
  const events: ClusterEvent[] = [];
  for (const result of command.results) {
    if (seen.has(result.resultId)) continue;
    seen.add(result.resultId);
    const event =
      result.fence === undefined ? operationEvent(command, result, state, member) : fencingEvent(command, result, result.fence, state);
    if (event !== undefined) events.push(event);
  }
  return accept(...events);
}

function operationEvent(
  { node, incarnation }: RecordResults,
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
    lastRcChange: result.startedAt,
    execMs: result.execMs,
    queueMs: result.queueMs,
    late: false,
    ...(output === undefined ? {} : { output }),
  };
  if (isRecorded(nodeStateOf(state.cib, member), data)) return undefined;
  const transition = parseTransitionKey(result.transitionKey)?.transition;
  const old = !result.recurring && transition !== state.transition?.number;
  return { type: 'OperationRecorded', data: { ...data, late: old || standingOf(state, data) === 'superseded' } };
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
    ...(detail === undefined ? {} : { detail }),
  });
}

/** Adds to an attempt's outcome what it means for the whole: nothing when it isn't open any more, or when another node made it. */
function fencingCompleted(state: ClusterState, data: FencingCompleted['data']): ClusterEvent {
  const request = pendingFencing(state, data.fencingId);
  const known = request !== undefined && isOutcomeOf(request, data);
  const verdict = known ? judgeAttempt(state, request, data) : { confirmed: false, exhausted: false };
  return { type: 'FencingCompleted', data: { ...data, ...verdict } };
}

export function completeFencing(command: CompleteFencing, state: ClusterState): Decision {
  const { result } = command;
  return pendingFencing(state, result.fencingId) === undefined ? accept() : accept(fencingCompleted(state, result));
}

/** Return code of what was never answered: unknown error. */
const RC_UNKNOWN_ERROR = 1;

/** Actions that were answered meanwhile, and those on nodes that are gone, are left out. */
export function recordUnanswered(command: RecordUnanswered, state: ClusterState): Decision {
  const events = command.actions.flatMap((action): ClusterEvent[] => {
    const key = parseTransitionKey(action.transitionKey);
    const { transition } = state;
    const ours = key !== undefined && transition?.number === key.transition;
    const answered = ours && resultFrom(transition, key.graphActionId, action.node) !== undefined;
    if (answered || memberOf(state, action.node)?.membership !== 'joined') return [];
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
          status: 'timeout',
          rc: RC_UNKNOWN_ERROR,
          exitReason: 'the agent did not answer in time',
          callId: 0,
          transitionKey: action.transitionKey,
          actionId: action.actionId,
          ...(digests === undefined ? {} : { digests }),
          ...(migrateSource === undefined ? {} : { migrateSource }),
          ...(migrateTarget === undefined ? {} : { migrateTarget }),
          lastRcChange: action.at,
          execMs: action.execMs,
          queueMs: 0,
          late: false,
        },
      },
    ];
  });
  return accept(...events);
}
