import type { DatabaseClock } from '@systole/control-plane';
import type { Pool } from 'pg';

/** The clock of the database server. */
export class PostgresClock implements DatabaseClock {
  constructor(private readonly pool: Pool) {}

  /** Epoch ms. */
  async now(): Promise<number> {
    const { rows } = await this.pool.query<{ ms: number }>({
      name: 'systole-now',
      text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    });
    const [row] = rows;
    if (!row) throw new Error('the database did not tell its time');
    return row.ms;
  }
}
