import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterEvent } from '@systole/cluster';
import type { Append } from '@systole/control-plane';
import { EventStore, limitedPool } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { ClusterStates } from '@systole/read-models';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postgresPorts, type PostgresPorts } from '../postgres-ports.js';
import { beginHold } from './stream-hold.js';

const META = { actor: 'test', command: 'test', correlationId: 'test' };

describe('a stream that is held', () => {
  let database: ScratchDatabase;
  let pool: Pool;
  let store: EventStore<ClusterEvent>;
  let log: PostgresPorts['log'];
  let clusterId: string;

  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    pool = limitedPool({ databaseUrl: database.url, applicationName: 'test', connections: 1, pipeline: true });
    store = new EventStore<ClusterEvent>(pool);
    log = postgresPorts(pool, store, new ClusterStates(store), { by: 'test', report: { warn: () => undefined } }).log;
    clusterId = randomUUID();
    await log.append(appendOf(0, { type: 'ClusterCreated', data: { name: clusterId, cib: '<cib/>' } }));
  });
  afterEach(async () => {
    await store.close();
    await pool.end();
  });

  const appendOf = (
    expectedVersion: number,
    event: ClusterEvent = { type: 'NodeAttributeSet', data: { node: 'n1', name: 'a', value: randomUUID(), lifetime: 'reboot' } },
  ): Append => ({ clusterId, expectedVersion, parts: [{ events: [event], meta: { ...META, causationId: randomUUID() } }] });

  it.each(['falls silent', 'ends'])('is let go of when its holder %s', async (fate) => {
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    expect(await beginHold(holder, clusterId, 400)).toBe(true);
    const lost = new Promise((resolve) => holder.on('error', resolve));
    const begun = performance.now();
    const appending = log.append(appendOf(1));
    if (fate === 'ends') holder.release(true);
    expect(await appending).toMatchObject({ type: 'appended' });
    const tookMs = performance.now() - begun;
    if (fate === 'ends') {
      expect(tookMs).toBeLessThan(350);
      return;
    }
    expect(tookMs).toBeGreaterThan(300);
    expect(String(await lost)).toContain('idle-in-transaction');
    holder.release(true);
  });

  it('needs no connection but its own, and delays no reader of the global order', async () => {
    const reader = new EventStore<ClusterEvent>(database.pool);
    const elsewhere = randomUUID();
    const outcome = await log.appendHolding(clusterId, 5_000, async ({ version }) => {
      await reader.append(elsewhere, 'no-stream', [{ type: 'ClusterDeleted', data: {} }], { ...META, causationId: randomUUID() });
      // Others on this server may hold it up for a moment.
      await expect.poll(async () => (await reader.readAll()).at(-1)?.streamId, { timeout: 4_000 }).toBe(elsewhere);
      return appendOf(version);
    });
    expect(outcome).toMatchObject({ type: 'appended', appended: [{ firstVersion: 2 }] });
    await reader.close();
  });

  it('keeps others waiting for one holder at most, though many want to hold it', async () => {
    const processes = Array.from({ length: 3 }, () => {
      const own = new EventStore<ClusterEvent>(database.pool);
      return postgresPorts(database.pool, own, new ClusterStates(own), { by: 'test', report: { warn: () => undefined } }).log;
    });
    for (const each of processes) await each.load(clusterId);
    const holding = processes.map((each) =>
      each.appendHolding(clusterId, 5_000, async ({ version }) => {
        await sleep(200);
        return appendOf(version);
      }),
    );
    const begun = performance.now();
    await sleep(50);
    const outcome = await log.append(appendOf(2));
    expect(outcome).toMatchObject({ type: 'appended' });
    expect(performance.now() - begun).toBeLessThan(390);
    expect((await Promise.all(holding)).map(({ type }) => type).sort()).toEqual(['appended', 'busy', 'busy']);
  });
});
