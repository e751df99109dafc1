import type { DatabaseClock } from '@systole/control-plane';
import { Batch } from '@systole/event-store';
import type { Pool } from 'pg';

/** Most who are told the time by one statement. */
const MOST_ASKING = 500;

/** The clock of the database server. */
export class PostgresClock implements DatabaseClock {
  /** Together: each turn of a cluster asks. Whoever asks is told a time after that. */
  readonly #asking: Batch<undefined, number>;

  constructor(pool: Pool) {
    this.#asking = new Batch(async (asking) => {
      const { rows } = await pool.query<{ ms: number }>({
        name: 'systole-now',
        text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
      });
      const [row] = rows;
      if (!row) throw new Error('the database did not tell its time');
      return asking.map(() => row.ms);
    }, MOST_ASKING);
  }

  /** Epoch ms. */
  async now(): Promise<number> {
    return this.#asking.add(undefined);
  }
}
