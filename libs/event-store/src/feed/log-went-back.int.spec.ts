import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';

const meta = { actor: 'alice', command: 'test', correlationId: 'c-1' };
const event = (type: string) => ({ type, data: {} });
/** So long that a test which passes was woken by a notification, not by a look. */
const NEVER_MS = 3_600_000;

describe('a feed whose log goes back in time', () => {
  let database: ScratchDatabase;
  let writer: EventStore;
  let pool: pg.Pool;
  let reader: EventStore;
  let heard: number[];

  beforeAll(async () => {
    database = await createScratchDatabase();
    writer = new EventStore(database.pool);
  });

  afterAll(async () => {
    await writer.close();
    await database.drop();
  });

  beforeEach(() => {
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
    pool.on('error', () => undefined);
    reader = new EventStore(pool, { lookEveryMs: NEVER_MS });
    heard = [];
  });

  afterEach(async () => {
    await reader.close();
    await pool.end();
  });

  const hear = (store: EventStore, stream: string): Promise<() => void> =>
    store.onAppend((appendedTo, version) => {
      if (appendedTo === stream) heard.push(version);
    });

  /** What only a restored copy does. */
  async function loseAfter(stream: string, version: number): Promise<void> {
    await database.pool.query(
      `BEGIN; ALTER TABLE events DISABLE TRIGGER ALL; DELETE FROM events WHERE stream_id = '${stream}' AND version > ${version}; ALTER TABLE events ENABLE TRIGGER ALL; COMMIT`,
    );
  }

  it('goes on reporting appends at versions that it had reported before', async () => {
    await hear(reader, 'back');
    await writer.append('back', 'any', [event('1'), event('2'), event('3'), event('4')], meta);
    await expect.poll(() => heard).toEqual([4]);
    await loseAfter('back', 1);
    await writer.append('back', 'any', [event('another 2')], meta);
    await expect.poll(() => heard).toEqual([4, 2]);
    await writer.append('back', 'any', [event('another 3')], meta);
    await expect.poll(() => heard).toEqual([4, 2, 3]);
  });

  it('reports its own appends, too', async () => {
    const forget = await hear(writer, 'own');
    await writer.append('own', 'any', [event('1'), event('2'), event('3')], meta);
    await loseAfter('own', 1);
    await writer.append('own', 'any', [event('another 2')], meta);
    await expect.poll(() => heard).toEqual([3, 2]);
    forget();
  });

  it('does not report a lower version that only came late', async () => {
    await hear(reader, 'late');
    await writer.append('late', 'any', [event('1'), event('2')], meta);
    await expect.poll(() => heard).toEqual([2]);
    await database.pool.query(`SELECT pg_notify('systole_events', '1:late')`);
    await writer.append('late', 'any', [event('3')], meta);
    await expect.poll(() => heard).toEqual([2, 3]);
  });

  it('finds what was appended while it was not connected, though transaction ids went back with the log', async () => {
    await hear(reader, 'restored');
    await writer.append('restored', 'any', [event('1'), event('2'), event('3')], meta);
    await expect.poll(() => heard).toEqual([3]);
    await loseAfter('restored', 1);
    await database.pool.query(
      `CREATE OR REPLACE FUNCTION event_transaction_epoch() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT -100::bigint'`,
    );
    // No notification: the one that appended died after its commit.
    await database.pool.query('SELECT * FROM append_events($1, $2, $3, $4)', [
      'restored',
      [null],
      [1],
      '{"actor":"a","causationId":null,"command":"c","correlationId":"x","data":{},"occurredAt":"\x1e","schemaVersion":1,"streamId":"restored","subjects":[],"type":"A","version":',
    ]);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'systole-feed'`,
    );
    await expect.poll(() => heard).toEqual([3, 2]);
  });
});
