import { z } from 'zod';
import { optional, pairs, text, whole, type Wire } from './fields.js';
import { LIMITS } from './limits.js';

/**
 * How programs of alerts come to be run on nodes (docs/decisions/0063-alerts.md): the agent asks for them apart from its polls, so that no lease and no action ever waits for one. An answer that is lost loses nothing: what the
 * agent does not name in `known` or `ended` is given again.
 */

const alertId = whole('Id of the run: no other one of the installation has it, and later ones have greater ones.', { min: 1 });

const agentAlert = z.object({
  id: alertId,
  alert: text('Id of the alert.'),
  recipient: optional(text('Id of the recipient.')),
  path: text('Of the program.', { max: LIMITS.alertPathChars }),
  timeoutMs: whole('After which the agent kills it, ms.', { min: 1 }),
  timestampFormat: text('How the time is to be written, as date(1) has it.', { min: 0 }),
  atMs: whole('When it happened, ms since 1970.', { max: LIMITS.durationMs }),
  variables: pairs('`CRM_alert_*`: but for the time and the number, which the agent adds.'),
  options: pairs('Further variables: the instance attributes of the alert.'),
  secrets: optional(pairs('Values of the references in the options; an agent keeps them apart from everything else.')),
  withheld: optional(pairs('Why the value of a reference in the options is not given.')),
});

export type AgentAlert = Wire<z.infer<typeof agentAlert>>;

/** How the run of an alert's program can end. */
export const ALERT_OUTCOMES = ['done', 'failed', 'timeout', 'not-run'] as const;

const alertEnd = z.strictObject({
  id: alertId,
  outcome: z
    .enum(ALERT_OUTCOMES)
    .describe('It exited with 0; with something else, or by a signal; it was killed as its time was up; it was not begun.'),
  rc: optional(z.int().min(0).max(255).describe('Exit code.')),
  detail: optional(text('What it printed last, or why it was not begun; for people.', { max: LIMITS.reasonChars })),
  execMs: whole('How long it took, ms.', { max: LIMITS.durationMs }),
});

export type AlertEnd = Wire<z.infer<typeof alertEnd>>;

export const alertsRequest = z.strictObject({
  incarnation: whole('As the join gave it.', { min: 1 }),
  waitMs: whole('How long to wait for something to run, ms; the server may answer earlier.', { max: LIMITS.waitMs }),
  known: z.array(alertId).max(LIMITS.alerts).describe('Runs that the agent has, and that have not ended.'),
  ended: z.array(alertEnd).max(LIMITS.alerts).describe('Runs that have ended. Told until an answer came.'),
});

export type AlertsRequest = Wire<z.infer<typeof alertsRequest>>;

export const alertsAnswer = z.object({
  alerts: z
    .array(agentAlert)
    .max(LIMITS.alerts)
    .describe('To be run; those of one alert and recipient one after the other, in this order.'),
});

export type AlertsAnswer = Wire<z.infer<typeof alertsAnswer>>;
