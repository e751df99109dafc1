export type {
  ActionResource,
  AgentAction,
  AgentResult,
  AttributeChange,
  FenceOrder,
  JoinAnswer,
  JoinRequest,
  OperationStatus,
  PollAnswer,
  PollRequest,
} from './messages.js';
export { OPERATION_STATUSES } from './messages.js';
export { parseAcknowledged, parseAction, parseJoinAnswer, parsePollAnswer, ProtocolError } from './parsing.js';
export { beginningOf, carriable, carriableText, endOf } from './text.js';
