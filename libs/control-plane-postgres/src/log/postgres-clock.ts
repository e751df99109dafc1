import type { DatabaseClock } from '@systole/control-plane';
import { Batch } from '@systole/event-store';
import type { Pool } from 'pg';
import type { Statements } from './statements.js';

/** Most who are told the time by one statement. */
const MOST_ASKING = 500;

const NOW = { name: 'systole-now', text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms' };

/** The clock of the database server. */
export class PostgresClock implements DatabaseClock {
  /** Together: each turn of a cluster asks. Whoever asks is told a time after that. */
  readonly #asking: Batch<undefined, number>;

  constructor(pool: Pool) {
    this.#asking = new Batch(async (asking) => {
      const ms = await clockIn(pool).now();
      return asking.map(() => ms);
    }, MOST_ASKING);
  }

  /** Epoch ms. */
  async now(): Promise<number> {
    return this.#asking.add(undefined);
  }
}

/** The same in a transaction: not when that began. */
export function clockIn(statements: Statements): DatabaseClock {
  return {
    now: async () => {
      const { rows } = await statements.query<{ ms: number }>(NOW);
      const [row] = rows;
      if (!row) throw new Error('the database did not tell its time');
      return row.ms;
    },
  };
}
