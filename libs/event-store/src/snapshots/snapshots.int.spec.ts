import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';

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

describe('snapshots', () => {
  it('gives the newest one of a schema, or the newest up to a version', async () => {
    for (const version of [10, 30, 20]) await store.saveSnapshot('s', 'state-1', { version, data: { z: version, a: ['ü', null] } });
    await store.saveSnapshot('s', 'state-2', { version: 40, data: {} });
    expect(await store.loadSnapshot('s', 'state-1')).toEqual({ version: 30, data: { z: 30, a: ['ü', null] } });
    expect(await store.loadSnapshot('s', 'state-1', 29)).toMatchObject({ version: 20 });
    expect(await store.loadSnapshot('s', 'state-1', 9)).toBeUndefined();
    expect(await store.loadSnapshot('t', 'state-1')).toBeUndefined();
  });

  it('replaces one of the same version', async () => {
    await store.saveSnapshot('r', 'state-1', { version: 1, data: 'old' });
    await store.saveSnapshot('r', 'state-1', { version: 1, data: 'new' });
    expect(await store.loadSnapshot('r', 'state-1')).toEqual({ version: 1, data: 'new' });
  });

  it('deletes those below a version, or all', async () => {
    for (const version of [1, 2, 3]) await store.saveSnapshot('d', 'state-1', { version, data: {} });
    expect(await store.deleteSnapshots('d', 3)).toBe(2);
    expect(await store.loadSnapshot('d', 'state-1')).toMatchObject({ version: 3 });
    expect(await store.deleteSnapshots('d')).toBe(1);
    expect(await store.loadSnapshot('d', 'state-1')).toBeUndefined();
  });
});
