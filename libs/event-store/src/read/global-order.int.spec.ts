import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnknownPosition } from '../errors.js';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';

const meta = { actor: 'alice', command: 'test', correlationId: 'c-1' };
const event = (type: string) => ({ type, data: {} });

let database: ScratchDatabase;
let store: EventStore;

beforeAll(async () => {
  database = await createScratchDatabase();
  store = new EventStore(database.pool);
});

afterAll(async () => {
  await store.close();
  await database.drop();
});

async function inTransaction(work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/** Transactions of other databases on the server move the horizon too: what is final appears when those end. */
async function typesAfter(afterPosition: number, expected: readonly string[]): Promise<void> {
  await expect.poll(async () => (await store.readAll({ afterPosition })).map(({ type }) => type)).toEqual(expected);
}

describe('readAll', () => {
  it('never skips an event that took its position early and commits late', async () => {
    const start = await store.lastPosition();
    await inTransaction(async (late) => {
      await store.appendIn(late, 'late', 'any', [event('Early position')], meta);
      await store.append('quick', 'any', [event('Committed first')], meta);
      expect(await store.readStream('quick')).toHaveLength(1);
      expect(await store.readAll({ afterPosition: start })).toEqual([]);
    });
    await typesAfter(start, ['Early position', 'Committed first']);
  });

  it('keeps the order of versions when a stream’s later event has the older transaction', async () => {
    const start = await store.lastPosition();
    await inTransaction(async (older) => {
      await older.query('SELECT pg_current_xact_id()');
      await store.append('inverted', 'any', [event('First')], meta);
      await store.appendIn(older, 'inverted', 'any', [event('Second')], meta);
    });
    await typesAfter(start, ['First', 'Second']);
  });

  it('goes on in pages from any event that was read', async () => {
    for (const stream of ['p', 'q', 'p', 'r', 'q']) await store.append(stream, 'any', [event('A'), event('B')], meta);
    await expect.poll(async () => (await store.readStream('q')).at(-1)?.globalPosition).toBe(await settledLastPosition());
    const all = await store.readAll();
    const paged = [];
    for (let afterPosition = 0; ;) {
      const page = await store.readAll({ afterPosition, limit: 3 });
      const last = page.at(-1);
      if (last === undefined) break;
      paged.push(...page);
      afterPosition = last.globalPosition;
    }
    expect(paged).toEqual(all);
    await expect(store.readAll({ afterPosition: 999_999 })).rejects.toEqual(new UnknownPosition(999_999));
  });
});

async function settledLastPosition(): Promise<number> {
  const { rows } = await database.pool.query<{ newest: string }>('SELECT max(global_position) AS newest FROM events');
  const newest = Number(rows[0]?.newest);
  await expect.poll(() => store.lastPosition()).toBe(newest);
  return newest;
}
