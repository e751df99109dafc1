import {
  correlationCarried,
  epochOf,
  fenceActionId,
  isExpected,
  isPerson,
  parseTransitionKey,
  type ClusterEvent,
  type ClusterState,
} from '@systole/cluster';
import type { AppendMeta } from '../ports/cluster-log.js';
import type { DispatchTimes, EndedSpan, SpanAttributes } from '../ports/spans.js';

/** What all that follows from a request or a report is a part of. */
export const BEGINNING = 'beginning';

/** What one command appended. */
export interface StoredAppend {
  readonly clusterId: string;
  /** The state that it was decided on. */
  readonly judged: ClusterState;
  readonly events: readonly ClusterEvent[];
  readonly meta: Pick<AppendMeta, 'actor' | 'correlationId'>;
  /** It goes on with something that had begun, and has the correlation id of that. */
  readonly goesOn: boolean;
  /** ISO 8601, by the clock of the database. */
  readonly occurredAt: string;
}

type EventOf<T extends ClusterEvent['type']> = Extract<ClusterEvent, { readonly type: T }>;

/** What an event ends. */
interface EndedAction {
  /** By which it was handed out to an agent. */
  readonly dispatchId: string;
  readonly transition: number;
  readonly name: string;
  readonly failed: boolean;
  readonly attributes: SpanAttributes;
  /** Of the execution, as the agent measured it. Absent where it measured nothing. */
  readonly measured?: { readonly queueMs: number; readonly execMs: number };
}

/** A report, or a decision of the server, with which something began. What a person began is the request, which is measured where it is answered. */
export function beginningSpan({ clusterId, events, meta, goesOn, occurredAt }: StoredAppend): readonly EndedSpan[] {
  const [first] = events;
  if (goesOn || isPerson(meta.actor) || first === undefined) return [];
  const node = 'node' in first.data ? first.data.node : undefined;
  return [
    {
      ...{ correlationId: meta.correlationId, key: BEGINNING, name: first.type, startedAt: occurredAt, endedAt: occurredAt, failed: false },
      attributes: {
        'systole.cluster.id': clusterId,
        'systole.events': events.length,
        ...(typeof node === 'string' ? { 'systole.node': node } : {}),
      },
    },
  ];
}

/** How a plan came about: from the newest event that asked for it, until it stood in the log. */
export function planSpan(append: StoredAppend, { data }: EventOf<'TransitionPlanned'>): EndedSpan {
  const { clusterId, judged, meta, occurredAt } = append;
  return {
    correlationId: meta.correlationId,
    key: `plan ${clusterId} ${String(data.number)}`,
    parentKey: BEGINNING,
    name: 'plan',
    startedAt: judged.recompute?.at ?? occurredAt,
    endedAt: occurredAt,
    failed: false,
    attributes: {
      'systole.cluster.id': clusterId,
      'systole.transition': data.number,
      'systole.plan.actions': data.counts.actions,
      'systole.plan.fencing': data.counts.fencing,
    },
    ...(data.alsoAnswers === undefined
      ? {}
      : { alsoAnswers: data.alsoAnswers.map((correlationId) => ({ correlationId, key: BEGINNING })) }),
  };
}

/** @param plannedAt when its plan stood in the log; absent where that is not known any more: the second that it was planned for counts */
export function transitionSpan(append: StoredAppend, { data }: EventOf<'TransitionCompleted'>, plannedAt: string | undefined): EndedSpan {
  const { clusterId, judged, meta, occurredAt } = append;
  const plannedFor = judged.transition === undefined ? occurredAt : judged.transition.now * 1_000;
  return {
    correlationId: meta.correlationId,
    key: transitionKeyOf(clusterId, data.number),
    parentKey: BEGINNING,
    name: 'transition',
    startedAt: plannedAt ?? plannedFor,
    endedAt: occurredAt,
    failed: data.failed > 0,
    attributes: {
      'systole.cluster.id': clusterId,
      'systole.transition': data.number,
      'systole.transition.outcome': data.outcome,
      'systole.transition.completed': data.completed,
      'systole.transition.skipped': data.skipped,
      'systole.transition.failed': data.failed,
    },
  };
}

