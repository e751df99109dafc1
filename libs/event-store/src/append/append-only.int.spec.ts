import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';

let database: ScratchDatabase;
let store: EventStore;

beforeAll(async () => {
  database = await createScratchDatabase();
  store = new EventStore(database.pool);
  await store.append('s', 'any', [{ type: 'A', data: {} }], { actor: 'a', command: 'c', correlationId: 'x' });
});

afterAll(async () => {
  await store.close();
  await database.drop();
});

describe('the events table', () => {
  it.each([
    `UPDATE events SET type = 'B'`,
    `UPDATE events SET type = 'B' WHERE false`,
    'DELETE FROM events',
    'DELETE FROM events WHERE false',
    'TRUNCATE events',
    'TRUNCATE events CASCADE',
    `INSERT INTO events SELECT * FROM events ON CONFLICT (stream_id, version) DO UPDATE SET type = 'B'`,
    `MERGE INTO events USING (VALUES (1)) AS v (version) ON events.version = v.version WHEN MATCHED THEN DELETE`,
  ])('refuses %s even from its owner', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toThrow('events are append-only');
  });

  it('refuses a change from a session that replicates, where ordinary triggers sleep', async () => {
    const client = await database.pool.connect();
    try {
      await client.query('SET session_replication_role = replica');
      await expect(client.query('DELETE FROM events')).rejects.toThrow('events are append-only');
      await client.query('RESET session_replication_role');
    } finally {
      client.release();
    }
  });

  it('holds what it held', async () => {
    expect(await store.verifyChain()).toEqual({ intact: true, events: 1, streams: 1 });
  });
});
