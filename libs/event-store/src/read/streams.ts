import type { ClientBase, Pool } from 'pg';
import { storeError } from '../errors.js';
import { isSnapshotRecords } from '../snapshots/snapshots.js';

/** A stream and its newest event. */
export interface StreamEnd {
  readonly streamId: string;
  readonly version: number;
  /** Lower-case hexadecimal. */
  readonly hash: string;
}

interface Row {
  readonly stream_id: string;
  readonly version: string;
  readonly hash: Buffer;
}

/** From stream to stream by the key, whatever their lengths. */
const STREAM_ENDS = `
WITH RECURSIVE streams AS (
  (SELECT stream_id FROM events ORDER BY stream_id LIMIT 1)
  UNION ALL
  SELECT (SELECT e.stream_id FROM events e WHERE e.stream_id > streams.stream_id ORDER BY e.stream_id LIMIT 1)
  FROM streams WHERE streams.stream_id IS NOT NULL
)
SELECT streams.stream_id, newest.version, newest.hash
FROM streams
CROSS JOIN LATERAL (SELECT version, hash FROM events e WHERE e.stream_id = streams.stream_id ORDER BY version DESC LIMIT 1) AS newest
ORDER BY streams.stream_id`;

/**
 * The newest event of each stream, all as of one moment, in the order of their ids as bytes; records of snapshots left out. Costs some looks at the index for each
 * stream that there is.
 */
export async function readStreamEnds(connection: Pool | ClientBase): Promise<readonly StreamEnd[]> {
  try {
    const { rows } = await connection.query<Row>({ name: 'systole-stream-ends', text: STREAM_ENDS });
    return rows
      .filter(({ stream_id: id }) => !isSnapshotRecords(id))
      .map((row) => ({ streamId: row.stream_id, version: Number(row.version), hash: row.hash.toString('hex') }));
  } catch (error) {
    throw storeError(error, 'read');
  }
}
