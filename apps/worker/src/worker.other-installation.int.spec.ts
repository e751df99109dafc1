import { openInstallation } from '@systole/control-plane-postgres';
import { createScratchDatabase, swapDatabases, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorker, type RunningWorker } from './create-worker.js';
import { freePort } from '@systole/queue/testing';

describe('a worker whose database gives way to that of another installation', () => {
  let own: ScratchDatabase;
  let other: ScratchDatabase;
  let worker: RunningWorker;
  let health: string;
  beforeAll(async () => {
    own = await createScratchDatabase();
    other = await createScratchDatabase();
    // Scratch databases are clones of one.
    await other.pool.query('DELETE FROM installation');
    await openInstallation(other.pool);
    const healthPort = await freePort();
    health = `http://127.0.0.1:${String(healthPort)}/health/ready`;
    worker = await createWorker({ databaseUrl: own.url, logLevel: 'silent', healthPort });
  });
  afterAll(async () => {
    await worker.close();
    await own.drop();
    await other.drop();
  });

  it('is not ready, writes nothing there, and goes on by itself when its own is back', async () => {
    expect((await fetch(health)).status).toBe(200);
    await swapDatabases(own.url, other.url);
    const refused = await fetch(health);
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('not that of the installation of Systole')]);
    // It beats twice a second.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    // The pools of this test find the database of their name.
    const { rows } = await own.pool.query('SELECT worker_id FROM worker_heartbeats UNION ALL SELECT cluster_id FROM cluster_claims');
    expect(rows).toEqual([]);
    await swapDatabases(own.url, other.url);
    await expect.poll(async () => (await fetch(health)).status, { timeout: 5_000 }).toBe(200);
    const beats = async (): Promise<unknown> => (await own.pool.query<{ beats: string }>('SELECT beats FROM worker_heartbeats')).rows[0];
    const before = await beats();
    await expect.poll(beats, { timeout: 5_000 }).not.toEqual(before);
  }, 30_000);
});
