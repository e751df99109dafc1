import { z } from 'zod';
import { ON_LEASE_LOSS } from './answers.js';
import { optional, text, texts, whole, type Wire } from './fields.js';
import { LIMITS } from './limits.js';
import { agentResult } from './result.js';
import { isCarriable } from './text.js';
import { protocolVersion } from './version.js';

/** What an agent sends. A field that a server does not know is refused: an agent that is newer than its server is told so when it joins. */

const head = {
  version: whole('Version of the stream.'),
  hash: text('Of the event with that version.'),
};

/** The newest event that a server has told of. */
const witness = z
  .strictObject({
    epoch: text("Of the log, when it was told; names its answer's epoch."),
    ...head,
    seal: optional(text('As it was told with the head.')),
  })
  .describe('The newest head that the agent was told: a log that does not have it has lost its tail.');

export type Witness = Wire<z.infer<typeof witness>>;

/** What keeps an agent from doing its work, though it polls. */
export const TROUBLES = [
  'journal-unwritable',
  'journal-hanging',
  'result-refused',
  'lease-loss-overridden',
  'stop-failed',
  'high-load',
] as const;

const trouble = z.strictObject({
  code: text(`What kind; those of this version: ${TROUBLES.join(', ')}.`, { max: 64 }),
  detail: text('For people.', { max: LIMITS.reasonChars }),
});

export type AgentTrouble = Wire<z.infer<typeof trouble>>;

const incarnation = whole('As the join gave it.', { min: 1 });

/** Of whatever an agent asks to have written. */
export const writeNumber = whole(
  'How many of its requests to write the agent has stopped waiting for, in its life as this process. What bears a lower number than what was written since is refused (`write-overtaken`). Absent: of a version that numbers nothing.',
);

const joinAttempt = z
  .strictObject({
    processStartedMs: whole('When the process of the agent began, ms since the boot of its machine.'),
    number: whole('Counts the sessions up that this process has asked for; the same when it asks again because the answer was lost.', {
      min: 1,
    }),
  })
  .describe(
    'Which try of which process this is. One that comes a second time is answered with the incarnation that it began, whose lease it renews; one that is late is refused.',
  );

export type JoinAttempt = Wire<z.infer<typeof joinAttempt>>;
const unmanaged = texts(
  'History ids of what the agent takes for not managed: it leaves that alone when it stops everything.',
  LIMITS.listEntries,
);
const active = texts('History ids of what may be running there, as far as the agent knows.', LIMITS.listEntries);

export const joinRequest = z.strictObject({
  protocol: optional(protocolVersion.describe('What the agent speaks; 1.0 when left out.')),
  agentVersion: text("The agent's version.", { max: 64 }),
  node: optional(text('The node that the agent means to be: refused unless the token is for it.')),
  nodeId: optional(text('Id of the node; the one in the configuration wins.')),
  machineId: optional(text('Stays with the machine.')),
  bootId: text('Changes with each boot of the machine.'),
  witness: optional(witness),
  attempt: optional(joinAttempt),
  lastIncarnation: optional(whole('The newest in whose life the agent ran anything; absent: none is on record.', { min: 1 })),
  active: optional(active),
  unmanaged: optional(unmanaged),
  stopFailed: optional(
    texts('Those of `active` that the agent has tried to stop in vain: nothing more can be done about them here.', LIMITS.listEntries),
  ),
  uptimeMs: optional(whole('For how long the machine has been up, ms.')),
  bootIncarnation: optional(whole('The newest that was given to this boot; absent: none is on record.', { min: 1 })),
  remote: optional(
    z
      .boolean()
      .describe('Whether the agent is meant for a remote or guest node: refused as long as the configuration does not make its node one.'),
  ),
  watchdog: optional(z.boolean().describe('Whether the agent feeds a watchdog.')),
  watchdogMs: optional(
    whole(
      'Time-out of the watchdog that the agent arms as soon as it holds the lease, ms; absent: it has none, or does not know the time-out.',
      {
        min: 1,
        max: LIMITS.watchdogMs,
      },
    ),
  ),
  actionLimit: optional(
    whole('How many actions the agent carries out at a time: it is given no more, unless the operator says how many.', {
      min: 1,
      max: LIMITS.actionsAtATime,
    }),
  ),
  localOnLeaseLoss: optional(
    z
      .enum(ON_LEASE_LOSS)
      .describe(
        'What the agent does when its lease can not be renewed, by a setting of its own, whatever it is told. Absent: what it is told.',
      ),
  ),
});

export type JoinRequest = Wire<z.infer<typeof joinRequest>>;

