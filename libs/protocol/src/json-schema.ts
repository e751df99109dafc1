import { z } from 'zod';
import { agentAction } from './action.js';
import { alertsAnswer, alertsRequest } from './alerts.js';
import { attributesAnswer, joinAnswer, pollAnswer, resultsAnswer } from './answers.js';
import { fencingAnswer } from './fencing.js';
import { guestTokenAnswer, guestTokenRequest } from './guests.js';
import {
  attributesRequest,
  incarnationRequest,
  joinRequest,
  leaveRequest,
  pollRequest,
  privateAttributesRequest,
  resultsRequest,
} from './requests.js';
import { agentDescriptionRequest, installedAgentsAnswer, installedAgentsRequest } from './resource-agents.js';
import { agentResult } from './result.js';
import { agentToolAnswer, agentToolRequest, operatorToolRequest, toolRequest } from './tool-requests.js';

const MESSAGES = {
  AgentAction: agentAction,
  AgentResult: agentResult,
  AgentJoinRequest: joinRequest,
  AgentJoinAnswer: joinAnswer,
  AgentPollRequest: pollRequest,
  AgentPollAnswer: pollAnswer,
  AgentResultsRequest: resultsRequest,
  AgentResultsAnswer: resultsAnswer,
  AgentAttributesRequest: attributesRequest,
  AgentPrivateAttributesRequest: privateAttributesRequest,
  AgentAttributesAnswer: attributesAnswer,
  ToolRequest: toolRequest,
  OperatorToolRequest: operatorToolRequest,
  AgentToolRequest: agentToolRequest,
  AgentToolAnswer: agentToolAnswer,
  FencingAnswer: fencingAnswer,
  AgentIncarnationRequest: incarnationRequest,
  AgentLeaveRequest: leaveRequest,
  AgentInstalledAgentsRequest: installedAgentsRequest,
  AgentInstalledAgentsAnswer: installedAgentsAnswer,
  AgentDescriptionRequest: agentDescriptionRequest,
  AgentAlertsRequest: alertsRequest,
  AgentAlertsAnswer: alertsAnswer,
  AgentGuestTokenRequest: guestTokenRequest,
  AgentGuestTokenAnswer: guestTokenAnswer,
} as const;

export type MessageName = keyof typeof MESSAGES;

/** Where a message's schema stands in an OpenAPI document that has {@link messageSchemas} among its components. */
export function schemaReference(name: MessageName): string {
  return `#/components/schemas/${name}`;
}

/** The messages as components of an OpenAPI 3.0 document, by name. */
export function messageSchemas(): Readonly<Record<string, object>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, message] of Object.entries(MESSAGES)) registry.add(message, { id });
  const { schemas } = z.toJSONSchema(registry, {
    target: 'openapi-3.0',
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      // Every whole number is bounded by what a double holds exactly; saying so says nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutId(schema)]));
}

/** Components are found by their place. */
function withoutId(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$id'));
}
