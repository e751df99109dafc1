import { z } from 'zod';
import { optional, text, texts, whole, type Wire } from './fields.js';
import { LIMITS } from './limits.js';

/**
 * What an agent tells of the resource and fence agents of its node (docs/decisions/0051-agents-meta-data.md): first which there are, with a digest of each, then the meta-data of those
 * that the server asks for. Neither renews a lease, nor is anything of it waited for.
 */

const incarnation = whole('As the join gave it.', { min: 1 });

const agentName = {
  class: text('Standard.', { max: 64 }).meta({ example: 'ocf' }),
  provider: optional(text('Provider; of `ocf` only.', { max: LIMITS.agentNameChars })),
  type: text("The agent's name.", { max: LIMITS.agentNameChars }),
};

const agentVersion = {
  ...agentName,
  digest: text('Of its program: two nodes that tell the same one have the same meta-data.', { max: LIMITS.digestChars }),
};

const installedAgent = z.strictObject(agentVersion);

/** A resource or fence agent that a node has, in a version. */
export type InstalledAgent = Wire<z.infer<typeof installedAgent>>;
/** Which agent it is. */
export type AgentName = Pick<InstalledAgent, 'class' | 'provider' | 'type'>;

export const installedAgentsRequest = z.strictObject({
  incarnation,
  classes: texts('Standards of which `agents` names all that the node has: of others nothing is said.', LIMITS.agentClasses),
  agents: z.array(installedAgent).max(LIMITS.installedAgents).describe('All that there are.'),
});

export type InstalledAgentsRequest = Wire<z.infer<typeof installedAgentsRequest>>;

export const installedAgentsAnswer = z.object({
  wanted: z
    .array(z.object(agentVersion))
    .max(LIMITS.wantedAgents)
    .describe('Some of those whose meta-data the server has not. Empty: it has all. What is described is to be followed by another look.'),
});

export type InstalledAgentsAnswer = Wire<z.infer<typeof installedAgentsAnswer>>;

const description = (what: string) => optional(text(what, { max: LIMITS.descriptionChars }));
const word = (what: string) => text(what, { max: LIMITS.agentNameChars });
const duration = (what: string) => optional(whole(`${what}, ms.`, { max: LIMITS.durationMs }));

const agentParameter = z.strictObject({
  name: word('Name.'),
  required: z.boolean().describe('Whether it has to be given.'),
  uniqueGroup: optional(word('Two resources must not have the same values for all parameters of one such group.')),
  reloadable: z.boolean().describe('Whether it can be changed in a running resource.'),
  private: optional(z.boolean().describe('Whether its value is a secret. Absent: not that the agent says.')),
  deprecated: z.boolean().describe('Whether it should not be used any more.'),
  obsoletes: optional(word('The older parameter in whose place it came.')),
  type: word('As the agent declares it.').meta({ example: 'string' }),
  default: optional(text('What counts where it is not given.', { min: 0, max: LIMITS.descriptionChars })),
  options: z.array(z.string().max(LIMITS.nameChars)).max(LIMITS.agentParts).describe('The values to choose from, of the type `select`.'),
  shortDescription: description('In a few words.'),
  longDescription: description('At length.'),
});

const agentOperation = z.strictObject({
  name: word('Name.'),
  timeoutMs: duration('How long it should be given at least'),
  intervalMs: duration('How often it should be repeated'),
  startDelayMs: duration('After what time it should begin'),
  role: optional(word('The role in which it is meant.')),
  depth: optional(word('Level of a monitor.')),
  automatic: z.boolean().describe('Fence agents: whether `on` is run by itself when a node joins.'),
  onTarget: z.boolean().describe('Fence agents: whether it has to run on the target itself.'),
});

const agentMetadata = z.strictObject({
  name: z.string().max(LIMITS.agentNameChars).describe('As the agent calls itself.'),
  version: optional(z.string().max(LIMITS.nameChars).describe('Of the agent.')),
  apiVersion: optional(z.string().max(LIMITS.nameChars).describe('Of the standard that it follows.')),
  shortDescription: description('In a few words.'),
  longDescription: description('At length.'),
  parameters: z.array(agentParameter).max(LIMITS.agentParts).describe('What it takes.'),
  actions: z.array(agentOperation).max(LIMITS.agentParts).describe('What it does.'),
});

/** What an agent says about itself, within the bounds of the protocol. */
export type DescribedAgent = Wire<z.infer<typeof agentMetadata>>;
export type DescribedParameter = DescribedAgent['parameters'][number];

export const agentDescriptionRequest = z.strictObject({
  incarnation,
  ...agentVersion,
  metadata: optional(agentMetadata.describe('What the agent says about itself. Absent: it could not be read.')),
  problem: optional(text('Why it could not be read.', { max: LIMITS.reasonChars })),
});

export type AgentDescriptionRequest = Wire<z.infer<typeof agentDescriptionRequest>>;