export const pollRequest = z.strictObject({
  incarnation,
  waitMs: whole('How long to wait for something to do, ms; the server may answer earlier.', { max: LIMITS.waitMs }),
  seq: optional(
    whole(
      'Counts the polls of this incarnation up. Whoever sends it has one poll at a time and drops the answers of those that it gave up: what an ' +
        'earlier one was answered with and `known` does not name was never begun.',
      { min: 1 },
    ),
  ),
  known: texts('Ids of actions that were accepted and whose results are not acknowledged yet.', LIMITS.listEntries),
  active: optional(active),
  unmanaged: optional(unmanaged),
  watchdog: optional(z.boolean().describe('Whether the agent feeds a watchdog.')),
  watchdogArmedMs: optional(
    whole(
      'The watchdog is armed, and resets the machine after so many ms without being fed; absent: it is not, or nobody knows after how many.',
      {
        min: 1,
        max: LIMITS.watchdogMs,
      },
    ),
  ),
  onLeaseLoss: optional(
    z.enum(ON_LEASE_LOSS).describe('What the agent would do now if it lost its lease; an answer that is under way to it may change that.'),
  ),
  witness: optional(witness),
  recorded: optional(
    witness.describe(
      'The newest head that results were acknowledged with, where it is newer than `witness`: a log that lacks it lacks what the agent does not send again.',
    ),
  ),
  rollCall: optional(
    text('The newest roll call that the agent was told of: it is there after that. Absent: none.', { max: LIMITS.rollCallChars }),
  ),
  troubles: optional(z.array(trouble).max(LIMITS.troubles).describe('What keeps the agent from doing its work; absent: nothing.')),
  timeOfDayMs: optional(
    z
      .number()
      .min(0)
      .max(LIMITS.clockS * 1_000)
      .describe(
        'What the clock of the node shows as the poll is sent, epoch ms: the server says where it is wrong, and decides nothing by it.',
      ),
  ),
});

/** What an agent of this version sends. */
export type PollRequest = Wire<Omit<z.infer<typeof pollRequest>, 'active' | 'watchdog'>> & {
  readonly active: readonly string[];
  readonly watchdog: boolean;
};

export const resultsRequest = z.strictObject({ incarnation, results: z.array(agentResult).max(LIMITS.results).describe('What ended.') });

export type ResultsRequest = Wire<z.infer<typeof resultsRequest>>;

const attributeDelay = z
  .strictObject({
    ms: whole('ms; 0: changes are written at once.', { max: LIMITS.attributeDelayMs }),
    sets: z
      .enum(['new', 'also', 'only'])
      .describe('`new`: where the attribute is not known yet. `also`: together with the value. `only`: the delay and not the value.'),
  })
  .describe(
    'How long changes of the attribute, which lasts until the reboot, wait for others of it, on whatever node, from now on: all are written together when none came for so long. Absent: it stays as it is.',
  );

const attributeFields = z.strictObject({
  name: text('Name.', { max: LIMITS.attributeNameChars }),
  value: z.string().max(LIMITS.valueChars).nullable().describe('null removes it.'),
  add: optional(
    z
      .int()
      .min(-1_000_000)
      .max(1_000_000)
      .describe('Added to the value that it has, which counts as a score; `value` does not count then.'),
  ),
  delay: optional(attributeDelay),
  lifetime: z.enum(['forever', 'reboot']).describe('Until when.'),
  node: optional(text("Another node than the agent's own; resource agents of some databases set attributes of their peers.")),
});

const NOT_KEPT = "must hold no character that can't be stored (NUL, another control character, half a surrogate pair)";

/** What is set is kept as it was said, or not at all: nobody would find it under another name. What an earlier version mended is removed by the same name as ever. */
const attributeChange = attributeFields.superRefine(({ name, value, add }, context) => {
  if (value === null && add === undefined) return;
  for (const [field, given] of Object.entries({ name, value: value ?? '' })) {
    if (!isCarriable(given)) context.addIssue({ code: 'custom', path: [field], message: NOT_KEPT });
  }
});

export type AttributeChange = Wire<z.infer<typeof attributeChange>>;

export const attributesRequest = z.strictObject({
  incarnation,
  changes: z.array(attributeChange).max(LIMITS.changes).describe('In this order.'),
  write: optional(writeNumber),
});

export type AttributesRequest = Wire<z.infer<typeof attributesRequest>>;

const privateAttribute = z.strictObject({
  name: text('Name.', { max: LIMITS.attributeNameChars }),
  value: z.string().max(LIMITS.valueChars).describe('Value.'),
});

export const privateAttributesRequest = z.strictObject({
  incarnation,
  revision: optional(
    whole(
      'Counts the changes up since the process of the agent began: of what one incarnation tells, that of the highest number counts, whichever arrives last. Absent: an agent before 1.13, of which the last that arrives does.',
    ),
  ),
  attributes: z
    .array(privateAttribute)
    .max(LIMITS.privateAttributes)
    .describe('All that are private on the node, in the place of what it told before.'),
});

/** What agents of a node keep from the CIB and the event log, and tell agents of other nodes. */
export type PrivateAttributesRequest = Wire<z.infer<typeof privateAttributesRequest>>;

/** A request to be shut down. */
export const incarnationRequest = z.strictObject({ incarnation });

export type IncarnationRequest = Wire<z.infer<typeof incarnationRequest>>;

export const leaveRequest = z.strictObject({
  incarnation,
  active: optional(texts('History ids of what the agent leaves running there, because it is not managed.', LIMITS.listEntries)),
});

export type LeaveRequest = Wire<z.infer<typeof leaveRequest>>;
