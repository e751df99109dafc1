export type { ActionEcho, ActionResource, AgentAction, FenceOrder } from './action.js';
export { ALERT_OUTCOMES, type AgentAlert, type AlertEnd, type AlertsAnswer, type AlertsRequest } from './alerts.js';
export type { AttributesAnswer, FenceReaction, Head, JoinAnswer, OnLeaseLoss, PollAnswer, ResultsAnswer } from './answers.js';
export { FENCE_REACTIONS, ON_LEASE_LOSS } from './answers.js';
export type { FencingAnswer } from './fencing.js';
export type { Fault } from './faults.js';
export type { GuestTokenAnswer, GuestTokenRequest } from './guests.js';
export { messageSchemas, schemaReference, type MessageName } from './json-schema.js';
export { GIVEN_UP_SHARE, JOIN_GIVEN_UP_MS, LIMITS } from './limits.js';
export {
  parseAgentDescriptionRequest,
  parseAgentToolAnswer,
  parseAgentToolRequest,
  parseAlertsAnswer,
  parseAlertsRequest,
  parseAttributesRequest,
  parsePrivateAttributesRequest,
  parseFencingAnswer,
  parseGuestTokenAnswer,
  parseGuestTokenRequest,
  parseIncarnationRequest,
  parseInstalledAgentsAnswer,
  parseInstalledAgentsRequest,
  parseLeaveRequest,
  parseOperatorToolRequest,
  parseJoinAnswer,
  parseJoinRequest,
  parsePollAnswer,
  parsePollRequest,
  parseAttributesAnswer,
  parseResultsAnswer,
  parseResultsRequest,
  ProtocolError,
  spokenVersion,
  type ReadPollAnswer,
  type UnreadableAction,
} from './parsing.js';
export { agentProblemOf, AGENT_PROBLEMS, type AgentProblem } from './problems.js';
export type {
  AgentTrouble,
  AttributeChange,
  AttributesRequest,
  PrivateAttributesRequest,
  IncarnationRequest,
  LeaveRequest,
  JoinAttempt,
  JoinRequest,
  PollRequest,
  ResultsRequest,
  Witness,
} from './requests.js';
export { TROUBLES } from './requests.js';
export type {
  AgentDescriptionRequest,
  AgentName,
  DescribedAgent,
  DescribedParameter,
  InstalledAgent,
  InstalledAgentsAnswer,
  InstalledAgentsRequest,
} from './resource-agents.js';
export type { AgentToolAnswer, AgentToolRequest, OperatorToolRequest, ToolRequest } from './tool-requests.js';
export { OPERATION_STATUSES, type AgentResult, type OperationStatus } from './result.js';
export { beginningOf, carriable, carriableText, endOf, isCarriable } from './text.js';
export { printable, printableJson, printableLine, printableLines, shownAsOneLine, withoutLineFeeds } from './printable.js';
export { FIRST_PROTOCOL, PROTOCOL, refusalOf, type ProtocolVersion, type VersionRefusal } from './version.js';
