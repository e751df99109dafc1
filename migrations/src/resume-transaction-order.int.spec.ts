import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from './index.js';

const meta = { actor: 'alice', command: 'test', correlationId: 'c-1' };

let database: ScratchDatabase;
let store: EventStore;

beforeEach(async () => {
  database = await createScratchDatabase();
  store = new EventStore(database.pool);
});

afterEach(async () => {
  await store.close();
  await database.drop();
});

it('lets readers go on after a restore into a server whose transaction ids are behind', async () => {
  await store.append('s', 'any', [{ type: 'Old', data: {} }], meta);
  // As a dump of a busier server would have left it.
  await database.pool.query(
    'BEGIN; ALTER TABLE events DISABLE TRIGGER ALL; UPDATE events SET transaction_id = transaction_id + 5000000000; COMMIT',
  );
  await store.append('t', 'any', [{ type: 'Before the repair', data: {} }], meta);
  expect((await store.readAll()).map(({ type }) => type)).not.toContain('Old');
  await migrate(database.url);
  await store.append('t', 'any', [{ type: 'New', data: {} }], meta);
  await store.append('u', 'any', [{ type: 'Newer', data: {} }], meta);
  await expect.poll(async () => (await store.readAll()).map(({ type }) => type)).toEqual(['Before the repair', 'Old', 'New', 'Newer']);
  await migrate(database.url);
  expect(await store.readAll()).toHaveLength(4);
});
