import { z } from 'zod';
import { optional, text, texts, whole, type Wire } from './fields.js';
import { LIMITS } from './limits.js';

/** What Pacemaker's command-line tools ask about fencing. A node's agent asks by its token, an operator by the public API: the words are the same. */

/** Longest history that is told at a time. */
const MOST_RECORDS = 10_000;

const fencingRecord = z.object({
  action: text('What was to be done to the target: `off`, `reboot`, or `on`.'),
  target: text('Name of the node.'),
  client: text('Who asked for it.', { min: 0 }),
  delegate: text('Name of the node whose agent told the device, or is to.', { min: 0 }),
  status: z.enum(['pending', 'success', 'failed']).describe('`failed`: no device, nor executor, was left to try.'),
  reason: optional(text('Why it failed; for people.', { min: 0, max: LIMITS.outputChars })),
  completedAt: optional(whole('When it ended, epoch seconds; absent while it is pending.')),
});

export const fencingAnswer = z.object({
  history: z
    .array(fencingRecord)
    .max(MOST_RECORDS)
    .describe('What is under way, then how it ended, each newest first; without what somebody has noted to have seen.'),
  devices: optional(
    texts(
      'Ids of the devices that can fence the node that was named, in the order of the configuration, as far as that tells; absent where none was named.',
      LIMITS.listEntries,
    ),
  ),
});

export type FencingAnswer = Wire<z.infer<typeof fencingAnswer>>;
