import { randomUUID } from 'node:crypto';
import type { ClusterEvent } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { postgresPorts } from '../postgres-ports.js';
import { SharedStates } from './shared-states.js';

const META = { actor: 'test', correlationId: 'test' };
const report = { warn: () => undefined };

let database: ScratchDatabase;
let shared: SharedStates;

beforeAll(async () => {
  database = await createScratchDatabase();
  shared = await SharedStates.open({ databaseUrl: database.url, report });
});
afterAll(async () => {
  await shared.close();
  await database.drop();
});

/** One of the parts that read the same states, with a store of its own. */
function part(by: string): ReturnType<typeof postgresPorts> {
  const store = new EventStore<ClusterEvent>(database.pool);
  onTestFinished(() => store.close());
  return postgresPorts(database.pool, store, shared.states, { by, report });
}

async function newCluster(by: ReturnType<typeof postgresPorts>): Promise<string> {
  const id = randomUUID();
  const made = await by.commands().execute(id, { type: 'create-cluster', name: `c-${id}` }, META);
  expect(made.ok).toBe(true);
  return id;
}

describe('states that several parts share', () => {
  it('are kept once for all, and hold what either has appended', async () => {
    const [api, worker] = [part('api'), part('worker')];
    const id = await newCluster(api);
    const join = { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 10_000 } as const;
    expect((await worker.commands().execute(id, join, META)).ok).toBe(true);
    const [ofApi, ofWorker] = await Promise.all([api.log.load(id), worker.log.load(id)]);
    expect(Object.keys(ofApi.nodes)).toEqual(['n1']);
    expect(ofApi).toBe(ofWorker);
  });

  it('are read also while all connections of a part wait for something', async () => {
    const api = part('api');
    const id = await newCluster(api);
    const held = await Promise.all(Array.from({ length: database.pool.options.max }, () => database.pool.connect()));
    onTestFinished(() => {
      for (const connection of held) connection.release();
    });
    expect((await api.log.load(id)).existence).toBe('active');
  });
});
