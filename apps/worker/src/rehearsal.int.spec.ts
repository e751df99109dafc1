import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ClusterEvent } from '@systole/cluster';
import { postgresPorts, warmUp } from '@systole/control-plane-postgres';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { ClusterStates } from '@systole/read-models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorker } from './create-worker.js';
import { SchedulePool } from './scheduling/schedule-pool.js';
import { CIB } from './testing/worker-bench.js';

describe('the rehearsal of what is done for clusters', () => {
  it('does all of it, with the threads that plan', { timeout: 300_000 }, async () => {
    const pool = new SchedulePool({ timeoutMs: 120_000 });
    const said: object[] = [];
    const say = (details: object): void => void said.push(details);
    try {
      await warmUp({ scheduling: pool, report: { info: say, warn: say } }).ended;
    } finally {
      await pool.close();
    }
    // Of three clusters of 4 × 60: each looked for everywhere, started and monitored; twelve of each fail, are stopped, started and monitored.
    expect(said).toEqual([{ results: 3 * (4 * 60 + 2 * 60 + 12 * 4), tookMs: expect.any(Number) as number }]);
  });

  describe('by a worker', () => {
    let database: ScratchDatabase;
    let store: EventStore<ClusterEvent>;
    beforeAll(async () => {
      database = await createScratchDatabase({ poolSize: 10 });
      store = new EventStore<ClusterEvent>(database.pool);
    });
    afterAll(async () => {
      await store.close();
      await database.drop();
    });

    /** All rows of all tables, but for what a worker writes all the time: that it is there, and when its queue was last looked over. */
    const rows = async (): Promise<ReadonlyMap<string, string>> => {
      const { rows: tables } = await database.pool.query<{ name: string }>(
        "SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')",
      );
      const all = new Map<string, string>();
      for (const { name } of tables.filter((table) => !/heartbeats|systole_queue\.meta/.test(table.name))) {
        const { rows: found } = await database.pool.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t ORDER BY 1`);
        all.set(name, found.map(({ text }) => text).join('\n'));
      }
      return all;
    };

    /** The same, when the worker has done what it does at its start. */
    const atRest = async (): Promise<ReadonlyMap<string, string>> => {
      let found = await rows();
      for (let before: unknown; !isDeepStrictEqual(before, found);) {
        before = found;
        await sleep(1_500);
        found = await rows();
      }
      return found;
    };

    it('changes nothing in the database', { timeout: 300_000 }, async () => {
      const commands = postgresPorts(database.pool, store, new ClusterStates(store), {
        by: 'test',
        report: { warn: () => undefined },
      }).commands();
      const made = { type: 'create-cluster', name: 'real', cib: CIB } as const;
      await commands.execute(randomUUID(), made, { actor: 'test', correlationId: randomUUID() });
      const worker = await createWorker({ databaseUrl: database.url, logLevel: 'silent' });
      try {
        const before = await atRest();
        await worker.warmUp();
        expect(await rows()).toEqual(before);
        expect([...before.values()].join()).toContain('real');
      } finally {
        await worker.close();
      }
    });

    it('ends with it', { timeout: 60_000 }, async () => {
      const worker = await createWorker({ databaseUrl: database.url, logLevel: 'silent' });
      const warming = worker.warmUp();
      await worker.close();
      await warming;
    });
  });
});
