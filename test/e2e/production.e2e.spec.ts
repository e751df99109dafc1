import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystoleClient } from '@systole/api-client';
import { createScratchDatabase } from '@systole/event-store/testing';
import { DemoCluster, Rebooting, runScript, STEP_COUNT } from '@systole/examples';
import { describe, expect, it } from 'vitest';
import { eventFeed } from './event-feed.js';
import { ServerProcesses } from './server-processes.js';

const redisUrl = process.env['REDIS_URL'];

describe.skipIf(redisUrl === undefined)('the demonstration on PostgreSQL and Redis, api and worker as separate processes', () => {
  it('reaches the same verdicts as embedded', { timeout: 150_000 }, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'systole-e2e-'));
    const database = await createScratchDatabase();
    const servers = await ServerProcesses.start({
      databaseUrl: database.url,
      leaseMs: 4_000,
      settings: { SYSTOLE_WARM_UP: 'on' },
      ...(redisUrl === undefined ? {} : { redisUrl }),
    });
    const client = createSystoleClient({ baseUrl: servers.url, token: servers.adminToken });
    const cluster = await DemoCluster.create({ client, serverUrl: servers.url, directory });
    const rebooting = new Rebooting(cluster.nodes, () => undefined);
    const feed = eventFeed(cluster, (event) => {
      rebooting.observe(event);
    });
    try {
      const verdicts = await runScript(cluster, () => undefined);
      expect(verdicts.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}\n${servers.log}`)).toEqual([]);
      expect(verdicts).toHaveLength(STEP_COUNT);
    } finally {
      await feed.stop();
      rebooting.stop();
      await cluster.stop();
      await servers.stop();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    }
  });
});
