import { UnknownPosition, type DomainEvent, type EventTail } from '@systole/event-store';
import type { Pool } from 'pg';
import { WebhookFilter } from './filter/webhook-filter.js';
import type { WebhookWithProgress } from './webhooks.js';

/** How far a webhook is behind the log. */
export interface Behind {
  /** Events that are for it and were not delivered yet, as far as it was looked. */
  readonly events: number;
  /** It was not looked up to the end: there may be more. */
  readonly more: boolean;
  /** Age of the oldest of these events by the database's clock, ms; 0 when there is none. */
  readonly ms: number;
}

/** Whose oldest event is older than this has a receiver, or workers, that do not keep up, ms. */
export const BEHIND_MS = 300_000;

/**
 * @param pages so many of the log are looked through
 * @returns undefined: the log does not have the place that it has got to: a worker disables it then
 */
export async function behind(
  { webhook, progress }: WebhookWithProgress,
  { pool, tail }: { readonly pool: Pool; readonly tail: Pick<EventTail<DomainEvent>, 'after'> },
  pages: number,
): Promise<Behind | undefined> {
  const filter = new WebhookFilter(webhook);
  let position = progress.position;
  let events = 0;
  let oldest: string | undefined;
  try {
    for (let read = 0; read < pages; read++) {
      const page = await tail.after({ position });
      for (const event of page.events) {
        position = event.globalPosition;
        if (!filter.lets(event)) continue;
        events += 1;
        oldest ??= event.occurredAt;
      }
      if (!page.more) return { events, more: false, ms: await ageOf(pool, oldest) };
    }
    return { events, more: true, ms: await ageOf(pool, oldest) };
  } catch (error) {
    if (error instanceof UnknownPosition) return undefined;
    throw error;
  }
}

/** Of the webhooks that are enabled. */
export interface WebhookLag {
  /** How many have an event before them that is older than {@link BEHIND_MS}. */
  readonly behind: number;
  /** Age of the oldest event that one of them has not got past, ms. Events that are for none of them count until a worker has passed over them, which it does within half a minute. */
  readonly ms: number;
}

const LAG = `
SELECT count(*) FILTER (WHERE ms > $1)::integer AS behind, greatest(coalesce(max(ms), 0), 0)::float8 AS ms
FROM (
  SELECT extract(epoch FROM clock_timestamp() - next.occurred_at) * 1000 AS ms
  FROM webhooks
  JOIN webhook_progress AS progress ON progress.webhook_id = webhooks.id
  CROSS JOIN LATERAL (
    SELECT occurred_at FROM events WHERE global_position > progress.position ORDER BY global_position LIMIT 1
  ) AS next
  WHERE enabled
) AS lags`;

/** How far behind the log the webhooks of an installation are. */
export async function webhookLag(pool: Pool): Promise<WebhookLag> {
  const { rows } = await pool.query<WebhookLag>(LAG, [BEHIND_MS]);
  return rows[0] ?? { behind: 0, ms: 0 };
}

/** For people; undefined when all keep up. */
export function behindText({ behind: count, ms }: WebhookLag): string | undefined {
  if (count === 0) return undefined;
  const which = count === 1 ? 'one webhook has' : `${String(count)} webhooks have`;
  const [bound, oldest] = [BEHIND_MS, ms].map((each) => Math.floor(each / 1_000));
  return `${which} not got past events that are older than ${String(bound)} s (the oldest: ${String(oldest)} s): systole webhook list says which, and what goes wrong`;
}

async function ageOf(pool: Pool, at: string | undefined): Promise<number> {
  if (at === undefined) return 0;
  const { rows } = await pool.query<{ ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp() - $1::timestamptz) * 1000)::float8 AS ms',
    [at],
  );
  return Math.max(0, Math.round(rows[0]?.ms ?? 0));
}