/** What of the running transition an append ends. */
export function endedActions(append: StoredAppend): readonly EndedAction[] {
  const { judged, events } = append;
  return events.flatMap((event): readonly EndedAction[] => {
    if (correlationCarried(judged, event) === undefined) return [];
    if (event.type === 'OperationRecorded') return endedOperation(event);
    return event.type === 'FencingCompleted' ? endedFencing(append, event) : [];
  });
}

/** An action from when it was handed out until its result stood in the log, and its parts: the way to the agent, the wait for its turn on the node, the execution, the way back. */
export function actionSpans(
  { clusterId, meta, occurredAt }: StoredAppend,
  { dispatchId, transition, name, failed, attributes, measured }: EndedAction,
  times: DispatchTimes | undefined,
): readonly EndedSpan[] {
  const endedAt = Date.parse(occurredAt);
  const { queueMs = 0, execMs = 0 } = measured ?? {};
  const handedOutAt = Math.min(times?.handedOutAt ?? endedAt - queueMs - execMs, endedAt);
  const whole = `action ${clusterId} ${dispatchId}`;
  const span = { correlationId: meta.correlationId, attributes: { 'systole.cluster.id': clusterId, ...attributes } };
  const action: EndedSpan = {
    ...{ ...span, key: whole, parentKey: transitionKeyOf(clusterId, transition) },
    ...{ name, startedAt: handedOutAt, endedAt, failed },
  };
  if (measured === undefined) return [action];
  // Durations are the agent's, and moments are not: its clock may show anything.
  const deliveredAt = Math.max(handedOutAt, Math.min(times?.deliveredAt ?? handedOutAt, endedAt));
  const begunAt = Math.min(deliveredAt + queueMs, endedAt);
  const doneAt = Math.min(begunAt + execMs, endedAt);
  const part = (what: string, from: number, to: number, fails = false): EndedSpan => ({
    ...{ ...span, key: `${whole} ${what}`, parentKey: whole },
    ...{ name: what, startedAt: from, endedAt: to, failed: fails },
  });
  return [
    action,
    part('hand out', handedOutAt, deliveredAt),
    part('wait on the node', deliveredAt, begunAt),
    part('execute', begunAt, doneAt, failed),
    part('report', doneAt, endedAt),
  ];
}

function endedOperation({ data }: EventOf<'OperationRecorded'>): readonly EndedAction[] {
  const { actionId, transitionKey, node, incarnation, resource, operation, intervalMs, status, rc, execMs, queueMs } = data;
  const key = parseTransitionKey(transitionKey);
  if (key === undefined || actionId === undefined) return [];
  return [
    {
      ...{ dispatchId: actionId, transition: key.transition, name: `${operation} ${resource}` },
      failed: !isExpected(data, key.expectedRc),
      attributes: {
        'systole.transition': key.transition,
        'systole.node': node,
        'systole.resource': resource,
        'systole.operation': operation,
        'systole.operation.interval_ms': intervalMs,
        'systole.operation.status': status,
        'systole.operation.rc': rc,
      },
      // What the server records itself nobody has measured.
      ...(incarnation === 0 ? {} : { measured: { queueMs, execMs } }),
    },
  ];
}

function endedFencing({ judged, clusterId }: StoredAppend, { data }: EventOf<'FencingCompleted'>): readonly EndedAction[] {
  const attempt = Object.hasOwn(judged.fencing, data.fencingId) ? judged.fencing[data.fencingId] : undefined;
  if (attempt === undefined) return [];
  return [
    {
      ...{ dispatchId: fenceActionId(epochOf(judged, clusterId), attempt), transition: attempt.transition, name: `fence ${data.target}` },
      failed: data.outcome !== 'succeeded',
      attributes: {
        'systole.transition': attempt.transition,
        'systole.node': data.executor,
        'systole.fencing.target': data.target,
        'systole.fencing.action': data.action,
        'systole.fencing.device': data.device,
        'systole.fencing.outcome': data.outcome,
      },
    },
  ];
}

function transitionKeyOf(clusterId: string, number: number): string {
  return `transition ${clusterId} ${String(number)}`;
}
