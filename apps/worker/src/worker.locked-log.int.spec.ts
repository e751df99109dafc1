import { createScratchDatabase, FallingSilent, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorker, type RunningWorker } from './create-worker.js';
import { freePort } from '@systole/queue/testing';

describe('a worker', () => {
  let database: ScratchDatabase;
  let way: FallingSilent;
  let worker: RunningWorker;
  let healthPort: number;

  beforeEach(async () => {
    database = await createScratchDatabase();
    way = await FallingSilent.before(database.url);
    healthPort = await freePort();
    worker = await createWorker({ databaseUrl: way.url, healthPort, logLevel: 'silent' });
  });

  afterEach(async () => {
    await way.close();
    await worker.close();
    await database.drop();
  });

  const readiness = async (): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${String(healthPort)}/health/ready`);
    return { status: response.status, body: await response.json() };
  };

  it.each(['events', 'action_dispatches', 'node_leases', 'cluster_claims'])(
    'from which %s is locked away says that it is not ready, for as long as that lasts, however often it is asked',
    { timeout: 30_000 },
    async (table) => {
      await expect.poll(readiness, { timeout: 10_000 }).toMatchObject({ status: 200, body: { parts: { database: 'up', log: 'up' } } });
      const holder = await database.pool.connect();
      await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      const log = `${table} can not be read: no answer within 2000 ms`;
      const answers = await Promise.all(Array.from({ length: 12 }, readiness));
      await holder.query('ROLLBACK');
      holder.release();
      expect(answers).toMatchObject(Array.from({ length: 12 }, () => ({ status: 503, body: { parts: { database: 'up', log } } })));
      await expect.poll(readiness, { timeout: 10_000 }).toMatchObject({ status: 200, body: { parts: { log: 'up' } } });
    },
  );

  it('under which a dump of an older version was restored says that it is not ready, and what is missing', async () => {
    await expect.poll(readiness, { timeout: 10_000 }).toMatchObject({ status: 200 });
    await database.pool.query('ALTER TABLE node_leases DROP COLUMN answered');
    await database.pool.query('DROP FUNCTION event_version_at(text, timestamptz)');
    const what = 'lacks the column node_leases.answered, the function event_version_at(text, timestamp with time zone): put it back';
    expect(await readiness()).toMatchObject({ status: 503, body: { parts: { log: expect.stringContaining(what) as string } } });
  });

  it('from which only tables of the apis are locked away is ready', async () => {
    const holder = await database.pool.connect();
    await holder.query('BEGIN; LOCK TABLE tokens, idempotency_keys IN ACCESS EXCLUSIVE MODE');
    await expect.poll(readiness, { timeout: 10_000 }).toMatchObject({ status: 200 });
    await holder.query('ROLLBACK');
    holder.release();
  });

  it('whose database falls silent says so within two seconds and little more', { timeout: 30_000 }, async () => {
    await expect.poll(readiness, { timeout: 10_000 }).toMatchObject({ status: 200 });
    way.fallSilent();
    const before = performance.now();
    expect(await readiness()).toMatchObject({ status: 503, body: { parts: { database: 'no answer within 2000 ms' } } });
    expect(performance.now() - before).toBeLessThan(3_000);
  });
});
