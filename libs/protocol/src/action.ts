import { z } from 'zod';
import { optional, pairs, text, whole, type Wire } from './fields.js';
import { LIMITS } from './limits.js';

/** Something to do, as a server hands it out. What a newer server adds is passed over. */

const resource = {
  id: text('Instance name (OCF_RESOURCE_INSTANCE).'),
  historyId: text('Id of the `lrm_resource`; the same for all instances of an anonymous clone.'),
  class: text('Standard.', { max: 64 }).meta({ example: 'ocf' }),
  provider: optional(text('Provider.')),
  type: text("Agent's name."),
};

const digests = {
  opDigest: text('Of all parameters.'),
  opForceRestart: optional(z.string().max(LIMITS.parameterListChars).describe('Names of parameters whose change asks for a restart.')),
  opRestartDigest: optional(text('Of those parameters.')),
  opSecureParams: optional(z.string().max(LIMITS.parameterListChars).describe('Names of parameters that are secret.')),
  opSecureDigest: optional(text('Of all but those parameters.')),
};

const fencing = {
  fencingId: text('Id of the attempt.'),
  target: text('Node that is to be fenced.'),
  action: z.enum(['off', 'reboot', 'on']).describe('What the device is told.'),
  deviceId: text('Resource id of the device.'),
};

/** What a result repeats of its action. */
const echo = {
  actionId: text('`<epoch>:<transition>:<graph action id>`; executed at most once, however often it is delivered.'),
  transitionKey: text('`<graph action id>:<transition>:<expected rc>:<epoch>`.'),
  operation: text('For `cancel`: the operation whose recurrence ends.', { max: 64 }),
  intervalMs: whole('0 for what runs once.'),
  migrateSource: optional(text('Of a migration.')),
  migrateTarget: optional(text('Of a migration.')),
};

const fenceQuestion = z.object({
  action: text('What the agent is told.'),
  timeoutMs: whole('How long it may take, ms.'),
  tries: whole('How often it is tried, as far as there is time.', { min: 1 }),
});

const agentFence = z.object({
  ...fencing,
  agent: text('Program name of the fence agent.'),
  parameters: pairs('Options for its stdin.'),
  argumentByAgent: optional(
    z
      .boolean()
      .describe(
        'The plug stands in `port` only because the device names no option for it: it goes into `plug` where the program takes that.',
      ),
  ),
  check: optional(
    z
      .object({
        how: z
          .enum(['auto', 'dynamic-list', 'status'])
          .describe('`auto`: by its list where the program has one, else by its status where it has that, else not at all.'),
        list: fenceQuestion.describe('For a list of the nodes.'),
        status: fenceQuestion.describe('For the state of the node.'),
      })
      .describe(
        'How it is made sure first that the device can fence the node, within the time of the action; absent: it can. One that can not is reported with status `not-supported`.',
      ),
  ),
});

export const agentAction = z.object({
  ...echo,
  kind: z
    .enum(['operation', 'fence', 'cancel', 'debug'])
    .describe(
      'What is asked for: an operation of a resource, the fencing of a node, that an operation recurs no more, or (`debug`, only of agents that speak 1.7) an operation that a person asked for, outside of any plan.',
    ),
  timeoutMs: whole('After which the agent kills it, ms.'),
  startDelayMs: optional(whole('To wait before the first run, ms.')),
  expectedRc: z.int().describe('Return code that the transition expects; another one is reported as it is.'),
  resource: z.object(resource).describe('The resource that it is of; of fencing, the device.'),
  parameters: pairs('Resource parameters.'),
  meta: pairs('`CRM_meta_*`.'),
  secrets: optional(pairs('Values of the references in the parameters; an agent keeps them apart from everything else.')),
  withheld: optional(pairs('Why the value of a reference in the parameters is not given.')),
  digests: optional(z.object(digests).describe('Comes back in the result.')),
  undescribed: optional(
    z
      .boolean()
      .describe(
        'Nobody has told what the meta-data of the resource agent say: the digests hold `opDigest` alone, and the agent adds the others to the result where it can read them in time.',
      ),
  ),
  stopTimeoutMs: optional(whole('How long a stop of this resource may take; for stopping it without the server. ms.')),
  demoteTimeoutMs: optional(
    whole('How long a demote of this resource may take, where it can be promoted; for stopping it without the server. ms.'),
  ),
  fence: optional(agentFence.describe('Of `fence`: whom, by what, and how.')),
});

export type AgentAction = Wire<z.infer<typeof agentAction>>;
export type ActionResource = AgentAction['resource'];
export type FenceOrder = Wire<z.infer<typeof agentFence>>;

/** What identifies an action of which the rest can't be read: enough to report that. */
export const actionEcho = z.object({ ...echo, resource: z.object(resource) });
export type ActionEcho = Wire<z.infer<typeof actionEcho>>;

export const resultResource = z.strictObject(resource);
export const resultDigests = z.strictObject(digests);
export const resultFencing = z.strictObject(fencing);
export const resultEcho = echo;
