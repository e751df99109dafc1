import { z } from 'zod';
import { optional, text, whole, type Wire } from './fields.js';
import { LIMITS } from './limits.js';
import { writeNumber } from './requests.js';

/** What Pacemaker's command-line tools have written. A node's agent asks by its token, an operator by the public API: the words are the same. */

const name = text('Its name.', { max: 255 });
const value = z.string().max(LIMITS.valueChars).nullable().describe('null takes it away.');
const resource = text('Id of the resource.');
const node = text('Name of the node.');
const lifetime = optional(text('ISO 8601 duration after which it ends; absent: never.', { max: 64 }));
const promoted = optional(z.literal(true).describe('Its promoted role only.'));

const asks = <const Kind extends string>(kind: Kind) => z.literal(kind).describe('What is asked for.');

const documentChange = z.strictObject({
  operation: z
    .enum(['create', 'modify', 'replace', 'delete', 'patch'])
    .describe(
      'Elements are found by their name and id; `delete`: the first of that name that has all attributes that are given; `patch`: `xml` is a `<diff format="2">`, as `crm_diff` writes it, and all that it finds must be there.',
    ),
  xml: z.string().min(1).max(LIMITS.documentChars).describe('The element.'),
  within: optional(
    text('Only there: the name of a section of the configuration, or the id of an element. What is created becomes its child.'),
  ),
  allowCreate: optional(z.literal(true).describe('With `modify`: what is not there is created.')),
});

export const toolRequest = z.discriminatedUnion('ask', [
  z.strictObject({
    ask: asks('set-section-value'),
    section: z.enum(['crm_config', 'rsc_defaults', 'op_defaults']).describe('Cluster options, or defaults.'),
    name,
    value,
    set: optional(text('Id of the very set that is meant; absent: where it stands, or the set that `crm_attribute` makes.')),
  }),
  z.strictObject({
    ask: asks('set-resource-value'),
    resource,
    kind: z.enum(['instance_attributes', 'meta_attributes', 'utilization']).describe('What of the resource.'),
    name,
    value,
  }),
  z.strictObject({ ask: asks('set-node-utilization'), node, name, value }),
  z.strictObject({
    ask: asks('set-node-attribute'),
    node,
    name,
    value,
    lifetime: z.enum(['forever', 'reboot']).describe('Until when.'),
  }),
  z.strictObject({
    ask: asks('change-document'),
    changes: z.array(documentChange).min(1).max(LIMITS.changes).describe('In this order, all or none.'),
    force: optional(z.literal(true).describe('Also with what is surely not meant; recorded.')),
  }),
  z.strictObject({ ask: asks('ban'), resource, node: optional(node), promoted, lifetime }),
  z.strictObject({ ask: asks('move'), resource, node: optional(node), promoted, lifetime }),
  z.strictObject({
    ask: asks('begin-restart'),
    resource,
    seconds: whole('After how many seconds it may start again in any case.', { min: 1, max: LIMITS.durationMs / 1_000 }),
  }),
  z.strictObject({ ask: asks('end-restart'), resource }),
  z.strictObject({
    ask: asks('clear'),
    resource,
    node: optional(node),
    expired: optional(z.literal(true).describe('Only what has ended.')),
  }),
  z.strictObject({
    ask: asks('clean-up'),
    resource: optional(resource),
    node: optional(node),
    operation: optional(text('What failed in this operation only.', { max: 64 })),
    intervalMs: optional(whole('Of that operation, at this interval only, ms.', { max: LIMITS.durationMs })),
  }),
  z.strictObject({ ask: asks('refresh'), resource: optional(resource), node: optional(node) }),
  z.strictObject({ ask: asks('fail'), resource, node }),
  z.strictObject({
    ask: asks('change-ticket'),
    ticket: text('Id of the ticket.', { max: 255 }),
    granted: optional(z.boolean().describe('Whether it is granted.')),
    standby: optional(z.boolean().describe('Whether it is in standby.')),
    attributes: optional(
      z.record(z.string().max(255), z.string().max(LIMITS.reasonChars).nullable()).describe('Others, by name; null takes one away.'),
    ),
  }),
  z.strictObject({ ask: asks('forget-ticket'), ticket: text('Id of the ticket.', { max: 255 }) }),
  z.strictObject({
    ask: asks('fence'),
    node,
    action: optional(z.enum(['off', 'reboot']).describe('Absent: as the option `fencing-action` has it.')),
  }),
  z.strictObject({ ask: asks('power-on'), node }),
  z.strictObject({ ask: asks('confirm-down'), node }),
  z.strictObject({ ask: asks('clear-fencing-history'), node: optional(text('Of its fencing only; absent: of all.')) }),
  z.strictObject({ ask: asks('remove-node'), node }),
]);

export type ToolRequest = Wire<z.infer<typeof toolRequest>>;

const asked = {
  request: toolRequest.describe('What is to be written.'),
  tool: text('Name of the program that asks, as people know it.', { max: 64 }),
  reason: optional(text('Why, in the words of whoever asks.', { max: 1_000 })),
};

/** By an operator's token. */
export const operatorToolRequest = z.strictObject(asked);

export type OperatorToolRequest = Wire<z.infer<typeof operatorToolRequest>>;

/** By a node's token. */
export const agentToolRequest = z.strictObject({
  incarnation: whole('As the join gave it.', { min: 1 }),
  ...asked,
  write: optional(writeNumber),
  calledBy: optional(text('Id of the resource whose agent called the tool, as far as the tool knows.')),
});

export type AgentToolRequest = Wire<z.infer<typeof agentToolRequest>>;

export const agentToolAnswer = z.object({
  changed: z.boolean().describe('False: all is as wished already.'),
});

export type AgentToolAnswer = Wire<z.infer<typeof agentToolAnswer>>;
