import { z } from 'zod';
import { agentAction } from './action.js';
import { optional, text, texts, whole, type Wire } from './fields.js';
import { LIMITS } from './limits.js';
import { protocolVersion } from './version.js';

/** What a server answers. What a newer server adds is passed over. */

/** What an agent does that can't renew its lease in time. */
export const ON_LEASE_LOSS = ['keep', 'stop', 'watchdog'] as const;

export type OnLeaseLoss = (typeof ON_LEASE_LOSS)[number];

const head = z
  .object({
    epoch: text('Of the log; part of the action ids. A new one: everything that was handed out under another is forgotten.'),
    version: whole('Version of the stream.'),
    hash: text('Of the event with that version.'),
    seal: optional(text('The agent shows it with the head, unread: that this installation told it.')),
  })
  .describe('The newest event that the server has stored; the agent keeps it as its witness.');

export type Head = Wire<z.infer<typeof head>>;

const leaseMs = whole('Length of the lease, counted by the agent from the moment at which it sent the request. ms.', {
  min: 1,
  max: LIMITS.leaseMs,
});
const rollCall = text(
  'Id of the newest roll call. The agent shows it with its next poll: so the servers know that it is there now, and that nothing of before was late. A poll that shows another one may be answered at once.',
  { max: LIMITS.rollCallChars },
);
const onLeaseLoss = z
  .enum(ON_LEASE_LOSS)
  .describe(
    'What to do when the lease can not be renewed in time: keep everything running, stop it, or let the watchdog reset the machine.',
  );

/** What an agent does that hears that its node counts as fenced while it runs. */
export const FENCE_REACTIONS = ['stop', 'panic'] as const;

export type FenceReaction = (typeof FENCE_REACTIONS)[number];

const fenceReaction = z
  .enum(FENCE_REACTIONS)
  .describe(
    'What to do when the node was declared down and runs: stop everything and join anew, or restart the machine at once. Absent: stop.',
  );

const shutdownEscalationMs = whole(
  'How long after it was told to end the agent waits for the cluster to stop or move what runs there; then it ends without that. ms; absent: for ever.',
  { min: 1 },
);

const loadThreshold = whole(
  'Beyond which load of its processors, percent, the agent tells of the trouble `high-load`, so that it is given fewer actions at a time. Absent: it does not look.',
  { min: 1 },
);

export const joinAnswer = z.object({
  protocol: optional(protocolVersion.describe('What the server speaks; 1.0 when left out.')),
  clusterId: text('Id.').meta({ format: 'uuid' }),
  clusterName: text('Name.'),
  node: text('Name of the node.'),
  nodeId: text('Its id.'),
  incarnation: whole('Goes with everything that the agent sends from now on.', { min: 1 }),
  leaseMs,
  pollMs: whole('Longest wait of a poll, ms.'),
  epoch: optional(text("Of the log; the cluster's id when left out.")),
  head: optional(head),
  onLeaseLoss: optional(onLeaseLoss),
  fenceReaction: optional(fenceReaction),
  shutdownEscalationMs: optional(shutdownEscalationMs),
  loadThreshold: optional(loadThreshold),
  rollCall: optional(rollCall),
  servers: optional(texts('Base URLs under which servers of this cluster are reached.', 100)),
});

export type JoinAnswer = Wire<z.infer<typeof joinAnswer>>;

/** All of a poll's answer but the actions, which are read one by one. */
const pollFrame = {
  leaseMs,
  unmanaged: optional(
    texts(
      'History ids of what the agent must leave alone when it loses its lease (maintenance, not managed). Absent: nothing.',
      LIMITS.listEntries,
    ),
  ),
  shutdown: optional(z.boolean().describe('The shutdown that the agent asked for is complete: it may leave.')),
  head: optional(head),
  onLeaseLoss: optional(onLeaseLoss),
  fenceReaction: optional(fenceReaction),
  shutdownEscalationMs: optional(shutdownEscalationMs),
  loadThreshold: optional(loadThreshold),
  rollCall: optional(rollCall),
};

export const pollEnvelope = z.object({ ...pollFrame, actions: z.array(z.unknown()) });

export const pollAnswer = z.object({ ...pollFrame, actions: z.array(agentAction).describe('To begin, or to end, in this order.') });

export type PollAnswer = Wire<z.infer<typeof pollAnswer>>;

/** Why a result is not stored: nobody asked the node for anything of its resource, or for so many operations of it. */
export const DROP_REASONS = ['not-asked-for', 'too-many-operations'] as const;

const droppedResult = z.object({
  resultId: text('Id of the result.'),
  reason: text(`Why; those of this version: ${DROP_REASONS.join(', ')}.`, { max: 64 }),
});

export const resultsAnswer = z.object({
  acknowledged: texts(
    'Ids of the results that are not to be sent again: each is stored for good, but for those in `dropped`.',
    LIMITS.results,
  ),
  dropped: optional(
    z
      .array(droppedResult)
      .max(LIMITS.results)
      .describe('Those of the acknowledged that are not stored; the event ResultsDropped counts them. Absent: none.'),
  ),
  head: optional(
    head.describe(
      'A place in the event log by which all of them are stored. It tells of no answer to a poll, so the agent shows it apart from its witness (`recorded`).',
    ),
  ),
});

export type ResultsAnswer = Wire<z.infer<typeof resultsAnswer>>;

const transientAttribute = z.object({
  node: text('Name of the node.'),
  name: z.string().describe('Name of the attribute.'),
  value: z.string().describe('What was said last, be it written yet or held back.'),
  private: optional(z.boolean().describe('It is in no CIB and no event log: agents of the cluster alone are told. Absent: it is not.')),
});

export const attributesAnswer = z.object({
  attributes: z.array(transientAttribute).describe('What is set until the reboot of its node.'),
});

export type AttributesAnswer = Wire<z.infer<typeof attributesAnswer>>;
