import type { OperationOutcome } from '@systole/ocf';
import { beginningOf, carriableText, endOf, type AgentAction, type AgentResult } from '@systole/protocol';

/** What identifies and times one execution, apart from its outcome. */
export interface Execution {
  /** UUID. */
  readonly resultId: string;
  readonly callId: number;
  readonly queueMs: number;
  /** A later run of a recurring operation. */
  readonly recurring: boolean;
}

/** Characters of output that go to the server: the end, for people. */
const OUTPUT_CHARS = 4_000;
const REASON_CHARS = 1_000;

/** The report about one execution of an action. */
export function resultOf(action: AgentAction, outcome: OperationOutcome, execution: Execution): AgentResult {
  const { fence } = action;
  return {
    ...execution,
    ...echoOf(action),
    status: outcome.status,
    rc: outcome.rc,
    ...(outcome.exitReason === undefined ? {} : { exitReason: carriableText(beginningOf(outcome.exitReason, REASON_CHARS)) }),
    startedAt: Math.floor(outcome.startedAtMs / 1000),
    execMs: outcome.execMs,
    ...(outcome.output === '' ? {} : { output: carriableText(endOf(outcome.output, OUTPUT_CHARS)) }),
    ...(fence === undefined
      ? {}
      : { fence: { fencingId: fence.fencingId, target: fence.target, action: fence.action, deviceId: fence.deviceId } }),
  };
}

/** The report about an execution that began before the agent crashed: nobody knows how far it came. */
export function lostResult(action: AgentAction, resultId: string, now: Date): AgentResult {
  const outcome: OperationOutcome = {
    status: 'done',
    rc: 1,
    exitReason: 'the agent was interrupted while this operation was running',
    output: '',
    startedAtMs: now.getTime(),
    execMs: 0,
  };
  return { ...resultOf(action, outcome, { resultId, callId: 0, queueMs: 0, recurring: false }), status: 'lost' };
}

function echoOf(action: AgentAction): Pick<AgentResult, 'actionId' | 'transitionKey' | 'resource' | 'operation' | 'intervalMs'> {
  const { actionId, transitionKey, resource, operation, intervalMs, digests, migrateSource, migrateTarget } = action;
  return {
    actionId,
    transitionKey,
    resource,
    operation,
    intervalMs,
    ...(digests === undefined ? {} : { digests }),
    ...(migrateSource === undefined ? {} : { migrateSource }),
    ...(migrateTarget === undefined ? {} : { migrateTarget }),
  };
}
