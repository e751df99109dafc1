import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/index.js';

const EVENTS = 3_000;
/** As an Idempotency-Key makes them: a UUID of version 8. */
const keyed = (): string => randomUUID().replace(/^(.{14})./, '$18');

describe('looking for what a request with a key appended', () => {
  let database: ScratchDatabase;
  let store: EventStore<{ readonly type: string; readonly data: object }>;
  beforeAll(async () => {
    database = await createScratchDatabase();
    store = new EventStore(database.pool);
    const events = Array.from({ length: EVENTS / 10 }, () => ({ type: 'Happened', data: { what: 'x'.repeat(100) } }));
    for (let batch = 0; batch < 10; batch++)
      await store.append('s', 'any', events, { actor: 'a', command: 'c', correlationId: 'k', causationId: randomUUID() });
    await database.pool.query('ANALYZE events');
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  /** Rows of the log that were read for something. */
  async function readFor(what: () => Promise<unknown>): Promise<number> {
    const rows = async (): Promise<number> => {
      await database.pool.query('SELECT pg_stat_force_next_flush()');
      const { rows: found } = await database.pool.query<{ read: string }>(
        `SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_user_tables WHERE relname = 'events'`,
      );
      return Number(found[0]?.read);
    };
    const before = await settled(rows);
    await what();
    return (await settled(rows)) - before;
  }

  it('finds it, and finds nothing, without reading the log', async () => {
    const causationId = keyed();
    await store.append('s', 'any', [{ type: 'Happened', data: {} }], { actor: 'a', command: 'c', correlationId: 'k', causationId });
    const other = keyed();
    const read = await readFor(async () => {
      expect(await store.versionCausedBy('s', causationId, 1)).toBe(EVENTS + 1);
      expect(await store.versionCausedBy('s', causationId, EVENTS + 2)).toBeUndefined();
      expect(await store.versionCausedBy('s', other, 1)).toBeUndefined();
      expect(await store.versionCausedBy('other', causationId, 1)).toBeUndefined();
    });
    expect(read).toBeLessThan(10);
  });

  it('finds what has another id by reading', async () => {
    const causationId = randomUUID();
    await store.append('s', 'any', [{ type: 'Happened', data: {} }], { actor: 'a', command: 'c', correlationId: 'k', causationId });
    expect(await store.versionCausedBy('s', causationId, 1)).toBe(EVENTS + 2);
  });
});

/** Counts of the database come in late. */
async function settled(count: () => Promise<number>): Promise<number> {
  let last = -1;
  for (;;) {
    const now = await count();
    if (now === last) return now;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
