import type { ApiBeats, Heartbeats } from '@systole/control-plane';
import type { Pool } from 'pg';

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

/** The table `api_heartbeats`. */
export class PostgresHeartbeats implements Heartbeats {
  constructor(private readonly pool: Pool) {}

  async beat(apiId: string, unbroken: boolean): Promise<void> {
    await this.pool.query({ name: 'systole-api-beat', text: BEAT, values: [apiId, unbroken] });
  }

  async forgetOld(): Promise<void> {
    await this.pool.query(FORGET_OLD);
  }

  async all(): Promise<readonly ApiBeats[]> {
    const { rows } = await this.pool.query<ApiBeats>({ name: 'systole-api-beats', text: ALL });
    return rows;
  }
}
