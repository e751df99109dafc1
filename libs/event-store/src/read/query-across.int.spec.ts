import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';
import type { AcrossQuery, PlaceAcross } from './query-across.js';

let database: ScratchDatabase;
let store: EventStore;

beforeAll(async () => {
  database = await createScratchDatabase();
  store = new EventStore(database.pool);
  for (let round = 0; round < 30; round++) {
    for (const stream of ['a', 'b', 'server/audit', 'ü']) {
      const meta = { actor: round % 3 === 0 ? 'alice' : 'bob', command: 'test', correlationId: `${stream}-${String(round)}` };
      await store.append(stream, 'any', [{ type: round % 2 === 0 ? 'Even' : 'Odd', data: {}, subjects: [`s${String(round % 5)}`] }], meta);
    }
  }
  await store.append('idle', 'any', [{ type: 'Even', data: {} }], { actor: 'carol', command: 'test', correlationId: 'idle' });
  await store.saveSnapshot('a', 'state', { version: 3, data: {} });
});

afterAll(async () => {
  await store.close();
  await database.drop();
});

async function found(query: AcrossQuery, most = Number.POSITIVE_INFINITY): Promise<readonly (PlaceAcross & { readonly name: string })[]> {
  const events: (PlaceAcross & { readonly name: string })[] = [];
  for await (const { occurredAt, streamId, version } of store.queryAcross(query)) {
    if (events.length >= most) break;
    events.push({ occurredAt, streamId, version, name: `${streamId}@${String(version)}` });
  }
  return events;
}

describe('events of several streams', () => {
  it('are all there, once, in the order of their times, without the records of snapshots', async () => {
    const all = await found({});
    expect(all).toHaveLength(121);
    expect(new Set(all.map(({ name }) => name)).size).toBe(121);
    expect(all.map(({ occurredAt }) => occurredAt)).toEqual(all.map(({ occurredAt }) => occurredAt).sort());
    expect(all.some(({ streamId }) => streamId.startsWith('snapshots/'))).toBe(false);
    expect((await found({ direction: 'backward' })).map(({ name }) => name)).toEqual(all.map(({ name }) => name).reverse());
  });

  it.each([
    { actor: 'alice' },
    { types: ['Odd'] },
    { subject: 's2' },
    { subjects: [{ anyOf: ['s2', 's3'] }] },
    { correlationId: 'b-7' },
    { streams: ['b', 'idle', 'none'] },
    { actor: 'carol' },
    { actor: 'nobody' },
    { streams: ['a', 'b'], actor: 'bob', types: ['Even'] },
  ])('are those that fulfil %j', async (filter) => {
    const expected = [];
    for (const streamId of filter.streams ?? ['a', 'b', 'idle', 'server/audit', 'ü']) {
      for (const event of await store.query({ ...filter, streamId, limit: 1_000 })) expected.push(`${streamId}@${String(event.version)}`);
    }
    expect((await found(filter)).map(({ name }) => name).sort()).toEqual(expected.sort());
  });

  it('can be asked more of in one stream than in the others', async () => {
    const query = { streams: ['a', 'server/audit'], subjectsOf: new Map([['server/audit', [{ anyOf: ['s1'] }]]]) };
    const names = (await found(query)).map(({ streamId }) => streamId);
    expect(names.filter((name) => name === 'a')).toHaveLength(30);
    expect(names.filter((name) => name === 'server/audit')).toHaveLength(6);
  });

  it('go on after any place in either direction, with events of the same millisecond in several streams', async () => {
    const same = await createScratchDatabase();
    const other = new EventStore(same.pool);
    try {
      for (const stream of ['x', 'y', 'z']) {
        await other.append(
          stream,
          'any',
          [
            { type: 'A', data: {} },
            { type: 'A', data: {} },
          ],
          { actor: 'a', command: 'c', correlationId: 'i' },
        );
      }
      await same.pool.query(
        `BEGIN; ALTER TABLE events DISABLE TRIGGER ALL; UPDATE events SET occurred_at = '2026-01-01T00:00:00Z'; ALTER TABLE events ENABLE TRIGGER ALL; COMMIT`,
      );
      for (const direction of ['forward', 'backward'] as const) {
        const names: string[] = [];
        for (let after: PlaceAcross | undefined; ;) {
          let last: PlaceAcross | undefined;
          for await (const event of other.queryAcross({ direction, expected: 1, ...(after === undefined ? {} : { after }) })) {
            last = event;
            names.push(`${event.streamId}${String(event.version)}`);
            break;
          }
          if (last === undefined) break;
          after = last;
        }
        const inOrder = ['x1', 'x2', 'y1', 'y2', 'z1', 'z2'];
        expect(names).toEqual(direction === 'forward' ? inOrder : inOrder.reverse());
      }
    } finally {
      await other.close();
      await same.drop();
    }
  });

  it('go on page by page as they would in one go', async () => {
    const all = await found({ actor: 'bob' });
    const paged = [];
    for (let after: PlaceAcross | undefined; ;) {
      const page = await found({ actor: 'bob', expected: 7, ...(after === undefined ? {} : { after }) }, 7);
      paged.push(...page);
      after = page.at(-1);
      if (after === undefined) break;
    }
    expect(paged).toEqual(all);
  });
});
