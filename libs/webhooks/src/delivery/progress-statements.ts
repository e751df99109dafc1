import type { Severity } from '../entities/webhook.entity.js';
import { LONGEST_WAIT_MS } from './back-off.js';

/** How long a worker has a webhook without saying so again, ms. Longer than an attempt may take. */
export const HELD_MS = 60_000;

/** A webhook, as whoever delivers needs it. */
export interface HeldRow {
  readonly name: string;
  readonly url: string;
  readonly clusters: string[] | null;
  readonly audit: boolean;
  readonly types: string[] | null;
  readonly subjects: string[] | null;
  readonly actor: string | null;
  readonly severity: Severity;
  readonly authorities: string | null;
  readonly secret: string;
  /** Null also when its time is over. */
  readonly previous_secret: string | null;
  readonly enabled: boolean;
  readonly position: string;
  readonly attempts: number;
  /** Whether it may be tried now. */
  readonly due: boolean;
}

/**
 * $1 webhook, $2 holder. A moment further away than was ever set comes of a clock that was set back since: it counts for nothing.
 */
export const CLAIM = `
UPDATE webhook_progress AS progress
SET holder = $2, held_until = clock_timestamp() + interval '${String(HELD_MS)} milliseconds'
FROM webhooks AS webhook
WHERE progress.webhook_id = $1 AND webhook.id = progress.webhook_id
  AND (progress.holder IS NULL OR progress.held_until < clock_timestamp()
    OR progress.held_until > clock_timestamp() + interval '${String(HELD_MS)} milliseconds')
RETURNING webhook.name, url, clusters, audit, types, subjects, actor, severity, authorities, secret,
  CASE WHEN previous_until > clock_timestamp() THEN previous_secret END AS previous_secret, enabled, position, attempts,
  (next_attempt_at IS NULL OR next_attempt_at <= clock_timestamp()
    OR next_attempt_at > clock_timestamp() + interval '${String(LONGEST_WAIT_MS)} milliseconds') AS due`;

/** $1 webhook, $2 holder. No row: another one has it, or it was changed meanwhile. */
export const HOLD_ON = `
UPDATE webhook_progress
SET held_until = clock_timestamp() + interval '${String(HELD_MS)} milliseconds'
WHERE webhook_id = $1 AND holder = $2`;

/** $1 webhook, $2 holder, $3 position up to which nothing is for it. */
export const PASS_OVER = `
UPDATE webhook_progress
SET position = $3, held_until = clock_timestamp() + interval '${String(HELD_MS)} milliseconds'
WHERE webhook_id = $1 AND holder = $2`;

/** $1 webhook, $2 holder, $3 position; from $4 on: of {@link RECORDED}. */
export const DELIVERED = `
WITH held AS (
  UPDATE webhook_progress
  SET position = $3, attempts = 0, next_attempt_at = NULL, failing_since = NULL, last_error = NULL, delivered_at = clock_timestamp(),
    held_until = clock_timestamp() + interval '${String(HELD_MS)} milliseconds'
  WHERE webhook_id = $1 AND holder = $2
  RETURNING webhook_id
), recorded AS (
  INSERT INTO webhook_deliveries (webhook_id, kind, position, outcome, id, message_id, stream_id, version, event_type, attempt, status, error, answer, duration_ms)
  SELECT $1::uuid, 'event', $3::bigint, 'delivered', $4::uuid, $5, $6, $7::bigint, $8, $9::integer, $10::integer, $11, $12, $13::integer FROM held
)
SELECT FROM held`;

/** $1 webhook, $2 holder, $3 position of the event that could not be delivered; from $4 on as {@link DELIVERED}; $14 wait, ms. Says for how long it fails. */
export const FAILED = `
WITH held AS (
  UPDATE webhook_progress
  SET attempts = attempts + 1, failing_since = coalesce(failing_since, clock_timestamp()), last_error = $11,
    next_attempt_at = clock_timestamp() + $14 * interval '1 millisecond'
  WHERE webhook_id = $1 AND holder = $2
  RETURNING failing_since
), recorded AS (
  INSERT INTO webhook_deliveries (webhook_id, kind, position, outcome, id, message_id, stream_id, version, event_type, attempt, status, error, answer, duration_ms)
  SELECT $1::uuid, 'event', $3::bigint, 'failed', $4::uuid, $5, $6, $7::bigint, $8, $9::integer, $10::integer, $11, $12, $13::integer FROM held
)
SELECT extract(epoch FROM clock_timestamp() - failing_since) * 1000 AS failing_ms FROM held`;

/** $1 webhook, $2 holder. */
export const RELEASE = `
UPDATE webhook_progress SET holder = NULL, held_until = NULL WHERE webhook_id = $1 AND holder = $2`;

/** $1 webhook, $2 most. */
export const WAITING = `
SELECT id, kind, stream_id, version FROM webhook_deliveries
WHERE webhook_id = $1 AND outcome = 'waiting'
ORDER BY at
LIMIT $2`;

/** $1 delivery, $2 outcome, $3 message id, $4 status, $5 error, $6 beginning of the answer, $7 ms. */
export const MADE = `
UPDATE webhook_deliveries
SET outcome = $2, attempt = 1, message_id = $3, status = $4, error = $5, answer = $6, duration_ms = $7, at = clock_timestamp()
WHERE id = $1 AND outcome = 'waiting'`;

/** Those with something to do, and what they are for. */
export const AT_WORK = `
SELECT id, clusters, audit, types, subjects, actor, severity, enabled FROM webhooks
WHERE enabled OR EXISTS (SELECT FROM webhook_deliveries WHERE webhook_id = webhooks.id AND outcome = 'waiting')`;
