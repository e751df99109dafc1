import { z } from 'zod';
import { alertsAnswer, alertsRequest, type AlertsAnswer, type AlertsRequest } from './alerts.js';
import { actionEcho, agentAction, type ActionEcho } from './action.js';
import {
  attributesAnswer,
  joinAnswer,
  pollEnvelope,
  resultsAnswer,
  type AttributesAnswer,
  type JoinAnswer,
  type PollAnswer,
  type ResultsAnswer,
} from './answers.js';
import { Faults, type Fault } from './faults.js';
import { fencingAnswer, type FencingAnswer } from './fencing.js';
import type { Wire } from './fields.js';
import { guestTokenAnswer, guestTokenRequest, type GuestTokenAnswer, type GuestTokenRequest } from './guests.js';
import { LIMITS } from './limits.js';
import { readingOf, type Reading } from './request-reading.js';
import {
  attributesRequest,
  incarnationRequest,
  leaveRequest,
  joinRequest,
  pollRequest,
  privateAttributesRequest,
  resultsRequest,
  type AttributesRequest,
  type IncarnationRequest,
  type LeaveRequest,
  type JoinRequest,
  type PollRequest,
  type PrivateAttributesRequest,
  type ResultsRequest,
} from './requests.js';
import {
  agentDescriptionRequest,
  installedAgentsAnswer,
  installedAgentsRequest,
  type AgentDescriptionRequest,
  type InstalledAgentsAnswer,
  type InstalledAgentsRequest,
} from './resource-agents.js';
import {
  agentToolAnswer,
  agentToolRequest,
  operatorToolRequest,
  type AgentToolAnswer,
  type AgentToolRequest,
  type OperatorToolRequest,
} from './tool-requests.js';
import { FIRST_PROTOCOL, protocolVersion, type ProtocolVersion } from './version.js';

/** A message is not the protocol's. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  /** The first {@link LIMITS.faults}. */
  readonly faults: readonly Fault[];
  /** Whether there are others. */
  readonly more: boolean;

  /**
   * @param what which message
   * @param faults at least one
   */
  constructor(
    readonly what: string,
    { listed, more }: Faults,
  ) {
    const [first] = listed.map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer} ${detail}`));
    const others = more ? ` (and at least ${LIMITS.faults} more)` : listed.length > 1 ? ` (and ${listed.length - 1} more)` : '';
    super(`${what}: ${first ?? 'is not valid'}${others}`);
    this.faults = listed;
    this.more = more;
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
export const parseAttributesAnswer = (value: unknown): AttributesAnswer => parse(attributesAnswer, value, 'answer about attributes');
export const parseResultsAnswer = (value: unknown): ResultsAnswer => parse(resultsAnswer, value, 'answer to the results');
export const parseInstalledAgentsAnswer = (value: unknown): InstalledAgentsAnswer =>
  parse(installedAgentsAnswer, value, 'answer to the installed agents');

export const parseAgentToolAnswer = (value: unknown): AgentToolAnswer => parse(agentToolAnswer, value, 'answer to the tool');
export const parseFencingAnswer = (value: unknown): FencingAnswer => parse(fencingAnswer, value, 'answer about fencing');
export const parseGuestTokenAnswer = (value: unknown): GuestTokenAnswer => parse(guestTokenAnswer, value, 'answer with a token');
export const parseAlertsAnswer = (value: unknown): AlertsAnswer => parse(alertsAnswer, value, 'answer with alerts');

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
  const problem = new ProtocolError('action', new Faults().add(error.issues)).message;
  return echo.success ? { echo: echo.data, problem } : { problem };
}

/** What an agent speaks, whatever else its join says: a newer one may say what this version can't read. */
export function spokenVersion(join: unknown): ProtocolVersion {
  const spoken = z.object({ protocol: protocolVersion }).safeParse(join);
  return spoken.success ? spoken.data.protocol : FIRST_PROTOCOL;
}

export const parseJoinRequest: (value: unknown) => JoinRequest = requestParser(joinRequest, 'join');
export const parseResultsRequest: (value: unknown) => ResultsRequest = requestParser(resultsRequest, 'results');
export const parseAttributesRequest: (value: unknown) => AttributesRequest = requestParser(attributesRequest, 'attributes');
export const parsePrivateAttributesRequest: (value: unknown) => PrivateAttributesRequest = requestParser(
  privateAttributesRequest,
  'private attributes',
);
export const parseLeaveRequest: (value: unknown) => LeaveRequest = requestParser(leaveRequest, 'request');
export const parseIncarnationRequest: (value: unknown) => IncarnationRequest = requestParser(incarnationRequest, 'request');
export const parseInstalledAgentsRequest: (value: unknown) => InstalledAgentsRequest = requestParser(
  installedAgentsRequest,
  'installed agents',
);
export const parseAgentDescriptionRequest: (value: unknown) => AgentDescriptionRequest = requestParser(
  agentDescriptionRequest,
  'description',
);
export const parseAgentToolRequest: (value: unknown) => AgentToolRequest = requestParser(agentToolRequest, 'request of a tool');
export const parseOperatorToolRequest: (value: unknown) => OperatorToolRequest = requestParser(operatorToolRequest, 'request of a tool');
export const parseGuestTokenRequest: (value: unknown) => GuestTokenRequest = requestParser(guestTokenRequest, 'request of a token');
export const parseAlertsRequest: (value: unknown) => AlertsRequest = requestParser(alertsRequest, 'alerts');
const parsePoll = requestParser(pollRequest, 'poll');

export function parsePollRequest(value: unknown): PollRequest {
  const { active = [], watchdog = false, ...rest } = parsePoll(value);
  return { ...rest, active, watchdog };
}

function requestParser<T extends z.ZodObject>(schema: T, what: string): (value: unknown) => Wire<z.infer<T>> {
  const read = readingOf(schema);
  return (value) => {
    const reading: Reading<z.infer<T>> = read(value);
    if ('faults' in reading) throw new ProtocolError(what, reading.faults);
    return reading.data as Wire<z.infer<T>>;
  };
}

function parse<T>(schema: z.ZodType<T>, value: unknown, what: string): Wire<T> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new ProtocolError(what, new Faults().add(parsed.error.issues));
  return parsed.data as Wire<T>;
}
