import { z } from 'zod';
import { resultDigests, resultEcho, resultFencing, resultResource } from './action.js';
import { optional, text, whole, type Wire } from './fields.js';
import { LIMITS } from './limits.js';
import { isCarriable } from './text.js';

/** How an execution ended; the names of the cluster's OperationRecorded event. */
export const OPERATION_STATUSES = [
  'done',
  'cancelled',
  'timeout',
  'not-supported',
  'error',
  'error-hard',
  'error-fatal',
  'not-installed',
  'not-connected',
  'lost',
] as const;

export type OperationStatus = (typeof OPERATION_STATUSES)[number];

function duration(description: string): z.ZodNumber {
  return z.number().min(0).max(LIMITS.durationMs).describe(description);
}

export const agentResult = z.strictObject({
  ...resultEcho,
  // Acknowledged as it was sent, which can't be done with one that has to be mended before it is stored.
  resultId: text('Unique for ever; sent again until it is acknowledged.').refine(isCarriable, {
    error: "must hold no character that can't be stored (NUL, another control character, half a surrogate pair)",
  }),
  resource: resultResource.describe('As the action had it.'),
  status: z.enum(OPERATION_STATUSES).describe('How the execution ended.'),
  rc: whole('Return code.', { min: -1, max: 100_000 }),
  exitReason: optional(text("The agent program's reason.", { min: 0, max: LIMITS.reasonChars })),
  callId: whole('Counts up per process of the agent.'),
  startedAt: z
    .number()
    .min(0)
    .max(LIMITS.clockS)
    .describe('Epoch seconds, by the clock of the node: whatever that may show, right or wrong, from 1970 to 2262.'),
  endedAgoMs: optional(
    duration(
      'For how long it had ended when this was sent, ms, by what passed on the machine, whatever its clock shows. The server dates the result by it. Absent: that is not known, as the machine was booted since.',
    ),
  ),
  execMs: duration('Duration, ms.'),
  queueMs: duration('How long it waited for its turn, ms.'),
  output: optional(text('Last lines of its output.', { min: 0, max: LIMITS.outputChars })),
  digests: optional(resultDigests.describe('As the action had them, with what was missing of one whose agent nobody had described.')),
  recurring: z.boolean().describe('A later run of a recurring operation, as opposed to its first.'),
  fence: optional(resultFencing.describe('Of fencing: as the action had it, without the parameters.')),
});

export type AgentResult = Wire<z.infer<typeof agentResult>>;
