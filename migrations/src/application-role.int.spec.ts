import { randomBytes } from 'node:crypto';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from './index.js';

const role = `systole "app" ${randomBytes(4).toString('hex')}`;
const quoted = pg.escapeIdentifier(role);

let database: ScratchDatabase;

beforeEach(async () => {
  database = await createScratchDatabase({ empty: true });
  await database.pool.query(`CREATE ROLE ${quoted}`);
});

afterEach(async () => {
  await database.pool.query(`DROP OWNED BY ${quoted}`);
  await database.pool.query(`DROP ROLE ${quoted}`);
  await database.drop();
});

it('lets the programs run under a role that can append and read events, and not change them', async () => {
  await migrate(database.url, { applicationRole: role });
  await migrate(database.url, { applicationRole: role });
  const pool = new pg.Pool({ connectionString: database.url, max: 4, options: `-c role=${role.replaceAll(' ', '\\ ')}` });
  const store = new EventStore(pool);
  await store.append('s', 'no-stream', [{ type: 'A', data: {} }], { actor: 'a', command: 'c', correlationId: 'x' });
  await store.saveSnapshot('s', 'state', { version: 1, data: {} });
  expect(await store.deleteSnapshots('s')).toBe(1);
  expect(await store.verifyChain()).toMatchObject({ intact: true, events: 1 });
  await expect(pool.query('DELETE FROM events')).rejects.toThrow('permission denied');
  await expect(pool.query('TRUNCATE events')).rejects.toThrow('permission denied');
  await expect(pool.query('ALTER TABLE events DISABLE TRIGGER ALL')).rejects.toThrow('must be owner');
  await expect(pool.query('UPDATE installation SET seal_key = DEFAULT')).rejects.toThrow('permission denied');
  await expect(pool.query('DELETE FROM schema_migrations')).rejects.toThrow('permission denied');
  await store.close();
  await pool.end();
});

it('says when the role does not exist', async () => {
  await expect(migrate(database.url, { applicationRole: 'systole_nobody' })).rejects.toThrow('role "systole_nobody" does not exist');
});
