import { randomUUID } from 'node:crypto';
import type { ClusterEvent } from '@systole/cluster';
import { EventStore, limitedPool } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { ClusterStates } from '@systole/read-models';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PostgresClaims } from './claims/postgres-claims.js';
import { postgresPorts, type PostgresPorts } from './postgres-ports.js';

const CLUSTERS = Array.from({ length: 50 }, () => randomUUID());

let database: ScratchDatabase;
let pool: pg.Pool;
let store: EventStore<ClusterEvent>;
let ports: PostgresPorts;

beforeAll(async () => {
  database = await createScratchDatabase();
  pool = limitedPool({ databaseUrl: database.url, applicationName: 'test' });
  store = new EventStore<ClusterEvent>(pool);
  ports = postgresPorts(pool, store, new ClusterStates(store), { by: 'test', report: { warn: () => undefined } });
});
afterAll(async () => {
  ports.logWrites.close();
  await store.close();
  await pool.end();
  await database.drop();
});

/** How many statements all connections of this process send meanwhile. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
  }
}

/** What one of many clusters asks at the same moment as the others costs the database little more than if it were the only one. */
describe('what many clusters ask at once goes together', () => {
  it('their leases', async () => {
    const [first = ''] = CLUSTERS;
    await database.pool.query(
      `INSERT INTO node_leases (cluster_id, node, incarnation, token_id, lease_ms, expires_at, renewed_at, answered)
       SELECT $1, node, 1, 't', 1000, now(), now(), '' FROM unnest('{b,a}'::text[]) AS node`,
      [first],
    );
    let found: readonly (readonly string[])[] = [];
    const statements = await statementsOf(async () => {
      found = await Promise.all([...CLUSTERS, first].map(async (id) => (await ports.leases.ofCluster(id)).map(({ node }) => node)));
    });
    expect(found).toEqual([['a', 'b'], ...CLUSTERS.slice(1).map(() => []), ['a', 'b']]);
    expect(statements).toBe(1);
  });

  it('the time', async () => {
    const statements = await statementsOf(() => Promise.all(CLUSTERS.map(() => ports.databaseClock.now())));
    expect(statements).toBe(1);
  });

  it('claims, taken and let go of', async () => {
    const claims = new PostgresClaims(database.url);
    try {
      await claims.look('');
      const taking = await statementsOf(() => Promise.all(CLUSTERS.map((id) => claims.take(id, `of-${id}`))));
      const releasing = await statementsOf(() => Promise.all(CLUSTERS.map((id) => claims.release(id, `of-${id}`))));
      expect([taking, releasing]).toEqual([1, 1]);
    } finally {
      await claims.close();
    }
  });
});

describe('what several parts ask of one cluster at once', () => {
  const newCluster = async (): Promise<string> => {
    const id = randomUUID();
    const made = await ports.commands().execute(id, { type: 'create-cluster', name: id }, { actor: 'test', correlationId: 'test' });
    if (!made.ok) throw new Error(made.rejection.message);
    await ports.log.load(id);
    return id;
  };

  it('is read once', async () => {
    const id = await newCluster();
    let versions: readonly number[] = [];
    const statements = await statementsOf(async () => {
      versions = (await Promise.all([1, 2, 3].map(() => ports.log.load(id)))).map(({ version }) => version);
    });
    expect(versions).toEqual([1, 1, 1]);
    expect(statements).toBe(1);
  });

  it('is read anew for whoever asks after that began: what was stored meanwhile is in it', async () => {
    const id = await newCluster();
    const other = postgresPorts(database.pool, store, new ClusterStates(store), { by: 'test', report: { warn: () => undefined } });
    const query = vi.spyOn(pg.Client.prototype, 'query');
    try {
      const early = ports.log.load(id);
      // It is on its way to the database, and whatever it says is of now.
      await vi.waitUntil(() => query.mock.calls.length > 0, { interval: 0 });
      const joined = await other
        .commands()
        .execute(id, { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 1_000 }, { actor: 'test', correlationId: 'test' });
      if (!joined.ok) throw new Error(joined.rejection.message);
      expect((await ports.log.load(id)).version).toBe(2);
      await early;
    } finally {
      query.mockRestore();
    }
    other.logWrites.close();
  });
});
