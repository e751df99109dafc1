import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorker, type RunningWorker } from './create-worker.js';
import { freePort } from './testing/free-port.js';

describe('a worker from which the events are locked away', () => {
  let database: ScratchDatabase;
  let worker: RunningWorker;
  let healthPort: number;

  beforeEach(async () => {
    database = await createScratchDatabase();
    healthPort = await freePort();
    worker = await createWorker({ databaseUrl: database.url, healthPort, logLevel: 'silent' });
  });

  afterEach(async () => {
    await worker.close();
    await database.drop();
  });

  const readiness = async (): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${String(healthPort)}/health/ready`);
    return { status: response.status, body: await response.json() };
  };

  it('says that it is not ready, for as long as that lasts, however often it is asked', { timeout: 30_000 }, async () => {
    expect(await readiness()).toMatchObject({ status: 200, body: { parts: { database: 'up', log: 'up' } } });
    const holder = await database.pool.connect();
    await holder.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
    const unread = { status: 503, body: { parts: { database: 'up', log: 'can not be read: no answer within 2000 ms' } } };
    const answers = await Promise.all(Array.from({ length: 12 }, readiness));
    await holder.query('ROLLBACK');
    holder.release();
    expect(answers).toMatchObject(Array.from({ length: 12 }, () => unread));
    await expect.poll(readiness, { timeout: 10_000 }).toMatchObject({ status: 200, body: { parts: { log: 'up' } } });
  });
});
