import type { Pool } from 'pg';
import { storeError } from '../errors.js';

/** $1 stream id, $2 schema, $3 version, $4 data. */
const SAVE = `
INSERT INTO snapshots (stream_id, schema, version, data)
VALUES ($1, $2, $3, $4)
ON CONFLICT (stream_id, schema, version) DO UPDATE SET data = excluded.data, created_at = excluded.created_at`;

/** $1 stream id, $2 schema, $3 newest acceptable version. */
const LOAD = `
SELECT version, data
FROM snapshots
WHERE stream_id = $1 AND schema = $2 AND version <= $3
ORDER BY version DESC
LIMIT 1`;

/** $1 stream id, $2 version; all below it go. */
const DELETE = `
DELETE FROM snapshots
WHERE stream_id = $1 AND version < $2`;

/** A fold of a stream up to a version. `schema` names the shape of `data` and the rules of the fold; another schema is never loaded. */
export interface Snapshot {
  readonly version: number;
  /** JSON as it was saved. Its shape is what `schema` says; whoever loads it checks what it relies on. */
  readonly data: unknown;
}

export async function saveSnapshot(pool: Pool, streamId: string, schema: string, snapshot: Snapshot): Promise<void> {
  try {
    await pool.query({
      name: 'systole-save-snapshot',
      text: SAVE,
      values: [streamId, schema, snapshot.version, JSON.stringify(snapshot.data)],
    });
  } catch (error) {
    throw storeError(error, 'read');
  }
}

export async function loadSnapshot(pool: Pool, streamId: string, schema: string, atMostVersion: number): Promise<Snapshot | undefined> {
  try {
    const { rows } = await pool.query<{ version: string; data: unknown }>({
      name: 'systole-load-snapshot',
      text: LOAD,
      values: [streamId, schema, atMostVersion],
    });
    const [row] = rows;
    return row && { version: Number(row.version), data: row.data };
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** @returns how many were deleted */
export async function deleteSnapshots(pool: Pool, streamId: string, belowVersion: number): Promise<number> {
  try {
    return (await pool.query({ name: 'systole-delete-snapshots', text: DELETE, values: [streamId, belowVersion] })).rowCount ?? 0;
  } catch (error) {
    throw storeError(error, 'read');
  }
}
