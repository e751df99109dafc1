import type { Pool } from 'pg';

/** How often each api writes that it is up, ms. */
export const BEAT_MS = 500;

/** An api that was not heard of for longer, ms, was away: leases could not be renewed there meanwhile. */
export const LONGEST_SILENCE_MS = 2_000;

/** When one api was up without a break: epoch ms, by the database's clock. */
export interface ApiPresence {
  readonly upSince: number;
  readonly beatAt: number;
}

/** When leases could be renewed without a break, at some api or other: epoch ms, by the database's clock. */
export interface ServedSpan {
  readonly since: number;
  /** Later than this nobody knows yet. */
  readonly until: number;
}

/** $1 api, $2 longest silence in ms. */
const BEAT = `
INSERT INTO api_heartbeats AS known (api_id, up_since, beat_at)
SELECT $1, at, at FROM (SELECT clock_timestamp() AS at) AS clock
ON CONFLICT (api_id) DO UPDATE
SET up_since = CASE WHEN excluded.beat_at - known.beat_at > $2 * interval '1 ms' THEN excluded.beat_at ELSE known.up_since END,
    beat_at = excluded.beat_at`;

/** No lease is as long as a day. */
const FORGET_OLD = `
DELETE FROM api_heartbeats WHERE beat_at < clock_timestamp() - interval '1 day'`;

const PRESENCES = `
SELECT (extract(epoch FROM up_since) * 1000)::float8 AS "upSince", (extract(epoch FROM beat_at) * 1000)::float8 AS "beatAt"
FROM api_heartbeats`;

/**
 * Whether there was anybody to renew a lease with. A lease that ended while every api was away says nothing about its node, so the api writes down
 * that it is up, and the lease watch judges only what happened under its eyes.
 */
export class ApiHeartbeats {
  constructor(private readonly pool: Pool) {}

  /** Says that this api can receive renewals now. @param apiId of this process: a new one for each start */
  async beat(apiId: string): Promise<void> {
    await this.pool.query({ name: 'systole-api-beat', text: BEAT, values: [apiId, LONGEST_SILENCE_MS] });
  }

  /** Forgets apis that have been gone for longer than any lease lasts. */
  async forgetOld(): Promise<void> {
    await this.pool.query(FORGET_OLD);
  }

  /** @returns undefined when no api is up */
  async servedSpan(now: number): Promise<ServedSpan | undefined> {
    const { rows } = await this.pool.query<ApiPresence>({ name: 'systole-api-presences', text: PRESENCES });
    return servedSpan(rows, now);
  }
}

/**
 * The newest unbroken time of service up to `now`, from the presences of all apis: one may follow the other, as when they are replaced in turn.
 *
 * @returns undefined when no api was heard of lately
 */
export function servedSpan(presences: readonly ApiPresence[], now: number): ServedSpan | undefined {
  const newestFirst = presences.toSorted((a, b) => b.beatAt - a.beatAt);
  const until = newestFirst[0]?.beatAt;
  if (until === undefined || now - until > LONGEST_SILENCE_MS) return undefined;
  let since = until;
  for (const { upSince, beatAt } of newestFirst) {
    if (since - beatAt > LONGEST_SILENCE_MS) break;
    since = Math.min(since, upSince);
  }
  return { since, until };
}
