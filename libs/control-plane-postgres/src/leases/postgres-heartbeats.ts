import type { ApiBeats, Heartbeats } from '@systole/control-plane';
import type { Pool } from 'pg';

/** The tables `api_heartbeats` and `worker_heartbeats`. */
export class PostgresHeartbeats implements Heartbeats {
  /** @param of whose beats */
  constructor(
    private readonly pool: Pool,
    private readonly of: 'api' | 'worker' = 'api',
  ) {}

  /** The times are for people. */
  async beat(apiId: string, unbroken: boolean): Promise<void> {
    const text = `
INSERT INTO ${this.of}_heartbeats AS known (${this.of}_id, up_since, beat_at, beats)
SELECT $1, at, at, 1 FROM (SELECT clock_timestamp() AS at) AS clock
ON CONFLICT (${this.of}_id) DO UPDATE
SET up_since = CASE WHEN $2::boolean THEN known.up_since ELSE excluded.beat_at END,
    beat_at = excluded.beat_at,
    beats = CASE WHEN $2::boolean THEN known.beats + 1 ELSE 1 END`;
    await this.pool.query({ name: `systole-${this.of}-beat`, text, values: [apiId, unbroken] });
  }

  /** Tidying only: a process that is up writes its row anew. */
  async forgetOld(): Promise<void> {
    await this.pool.query(`DELETE FROM ${this.of}_heartbeats WHERE beat_at < clock_timestamp() - interval '1 day'`);
  }

  async all(): Promise<readonly ApiBeats[]> {
    const text = `SELECT ${this.of}_id AS "apiId", beats::float8 AS beats FROM ${this.of}_heartbeats`;
    const { rows } = await this.pool.query<ApiBeats>({ name: `systole-${this.of}-beats`, text });
    return rows;
  }
}
