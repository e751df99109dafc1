import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';
import type { EventQuery } from './query-events.js';

let database: ScratchDatabase;
let store: EventStore;
/** When the second append to stream s took place. */
let between: string;

const by = (actor: string, correlationId = 'c-1') => ({ actor, command: 'test', correlationId });

beforeAll(async () => {
  database = await createScratchDatabase();
  store = new EventStore(database.pool);
  await store.append('s', 'any', [{ type: 'Started', data: {}, subjects: ['db', 'n1'] }], by('alice'));
  await new Promise((resolve) => setTimeout(resolve, 5));
  between = (await store.append('s', 'any', [{ type: 'Stopped', data: {}, subjects: ['db', 'n2'] }], by('bob', 'c-2'))).occurredAt;
  await new Promise((resolve) => setTimeout(resolve, 5));
  await store.append('s', 'any', [{ type: 'Started', data: {}, subjects: ['web', 'n2'] }], by('alice', 'c-2'));
  await store.append('t', 'any', [{ type: 'Started', data: {}, subjects: ['db'] }], by('carol'));
  await vi.waitFor(async () => {
    expect(await store.readAll()).toHaveLength(4);
  }, 10_000);
});

afterAll(async () => {
  await store.close();
  await database.drop();
});

const found = async (query: EventQuery) => (await store.query(query)).map(({ streamId, version }) => `${streamId}${version}`);

describe('query', () => {
  it('filters one stream by each condition and by several at once', async () => {
    expect(await found({ streamId: 's' })).toEqual(['s1', 's2', 's3']);
    expect(await found({ streamId: 's', types: ['Started'] })).toEqual(['s1', 's3']);
    expect(await found({ streamId: 's', subject: 'db' })).toEqual(['s1', 's2']);
    expect(await found({ streamId: 's', actor: 'alice' })).toEqual(['s1', 's3']);
    expect(await found({ streamId: 's', correlationId: 'c-2' })).toEqual(['s2', 's3']);
    expect(await found({ streamId: 's', from: between })).toEqual(['s2', 's3']);
    expect(await found({ streamId: 's', to: between })).toEqual(['s1']);
    expect(await found({ streamId: 's', subject: 'n2', types: ['Started', 'Other'], actor: 'alice' })).toEqual(['s3']);
    expect(await found({ streamId: 's', types: [] })).toEqual([]);
    expect(await found({ streamId: 'none' })).toEqual([]);
  });

  it('finds what answers several requests by each of them, in the index and beyond it', async () => {
    const answering = [{ type: 'Planned', data: { alsoAnswers: ['c-4', 'c-5'] } }];
    const [indexed, beyond] = ['in', 'behind'];
    for (const stream of [indexed, beyond]) {
      await store.append(stream, 'any', [{ type: 'Started', data: {} }], by('alice', 'c-3'));
      await store.append(stream, 'any', answering, by('worker', 'c-3'));
    }
    await database.pool.query('SELECT index_event_terms($1, 100)', [indexed]);
    for (const stream of [indexed, beyond]) {
      expect(await found({ streamId: stream, correlationId: 'c-3' })).toEqual([`${stream}1`, `${stream}2`]);
      for (const other of ['c-4', 'c-5']) expect(await found({ streamId: stream, correlationId: other })).toEqual([`${stream}2`]);
    }
  });

  it('pages through a stream forward and backward', async () => {
    expect(await found({ streamId: 's', limit: 2 })).toEqual(['s1', 's2']);
    expect(await found({ streamId: 's', afterVersion: 2, limit: 2 })).toEqual(['s3']);
    expect(await found({ streamId: 's', direction: 'backward', limit: 2 })).toEqual(['s3', 's2']);
    expect(await found({ streamId: 's', direction: 'backward', afterVersion: 2 })).toEqual(['s1']);
  });

  it('filters and pages through all streams in the global order', async () => {
    expect(await found({ subject: 'db' })).toEqual(['s1', 's2', 't1']);
    const [, second] = await store.query({ subject: 'db', limit: 2 });
    expect(await found({ subject: 'db', afterPosition: second?.globalPosition ?? 0 })).toEqual(['t1']);
    expect(await found({ subject: 'db', direction: 'backward' })).toEqual(['t1', 's2', 's1']);
    expect(await found({ subject: 'db', direction: 'backward', afterPosition: second?.globalPosition ?? 0 })).toEqual(['s1']);
  });
});

describe('reading a stream', () => {
  it('gives a range of versions', async () => {
    expect((await store.readStream('s', { fromVersion: 2 })).map(({ version }) => version)).toEqual([2, 3]);
    expect((await store.readStream('s', { toVersion: 2 })).map(({ version }) => version)).toEqual([1, 2]);
    expect((await store.readStream('s', { fromVersion: 2, limit: 1 })).map(({ version }) => version)).toEqual([2]);
  });

  it('gives long streams in pages', async () => {
    for (let batch = 0; batch < 3; batch++) {
      await store.append(
        'long',
        'any',
        Array.from({ length: 500 }, () => ({ type: 'A', data: {} })),
        by('a'),
      );
    }
    const versions = [];
    for await (const { version } of store.streamEvents('long', { fromVersion: 2, limit: 1_400 })) versions.push(version);
    expect(versions).toEqual(Array.from({ length: 1_400 }, (_, index) => index + 2));
  });

  it('tells the head, and the version at a moment', async () => {
    const events = await store.readStream('s');
    expect(await store.head('s')).toEqual({ version: 3, hash: events[2]?.hash, occurredAt: events[2]?.occurredAt });
    expect(await store.head('none')).toBeUndefined();
    expect(await store.versionAt('s', between)).toBe(2);
    expect(await store.versionAt('s', '2000-01-01T00:00:00.000Z')).toBe(0);
    expect(await store.versionAt('s', '9999-01-01T00:00:00.000Z')).toBe(3);
  });
});
