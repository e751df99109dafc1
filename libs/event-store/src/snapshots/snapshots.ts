import { createHash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { appendBatchIn } from '../append/append-batch.js';
import { canonicalDraft } from '../append/canonical-event.js';
import { storeError } from '../errors.js';

/** $1 stream id, $2 schema, $3 version, $4 data. */
const SAVE = `
INSERT INTO snapshots (stream_id, schema, version, data)
VALUES ($1, $2, $3, $4)
ON CONFLICT (stream_id, schema, version) DO UPDATE SET data = excluded.data, created_at = excluded.created_at`;

/** $1 stream id, $2 version. */
const HASH_AT = `
SELECT encode(hash, 'hex') AS hash FROM events WHERE stream_id = $1 AND version = $2`;

/**
 * The newest record of a snapshot in the log, and the hash that its stream has at that version now. $1 stream id, $2 the stream of its records, $3 schema,
 * $4 version.
 */
const RECORD = `
SELECT taken.data->>'sha256' AS sha256, taken.data->>'hash' AS recorded, encode(event.hash, 'hex') AS present
FROM events AS taken LEFT JOIN events AS event ON event.stream_id = $1 AND event.version = $4
WHERE taken.stream_id = $2 AND taken.type = 'SnapshotTaken' AND taken.data->>'schema' = $3 AND (taken.data->>'version')::bigint = $4
ORDER BY taken.version DESC
LIMIT 1`;

/** $1 stream id, $2 schema, $3 newest acceptable version. The text as it was stored: `json` keeps every letter. */
const NEWEST = `
SELECT version, data::text AS text
FROM snapshots
WHERE stream_id = $1 AND schema = $2 AND version <= $3
ORDER BY version DESC
LIMIT 1`;

/** $1 stream id, schema and version of the last one seen (rows in their order); $4 the only stream, or null. */
const NEXT = `
SELECT stream_id, schema, version, data::text AS text
FROM snapshots
WHERE (stream_id, schema, version) > ($1, $2, $3) AND ($4::text IS NULL OR stream_id = $4)
ORDER BY stream_id, schema, version
LIMIT 1`;

/** $1 stream id, $2 version; all below it go. */
const DELETE = `
DELETE FROM snapshots
WHERE stream_id = $1 AND version < $2`;

/** Snapshots that are looked at before a stream is folded from its first event: whoever forges one may forge many. */
const MOST_TRIED = 10;

/** A fold of a stream up to a version. `schema` names the shape of `data` and the rules of the fold; another schema is never loaded. */
export interface Snapshot {
  readonly version: number;
  /** JSON as it was saved. Its shape is what `schema` says; whoever loads it checks what it relies on. */
  readonly data: unknown;
}

/** A snapshot that is not what was recorded when it was taken, and so is not used. */
export interface RefusedSnapshot {
  readonly streamId: string;
  readonly schema: string;
  readonly version: number;
  /** It was never recorded; its text is another one; it was taken of events that are not (any more) in the stream. */
  readonly reason: 'not-recorded' | 'text-differs' | 'stream-differs';
}

/** Begins the names of the streams in which snapshots are recorded. */
const RECORDS = 'snapshots/';

/** The stream in which the snapshots of a stream are recorded. */
export function recordsOf(streamId: string): string {
  return `${RECORDS}${streamId}`;
}

/** Whether a stream holds records of snapshots, and nothing that anybody did. */
export function isSnapshotRecords(streamId: string): boolean {
  return streamId.startsWith(RECORDS);
}

/**
 * Saves a snapshot and, in the same transaction, records in a stream of its own what was saved (its digest) and of what (the hash of the newest event that it
 * contains): the table can be changed, the log can't. The snapshot's stream does not move.
 */
export async function saveSnapshot(client: ClientBase, streamId: string, schema: string, { version, data }: Snapshot): Promise<void> {
  const text = JSON.stringify(data);
  try {
    await client.query({ name: 'systole-save-snapshot', text: SAVE, values: [streamId, schema, version, text] });
    const { rows } = await client.query<{ hash: string }>({ name: 'systole-hash-at', text: HASH_AT, values: [streamId, version] });
    const stream = recordsOf(streamId);
    const hash = rows[0]?.hash ?? null;
    const event = { type: 'SnapshotTaken', schemaVersion: 1, data: { schema, version, sha256: digestOf(text), hash }, subjects: [] };
    const meta = { actor: 'event-store', command: 'save-snapshot', correlationId: `${streamId}@${version}` };
    await appendBatchIn(client, stream, { expectedVersion: null, drafts: [canonicalDraft(stream, event, meta)] });
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** @param onRefused hears of each that is passed over because it is not what was recorded */
export async function loadSnapshot(
  pool: Pool,
  streamId: string,
  schema: string,
  atMostVersion: number,
  onRefused: (refused: RefusedSnapshot) => void,
): Promise<Snapshot | undefined> {
  try {
    let atMost = atMostVersion;
    for (let tried = 0; tried < MOST_TRIED; tried++) {
      const { rows } = await pool.query<{ version: string; text: string }>({
        name: 'systole-load-snapshot',
        text: NEWEST,
        values: [streamId, schema, atMost],
      });
      const [row] = rows;
      if (row === undefined) return undefined;
      const version = Number(row.version);
      const reason = await refusalOf(pool, { streamId, schema, version, text: row.text });
      if (reason === undefined) return { version, data: JSON.parse(row.text) as unknown };
      onRefused({ streamId, schema, version, reason });
      atMost = version - 1;
    }
    return undefined;
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** Compares all snapshots, of one stream or of all, with what was recorded of them. @returns those that differ */
export async function verifySnapshots(pool: Pool, streamId: string | undefined): Promise<readonly RefusedSnapshot[]> {
  const refused: RefusedSnapshot[] = [];
  let place: readonly [string, string, number] = ['', '', 0];
  try {
    for (;;) {
      const { rows } = await pool.query<{ stream_id: string; schema: string; version: string; text: string }>(NEXT, [
        ...place,
        streamId ?? null,
      ]);
      const [row] = rows;
      if (row === undefined) return refused;
      const of = { streamId: row.stream_id, schema: row.schema, version: Number(row.version) };
      const reason = await refusalOf(pool, { ...of, text: row.text });
      if (reason !== undefined) refused.push({ ...of, reason });
      place = [of.streamId, of.schema, of.version];
    }
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

interface Stored {
  readonly streamId: string;
  readonly schema: string;
  readonly version: number;
  readonly text: string;
}

async function refusalOf(pool: Pool, { streamId, schema, version, text }: Stored): Promise<RefusedSnapshot['reason'] | undefined> {
  const { rows } = await pool.query<{ sha256: string; recorded: string | null; present: string | null }>({
    name: 'systole-snapshot-record',
    text: RECORD,
    values: [streamId, recordsOf(streamId), schema, version],
  });
  const [record] = rows;
  if (record === undefined) return 'not-recorded';
  if (record.sha256 !== digestOf(text)) return 'text-differs';
  return record.recorded === record.present ? undefined : 'stream-differs';
}

function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
