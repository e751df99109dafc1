import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate, migrateDown } from './index.js';

let database: ScratchDatabase;
beforeEach(async () => {
  database = await createScratchDatabase();
});
afterEach(() => database.drop());

/** To what the schema was before agents' meta-data had a size. */
async function downToBefore(): Promise<void> {
  const { rows } = await database.pool.query<{ steps: number }>(
    'SELECT count(*)::integer AS steps FROM schema_migrations WHERE timestamp >= 1795278000000',
  );
  await migrateDown(database.url, rows[0]?.steps ?? 0);
}

async function describeAgents(): Promise<void> {
  await database.pool.query(
    `INSERT INTO agent_descriptions (cluster_id, class, provider, type, digest, node, metadata)
     SELECT 'c', 'ocf', 'systole', 'Dummy' || n, 'd', 'n1', '{"name": "Dummy"}' FROM generate_series(1, 100) AS n`,
  );
}

/** Where the rows lie: another file when all of them were written anew, for which everybody has to wait. */
async function file(): Promise<string> {
  const { rows } = await database.pool.query<{ file: string }>("SELECT pg_relation_filenode('agent_descriptions')::text AS file");
  return rows[0]?.file ?? '';
}

async function kept(): Promise<number> {
  return (await database.pool.query("SELECT FROM agent_descriptions WHERE metadata ->> 'name' = 'Dummy'")).rowCount ?? 0;
}

describe('the size of what agents say about themselves', () => {
  it('is added and taken away without writing the table anew, and loses nothing', async () => {
    await downToBefore();
    await describeAgents();
    const before = await file();
    await migrate(database.url);
    expect([await file(), await kept()]).toEqual([before, 100]);
    await downToBefore();
    expect([await file(), await kept()]).toEqual([before, 100]);
  });

  it('can be written where an earlier version had the database compute it', async () => {
    await downToBefore();
    await describeAgents();
    const { pool, url } = database;
    await pool.query('ALTER TABLE agent_descriptions ADD COLUMN bytes integer GENERATED ALWAYS AS (octet_length(metadata::text)) STORED');
    await pool.query("INSERT INTO schema_migrations (timestamp, name) VALUES (1795278000000, 'DescriptionBytes1795278000000')");
    const before = await file();
    await migrate(url);
    await pool.query("UPDATE agent_descriptions SET bytes = 7 WHERE type = 'Dummy1'");
    const { rows } = await pool.query('SELECT bytes, count(*)::integer FROM agent_descriptions GROUP BY bytes ORDER BY bytes');
    expect(rows).toEqual([
      { bytes: 7, count: 1 },
      { bytes: '{"name": "Dummy"}'.length, count: 99 },
    ]);
    expect(await file()).toBe(before);
  });
});
