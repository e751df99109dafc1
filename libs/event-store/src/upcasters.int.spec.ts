import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnknownSchemaVersion } from './errors.js';
import { EventStore } from './event-store.js';
import { createScratchDatabase, type ScratchDatabase } from './testing/scratch-database.js';
import { Upcasters } from './upcasters.js';

interface Renamed {
  readonly type: 'Renamed';
  readonly data: { readonly name: { readonly first: string } };
}

const meta = { actor: 'alice', command: 'test', correlationId: 'c-1' };
const upcasters = new Upcasters({ Renamed: [(data) => ({ title: String(data) }), (data) => ({ name: { first: JSON.stringify(data) } })] });

let database: ScratchDatabase;

beforeAll(async () => {
  database = await createScratchDatabase();
});

afterAll(async () => {
  await database.drop();
});

describe('a store with upcasters', () => {
  it('writes the current schema version, reads older ones in the current shape, and verifies what was stored', async () => {
    const before = new EventStore(database.pool);
    await before.append('s', 'any', [{ type: 'Renamed', data: { title: 'a' }, schemaVersion: 2 }], meta);
    const store = new EventStore<Renamed>(database.pool, { upcasters });
    await store.append('s', 'any', [{ type: 'Renamed', data: { name: { first: 'b' } } }], meta);
    expect((await store.readStream('s')).map(({ schemaVersion, data }) => ({ schemaVersion, data }))).toEqual([
      { schemaVersion: 3, data: { name: { first: '{"title":"a"}' } } },
      { schemaVersion: 3, data: { name: { first: 'b' } } },
    ]);
    expect(await store.verifyChain()).toMatchObject({ intact: true, events: 2 });
    await expect(before.readStream('s')).rejects.toEqual(new UnknownSchemaVersion('Renamed', 2, 1));
    await store.close();
    await before.close();
  });
});
