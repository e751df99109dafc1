import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, migrateDown } from './index.js';

let database: ScratchDatabase;

beforeAll(async () => {
  database = await createScratchDatabase();
});
afterAll(() => database.drop());

describe('tokens of an earlier version', () => {
  it('keep what they could do, and get names of their own', async () => {
    const { pool, url } = database;
    // As many as there are since, so that it stays right with each that follows.
    const { rows } = await pool.query<{ steps: number }>(
      `SELECT count(*)::integer AS steps FROM schema_migrations WHERE timestamp >= 1795272100000`,
    );
    await migrateDown(url, rows[0]?.steps ?? 0);
    const token = (id: string, role: string, name: string, at: string, revoked: string | null): Promise<unknown> =>
      pool.query(
        `INSERT INTO tokens (id, role, cluster_id, node, name, sha256, created_by, created_at, revoked_at)
         VALUES ($1::text, $2, $3, $4, $5, sha256(convert_to($1::text, 'UTF8')), 'test', $6, $7)`,
        [id, role, ...(role === 'agent' ? ['c', 'n1'] : [null, null]), name, at, revoked],
      );
    await token('aaaaaaaa-1', 'admin', 'admin', '2026-01-02', null);
    await token('bbbbbbbb-2', 'viewer', 'admin', '2026-01-01', null);
    await token('cccccccc-3', 'viewer', 'admin', '2025-01-01', '2026-01-01');
    await token('dddddddd-4', 'agent', 'admin', '2025-01-01', null);
    await migrate(url);
    const after = await pool.query('SELECT id, name, clusters, sees_secrets, expires_at FROM tokens ORDER BY id');
    const forEver = { clusters: null, expires_at: null };
    expect(after.rows).toEqual([
      { id: 'aaaaaaaa-1', name: 'admin-aaaaaaaa', sees_secrets: true, ...forEver },
      { id: 'bbbbbbbb-2', name: 'admin', sees_secrets: true, ...forEver },
      { id: 'cccccccc-3', name: 'admin', sees_secrets: true, ...forEver },
      { id: 'dddddddd-4', name: 'admin', sees_secrets: false, ...forEver },
    ]);
  });
});
