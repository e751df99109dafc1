import type { ApiBeats, Heartbeats } from '@systole/control-plane';
import type { Pool } from 'pg';
import type { LogWrites } from '../log/log-writes.js';

/** The tables `api_heartbeats` and `worker_heartbeats`. */
export class PostgresHeartbeats implements Heartbeats {
  /** @param of whose beats @param writes hears that one could not be written */
  constructor(
    private readonly pool: Pool,
    private readonly of: 'api' | 'worker',
    private readonly writes: LogWrites,
  ) {}

  /** The times are for people. */
  async beat(apiId: string, unbroken: boolean, trouble?: string): Promise<void> {
    const text = `
INSERT INTO ${this.of}_heartbeats AS known (${this.of}_id, up_since, beat_at, beats, trouble)
SELECT $1, at, at, 1, $3 FROM (SELECT clock_timestamp() AS at) AS clock
ON CONFLICT (${this.of}_id) DO UPDATE
SET up_since = CASE WHEN $2::boolean THEN known.up_since ELSE excluded.beat_at END,
    beat_at = excluded.beat_at,
    trouble = excluded.trouble,
    beats = CASE WHEN $2::boolean THEN known.beats + 1 ELSE 1 END`;
    const values = [apiId, unbroken, trouble ?? null];
    await this.writes.hear('heartbeat', () => this.pool.query({ name: `systole-${this.of}-beat`, text, values }));
  }

  /** Tidying only: a process that is up writes its row anew. */
  async forgetOld(): Promise<void> {
    await this.pool.query(`DELETE FROM ${this.of}_heartbeats WHERE beat_at < clock_timestamp() - interval '1 day'`);
  }

  async all(): Promise<readonly ApiBeats[]> {
    const text = `SELECT ${this.of}_id AS "apiId", beats::float8 AS beats, trouble FROM ${this.of}_heartbeats`;
    const { rows } = await this.pool.query<Pick<ApiBeats, 'apiId' | 'beats'> & { readonly trouble: string | null }>({
      name: `systole-${this.of}-beats`,
      text,
    });
    return rows.map(({ trouble, ...beats }) => (trouble === null ? beats : { ...beats, trouble }));
  }
}
