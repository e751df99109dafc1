import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataSource, migrate, migrateDown } from './index.js';

let database: ScratchDatabase;
beforeEach(async () => {
  database = await createScratchDatabase({ empty: true });
});
afterEach(() => database.drop());

interface Event {
  readonly type: string;
  readonly data: object;
}

const STREAM = 'c1';
const EVENTS = 40;
const META = { actor: 'operator', command: 'test', correlationId: 'k' };

async function append(count: number): Promise<void> {
  const store = new EventStore<Event>(database.pool);
  for (let n = 0; n < count; n++)
    await store.append(
      STREAM,
      'any',
      [{ type: 'NodeAttributeSet', data: { node: 'n1', name: `a${String(n)}`, value: 'ä\u{1f600}"\\' } }],
      META,
    );
  await store.close();
}

/** The log as it stands in its table, to the letter. */
async function log(): Promise<readonly object[]> {
  const { rows } = await database.pool.query<{ row: object }>('SELECT to_jsonb(e) AS row FROM events e ORDER BY version');
  return rows.map(({ row }) => row);
}

async function intact(events: number): Promise<void> {
  const store = new EventStore<Event>(database.pool);
  expect(await store.verifyChain()).toMatchObject({ intact: true, events });
  await store.close();
}

/** Runs the oldest migrations only, as far as they have not run. */
async function migrateUpTo(count: number): Promise<void> {
  const dataSource = await createDataSource(database.url).initialize();
  dataSource.migrations.splice(count);
  await dataSource.runMigrations();
  await dataSource.destroy();
}

/** Rows of every table that the oldest version of the server had beside the log, as it wrote them. */
async function oldRows(): Promise<void> {
  const rows = [
    `INSERT INTO clusters (id, name, version, created_at) VALUES ('c1', 'web', 40, '2026-01-01')`,
    `INSERT INTO tokens (id, role, cluster_id, node, name, sha256, created_by, created_at)
     VALUES ('t1', 'agent', 'c1', 'n1', 'agent-n1', sha256('a'), 'admin', '2026-01-01'), ('t2', 'admin', NULL, NULL, 'admin', sha256('b'), 'start', '2026-01-01')`,
    `INSERT INTO node_leases (cluster_id, node, incarnation, token_id, lease_ms, expires_at, renewed_at)
     VALUES ('c1', 'n1', 3, 't1', 10000, '2026-01-01 00:00:10', '2026-01-01')`,
    `INSERT INTO action_dispatches (cluster_id, action_id, transition, graph_action_id, node, payload, created_at, delivered_at)
     VALUES ('c1', 'c1:1:7', 1, 7, 'n1', '{"operation": "start"}', '2026-01-01', '2026-01-01')`,
  ];
  for (const row of rows) await database.pool.query(row);
}

const KEPT = {
  clusters: 'id, name, version, created_at',
  tokens: 'id, role, cluster_id, node, name, sha256, created_by',
  node_leases: 'cluster_id, node, incarnation, token_id, lease_ms, expires_at, renewed_at',
  action_dispatches: 'cluster_id, action_id, transition, graph_action_id, node, payload, created_at, delivered_at',
} as const;

async function kept(): Promise<Readonly<Record<string, readonly object[]>>> {
  const tables = Object.entries(KEPT).map(async ([table, columns]) => {
    const { rows } = await database.pool.query<object>(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`);
    return [table, rows] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

describe('migrations of a database with data', () => {
  it('from the oldest version to this one keep what is there, and this version goes on with it', async () => {
    await migrateUpTo(2);
    await oldRows();
    const before = await kept();
    await migrate(database.url);
    expect(await kept()).toEqual(before);
    await append(EVENTS);
    await intact(EVENTS);
  });

  it('back and forward again, one by one, leave the log to the letter and all rows of what stays', { timeout: 180_000 }, async () => {
    await migrate(database.url);
    await oldRows();
    await append(EVENTS);
    const [events, rows] = [await log(), await kept()];
    const { rows: all } = await database.pool.query('SELECT FROM schema_migrations');
    // The other tables are there from the second on: what takes a table away takes its rows.
    for (let left = all.length - 1; left >= 2; left--) {
      expect(await migrateDown(database.url, 1)).toBe(1);
      expect([left, await kept()]).toEqual([left, rows]);
    }
    for (let run = 3; run <= all.length; run++) {
      await migrateUpTo(run);
      expect([run, await kept()]).toEqual([run, rows]);
    }
    expect(await log()).toEqual(events);
    await intact(EVENTS);
    // The log is there from the first on.
    await migrateDown(database.url, all.length - 1);
    await migrate(database.url);
    expect(await log()).toEqual(events);
    await append(1);
    await intact(EVENTS + 1);
  });
});
