import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStore } from '@systole/event-store';
import type { ClusterEvent } from '@systole/cluster';
import { createScratchDatabase, mostConnectionsWhile, type ScratchDatabase } from '@systole/event-store/testing';
import { migrate } from '@systole/migrations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorker, type RunningWorker } from './create-worker.js';
import { AgentDesk } from './testing/simulated-node.js';

const CIB =
  '<cib validate-with="pacemaker-4.0" epoch="1" num_updates="0" admin_epoch="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/></nodes><resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources><constraints/></configuration><status/></cib>';
const CLUSTERS = 60;
const MOST = 10;

describe('the connections of a worker', () => {
  let database: ScratchDatabase;
  let worker: RunningWorker | undefined;
  beforeEach(async () => {
    database = await createScratchDatabase();
  });
  afterEach(async () => {
    await worker?.close();
    worker = undefined;
    await database.drop();
  });

  it('are as few as was said, however many clusters it moves', async () => {
    const store = new EventStore<ClusterEvent>(database.pool);
    const desk = new AgentDesk(database.pool, store);
    const ids = Array.from({ length: CLUSTERS }, () => randomUUID());
    for (const [index, id] of ids.entries()) {
      const made = { actor: 'test', correlationId: id };
      await desk.commands.execute(id, { type: 'create-cluster', name: `c${String(index)}`, cib: CIB }, made);
      await desk.commands.execute(id, { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 60_000 }, made);
    }
    worker = await createWorker({ databaseUrl: database.url, logLevel: 'silent', leaseScanMs: 100 });
    const planned = async (): Promise<number> =>
      Number((await database.pool.query<{ n: string }>(`SELECT count(DISTINCT cluster_id) AS n FROM transitions`)).rows[0]?.n);
    const { inAll, byName } = await mostConnectionsWhile(database.pool, async () => {
      // A worker does nothing before it has heard each node: the lease that it writes for one that has none is no word of that.
      for (const until = Date.now() + 30_000; Date.now() < until && (await planned()) < CLUSTERS;) {
        await Promise.all(ids.map((id) => desk.ports.leases.renew(id, 'n1', 1, { type: 'renews' })));
        await sleep(500);
      }
    });
    await store.close();
    expect(await planned()).toBe(CLUSTERS);
    expect(byName.get('systole worker')).toBeGreaterThan(1);
    expect([inAll <= MOST, inAll, Object.fromEntries(byName)]).toEqual([true, inAll, expect.anything()]);
  }, 60_000);

  it('are waited for at its start when PostgreSQL has none free', async () => {
    const role = `programs_${randomUUID().slice(0, 8)}`;
    await migrate(database.url, { applicationRole: role, applicationPassword: role });
    await database.pool.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
    const url = new URL(database.url);
    url.username = role;
    url.password = role;
    try {
      let started = false;
      const starting = createWorker({ databaseUrl: url.href, logLevel: 'silent' }).then((running) => {
        started = true;
        worker = running;
      });
      await Promise.race([starting, sleep(2_500)]);
      expect(started).toBe(false);
      await database.pool.query(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
      await starting;
      await worker?.close();
      worker = undefined;
    } finally {
      await database.pool.query(`DROP OWNED BY ${role}`);
      await database.pool.query(`DROP ROLE ${role}`);
    }
  }, 60_000);
});
