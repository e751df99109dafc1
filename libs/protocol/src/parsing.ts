import { z } from 'zod';
import { actionEcho, agentAction, type ActionEcho } from './action.js';
import { joinAnswer, pollEnvelope, resultsAnswer, type JoinAnswer, type PollAnswer, type ResultsAnswer } from './answers.js';
import { faultsOf, type Fault } from './faults.js';
import type { Wire } from './fields.js';
import {
  attributesRequest,
  incarnationRequest,
  leaveRequest,
  joinRequest,
  pollRequest,
  resultsRequest,
  type AttributesRequest,
  type IncarnationRequest,
  type LeaveRequest,
  type JoinRequest,
  type PollRequest,
  type ResultsRequest,
} from './requests.js';
import { FIRST_PROTOCOL, protocolVersion, type ProtocolVersion } from './version.js';

/** A message is not the protocol's. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';

  /**
   * @param what which message
   * @param faults at least one
   */
  constructor(
    readonly what: string,
    readonly faults: readonly Fault[],
  ) {
    const [first] = faults.map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer} ${detail}`));
    super(`${what}: ${first ?? 'is not valid'}${faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''}`);
  }
}

/** An action that this agent can't read. */
export interface UnreadableAction {
  /** What identifies it, where that can be read: its failure can be reported. */
  readonly echo?: ActionEcho;
  /** For people. */
  readonly problem: string;
}

/** The answer to a poll. One action that can't be read is no reason to lose the others, or the lease. */
export interface ReadPollAnswer extends PollAnswer {
  readonly unreadable: readonly UnreadableAction[];
}

/** Every `parse…` throws {@link ProtocolError}. */
export const parseJoinAnswer = (value: unknown): JoinAnswer => parse(joinAnswer, value, 'answer to the join');
export const parseResultsAnswer = (value: unknown): ResultsAnswer => parse(resultsAnswer, value, 'answer to the results');

export function parsePollAnswer(value: unknown): ReadPollAnswer {
  const { actions, ...frame } = parse(pollEnvelope, value, 'answer to the poll');
  const read = actions.map((action) => ({ action, parsed: agentAction.safeParse(action) }));
  return {
    ...frame,
    actions: read.flatMap(({ parsed }) => (parsed.success ? [parsed.data] : [])),
    unreadable: read.flatMap(({ action, parsed }) => (parsed.success ? [] : [unreadable(action, parsed.error)])),
  };
}

function unreadable(action: unknown, error: z.ZodError): UnreadableAction {
  const echo = actionEcho.safeParse(action);
  const problem = new ProtocolError('action', faultsOf(error)).message;
  return echo.success ? { echo: echo.data, problem } : { problem };
}

/** What an agent speaks, whatever else its join says: a newer one may say what this version can't read. */
export function spokenVersion(join: unknown): ProtocolVersion {
  const spoken = z.object({ protocol: protocolVersion }).safeParse(join);
  return spoken.success ? spoken.data.protocol : FIRST_PROTOCOL;
}

export const parseJoinRequest = (value: unknown): JoinRequest => parse(joinRequest, value, 'join');
export const parseResultsRequest = (value: unknown): ResultsRequest => parse(resultsRequest, value, 'results');
export const parseAttributesRequest = (value: unknown): AttributesRequest => parse(attributesRequest, value, 'attributes');
export const parseLeaveRequest = (value: unknown): LeaveRequest => parse(leaveRequest, value, 'request');
export const parseIncarnationRequest = (value: unknown): IncarnationRequest => parse(incarnationRequest, value, 'request');

export function parsePollRequest(value: unknown): PollRequest {
  const { active = [], watchdog = false, ...rest } = parse(pollRequest, value, 'poll');
  return { ...rest, active, watchdog };
}

function parse<T>(schema: z.ZodType<T>, value: unknown, what: string): Wire<T> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new ProtocolError(what, faultsOf(parsed.error));
  return parsed.data as Wire<T>;
}
