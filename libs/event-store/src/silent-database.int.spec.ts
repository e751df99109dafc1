import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailable } from './errors.js';
import { EventStore } from './event-store.js';
import { limitedPool } from './limited-pool.js';
import { inTransaction } from './postgres/transaction.js';
import { createScratchDatabase, FallingSilent, type ScratchDatabase } from './testing/index.js';

const WAIT_MS = 400;
const META = { actor: 'a', command: 'test', correlationId: 'c' };

describe('when the connections to the database fall silent, which nobody says', () => {
  let database: ScratchDatabase;
  let way: FallingSilent;
  let pool: ReturnType<typeof limitedPool>;

  beforeEach(async () => {
    database = await createScratchDatabase();
    way = await FallingSilent.before(database.url);
    pool = limitedPool({ databaseUrl: way.url, applicationName: 'test', limits: { query_timeout: WAIT_MS } });
  });
  afterEach(async () => {
    await way.close();
    await pool.end();
    await database.drop();
  });

  async function timed<T>(work: Promise<T>): Promise<{ readonly ms: number; readonly error: unknown }> {
    const start = performance.now();
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { ms: performance.now() - start, error };
  }

  it('a statement is given up in time, and the next one has a connection that works', async () => {
    await pool.query('SELECT 1');
    way.fallSilent();
    const { ms, error } = await timed(pool.query('SELECT 1'));
    expect(error).toMatchObject({ message: 'Query read timeout' });
    expect(ms).toBeLessThan(2 * WAIT_MS);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('a transaction is given up with its first statement that has no answer, and what it did is undone', async () => {
    await pool.query('CREATE TABLE things (id integer)');
    const { ms, error } = await timed(
      inTransaction(pool, async (client) => {
        await client.query('INSERT INTO things VALUES (1)');
        way.fallSilent();
        await client.query('INSERT INTO things VALUES (2)');
      }),
    );
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error).toMatchObject({ outcome: 'none' });
    // Not twice as long, as it would be if a ROLLBACK were waited for.
    expect(ms).toBeLessThan(1.9 * WAIT_MS);
    expect((await pool.query('SELECT id FROM things')).rows).toEqual([]);
  });

  it('whether an append took place is not known when COMMIT has no answer', async () => {
    const store = new EventStore(pool);
    await store.append('s', 0, [{ type: 'T', data: {} }], META);
    const { error } = await timed(
      inTransaction(pool, async (client) => {
        await client.query('SELECT 1');
        way.fallSilent();
      }),
    );
    expect(error).toMatchObject({ outcome: 'unknown' });
    await store.close();
  });

  it('appends of others are heard of again', { timeout: 30_000 }, async () => {
    const [listening, writing] = [new EventStore(pool, { lookEveryMs: 100 }), new EventStore(database.pool)];
    const heard: number[] = [];
    await listening.onAppend((_, version) => heard.push(version));
    await writing.append('s', 0, [{ type: 'T', data: {} }], META);
    await expect.poll(() => heard).toEqual([1]);
    way.fallSilent();
    await writing.append('s', 1, [{ type: 'T', data: {} }], META);
    await expect.poll(() => heard.at(-1), { timeout: 15_000 }).toBe(2);
    await Promise.all([listening.close(), writing.close()]);
  });
});
