import type { Pool } from 'pg';

/** How often each api writes that it is up, ms. */
export const BEAT_MS = 500;

/** An api that was not heard of for longer, ms, was away: leases could not be renewed there meanwhile. */
export const LONGEST_SILENCE_MS = 2_000;

/** One api's row. */
export interface ApiBeats {
  readonly apiId: string;
  /** Beats since it came up, or was silent for too long: each at least BEAT_MS after the one before. No clock tells them. */
  readonly beats: number;
}

/** $1 api, $2 whether there was no silence before. The times are for people. */
const BEAT = `
INSERT INTO api_heartbeats AS known (api_id, up_since, beat_at, beats)
SELECT $1, at, at, 1 FROM (SELECT clock_timestamp() AS at) AS clock
ON CONFLICT (api_id) DO UPDATE
SET up_since = CASE WHEN $2::boolean THEN known.up_since ELSE excluded.beat_at END,
    beat_at = excluded.beat_at,
    beats = CASE WHEN $2::boolean THEN known.beats + 1 ELSE 1 END`;

/** Tidying only: an api that is up writes its row anew. */
const FORGET_OLD = `
DELETE FROM api_heartbeats WHERE beat_at < clock_timestamp() - interval '1 day'`;

const ALL = `
SELECT api_id AS "apiId", beats::float8 AS beats FROM api_heartbeats`;

/**
 * Whether there was anybody to renew a lease with. A lease that ended while every api was away says nothing about its node, so the api writes down
 * that it is up, and the lease watch judges only what happened under its eyes.
 */
export class ApiHeartbeats {
  constructor(private readonly pool: Pool) {}

  /**
   * Says that this api can receive renewals now.
   *
   * @param apiId of this process: a new one for each start
   * @param unbroken whether the beat before was at most LONGEST_SILENCE_MS ago, by this process's monotonic clock
   */
  async beat(apiId: string, unbroken: boolean): Promise<void> {
    await this.pool.query({ name: 'systole-api-beat', text: BEAT, values: [apiId, unbroken] });
  }

  /** Forgets apis that are gone. */
  async forgetOld(): Promise<void> {
    await this.pool.query(FORGET_OLD);
  }

  /** What each api wrote last, also of those that are gone. */
  async all(): Promise<readonly ApiBeats[]> {
    const { rows } = await this.pool.query<ApiBeats>({ name: 'systole-api-beats', text: ALL });
    return rows;
  }
}
