import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeError, StoreUnavailable } from './errors.js';
import { CONNECTION_LIMITS, limitedPool } from './limited-pool.js';
import { createScratchDatabase, withoutConnections, type ScratchDatabase } from './testing/index.js';

describe('a pool with limits', () => {
  let database: ScratchDatabase;
  beforeEach(async () => {
    database = await createScratchDatabase({ empty: true });
    await database.pool.query('CREATE TABLE things (id integer PRIMARY KEY); INSERT INTO things VALUES (1)');
  });
  afterEach(() => database.drop());

  it('limits statements, waits for locks and idle transactions of each of its connections', async () => {
    const pool = limitedPool({ databaseUrl: database.url, applicationName: 'test' });
    for (const [name, ms] of Object.entries(CONNECTION_LIMITS)) {
      const { rows } = await pool.query<{ ms: number }>('SELECT setting::integer AS ms FROM pg_settings WHERE name = $1', [name]);
      expect(rows).toEqual([{ ms }]);
    }
    await pool.end();
  });

  it('says when it has no connection to give, to whomever, and only then', async () => {
    let refused = 0;
    const pool = limitedPool({ databaseUrl: database.url, applicationName: 'test', connections: 1, onRefused: () => (refused += 1) });
    await pool.query('SELECT 1');
    await expect(pool.query('SELECT nothing')).rejects.toThrow();
    expect(refused).toBe(0);
    await withoutConnections(database.url, async () => {
      await expect(pool.query('SELECT 1')).rejects.toThrow();
      await expect(pool.connect()).rejects.toThrow();
    });
    expect(refused).toBe(2);
    const client = await pool.connect();
    client.release();
    expect(refused).toBe(2);
    await pool.end();
  });

  it('ends a transaction that its holder forgot; who waited goes on, and the holder is told instead of brought down', async () => {
    const lost: string[] = [];
    const pool = limitedPool({
      databaseUrl: database.url,
      applicationName: 'test',
      onLost: (reason) => lost.push(reason),
      limits: { idle_in_transaction_session_timeout: 300 },
    });
    const frozen = await pool.connect();
    await frozen.query('BEGIN');
    await frozen.query('UPDATE things SET id = 2');
    await pool.query('UPDATE things SET id = 3');
    await sleep(100);
    expect(lost[0]).toContain('idle-in-transaction timeout');
    await expect(frozen.query('COMMIT')).rejects.toThrow();
    frozen.release(true);
    expect((await database.pool.query('SELECT id FROM things')).rows).toEqual([{ id: 3 }]);
    await pool.end();
  });

  it.each([
    ['a statement', 'SELECT pg_sleep(10)'],
    ['a wait for a lock', 'UPDATE things SET id = 3'],
  ])('ends %s that takes too long, as an unavailable store that changed nothing', async (_, statement) => {
    const pool = limitedPool({ databaseUrl: database.url, applicationName: 'test', limits: { statement_timeout: 600, lock_timeout: 300 } });
    const holder = await database.pool.connect();
    await holder.query('BEGIN; UPDATE things SET id = 2');
    const error = await pool.query(statement).then(
      () => undefined,
      (reason: unknown) => storeError(reason, 'append'),
    );
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error).toMatchObject({ outcome: 'none' });
    await holder.query('ROLLBACK');
    holder.release();
    await pool.end();
  });
});
