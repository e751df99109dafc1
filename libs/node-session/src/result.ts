import { beginningOf, carriableText, endOf, type ActionEcho, type AgentAction, type AgentResult } from '@systole/protocol';
import type { Outcome } from './inputs.js';
import type { JournalRecord, RecordedResult } from './journal/record.js';
import { RC } from './return-codes.js';
import type { Turn } from './turn.js';
import { uptimeMs } from './uptime.js';

/** What identifies and times one execution, apart from its outcome. */
export interface Execution {
  /** Unique for ever. */
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
export function resultOf(action: Reported, outcome: Outcome, execution: Execution): AgentResult {
  const { fence } = action;
  return {
    ...execution,
    ...echoOf(outcome.digests === undefined ? action : { ...action, digests: outcome.digests }),
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

/** What a report needs of an action. */
export type Reported = ActionEcho & Pick<AgentAction, 'digests' | 'fence'>;

/** The outcome of what needs no process. */
export function immediate(status: Outcome['status'], rc: number, startedAtMs: number, exitReason?: string): Outcome {
  return { status, rc, ...(exitReason === undefined ? {} : { exitReason }), output: '', startedAtMs, execMs: 0 };
}

/** The record of a result that has just arisen. */
export function endedNow({ state }: Turn, result: AgentResult, incarnation: number): JournalRecord {
  return { kind: 'result', result, incarnation, endedAtMs: uptimeMs(state) };
}

/** A result as it is sent after so long a time of the machine: with how old it is, as far as that is known. */
export function asTold({ result, endedAtMs }: RecordedResult, afterMs: number): AgentResult {
  return endedAtMs === undefined ? result : { ...result, endedAgoMs: Math.max(0, afterMs - endedAtMs) };
}

/** What is left of a result that the server does not take: how the execution ended, and that there was more; undefined when there was not. */
export function reduced(result: AgentResult, problem: string): AgentResult | undefined {
  const { output, digests, exitReason, ...rest } = result;
  if (output === undefined && digests === undefined && exitReason === undefined) return undefined;
  return { ...rest, exitReason: carriableText(beginningOf(`left out, as the server refused the whole result: ${problem}`, REASON_CHARS)) };
}

/** The report about an execution that began before the agent crashed: nobody knows how far it came. */
export function lostResult(action: AgentAction, resultId: string, wallMs: number): AgentResult {
  const outcome = immediate('lost', RC.ERR_GENERIC, wallMs, 'the agent was interrupted while this operation was running');
  return resultOf(action, outcome, { resultId, callId: 0, queueMs: 0, recurring: false });
}

function echoOf(action: Reported): Pick<AgentResult, 'actionId' | 'transitionKey' | 'resource' | 'operation' | 'intervalMs'> {
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
