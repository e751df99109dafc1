import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { appendBatchIn } from '../append/append-batch.js';
import { canonicalDraft } from '../append/canonical-event.js';
import { storeError } from '../errors.js';
import { inTransaction } from '../postgres/transaction.js';
import { JsonAssembly, jsonPieces } from './json-pieces.js';

/** $1 stream id, $2 schema, $3 version, $4 data, $5 how many pieces follow. */
const SAVE = `
INSERT INTO snapshots (stream_id, schema, version, data, pieces)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (stream_id, schema, version) DO UPDATE SET data = excluded.data, pieces = excluded.pieces, created_at = excluded.created_at`;

/** $1 stream id, $2 schema, $3 version, $4 how many pieces there are before these, $5 their texts. */
const SAVE_PIECES = `
INSERT INTO snapshot_pieces (stream_id, schema, version, piece, text)
SELECT $1, $2, $3, $4 + new.piece, new.text FROM unnest($5::text[]) WITH ORDINALITY AS new(text, piece)
ON CONFLICT (stream_id, schema, version, piece) DO UPDATE SET text = excluded.text`;

/** $1 stream id, $2 schema, $3 version, $4 and $5 the pieces from after which, to which. */
const PIECES = `
SELECT text FROM snapshot_pieces
WHERE stream_id = $1 AND schema = $2 AND version = $3 AND piece > $4 AND piece <= $5
ORDER BY piece`;

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
SELECT version, data::text AS text, pieces
FROM snapshots
WHERE stream_id = $1 AND schema = $2 AND version <= $3
ORDER BY version DESC
LIMIT 1`;

/** $1 stream id, schema and version of the last one seen (rows in their order); $4 the only stream, or null. */
const NEXT = `
SELECT stream_id, schema, version, data::text AS text, pieces
FROM snapshots
WHERE (stream_id, schema, version) > ($1, $2, $3) AND ($4::text IS NULL OR stream_id = $4)
ORDER BY stream_id, schema, version
LIMIT 1`;

/** $1 stream id, $2 version; all below it go. */
const DELETE = `
DELETE FROM snapshots
WHERE stream_id = $1 AND version < $2`;

/** The same, also those of snapshots that were never completed. */
const DELETE_PIECES = `
DELETE FROM snapshot_pieces
WHERE stream_id = $1 AND version < $2`;

/** $1 stream id, $2 version, $3 schema, $4 versions in a section; of each section below the version the oldest of the schema stays. */
const THIN = `
DELETE FROM snapshots AS old
WHERE stream_id = $1 AND version < $2
  AND (schema <> $3 OR EXISTS (
    SELECT FROM snapshots AS older
    WHERE older.stream_id = $1 AND older.schema = $3 AND older.version < old.version AND older.version / $4 = old.version / $4))`;

/** $1 stream id, $2 version. */
const THIN_PIECES = `
DELETE FROM snapshot_pieces AS piece
WHERE stream_id = $1 AND version < $2
  AND NOT EXISTS (
    SELECT FROM snapshots AS whole
    WHERE whole.stream_id = $1 AND whole.schema = piece.schema AND whole.version = piece.version)`;

/** $1 stream id, $2 schema, $3 newest version to be looked at. */
const NEWEST_VERSION = `
SELECT max(version) AS version FROM snapshots
WHERE stream_id = $1 AND schema = $2 AND version <= $3`;

/** Pieces of a snapshot that are written, or read, in one statement: some 150 KB. */
const PIECES_AT_ONCE = 4;

/** Snapshots that are looked at before a stream is folded from its first event: whoever forges one may forge many. */
const MOST_TRIED = 10;

/** A fold of a stream up to a version. `schema` names the shape of `data` and the rules of the fold; another schema is never loaded. */
export interface Snapshot {
  readonly version: number;
  /** JSON as it was saved. Its shape is what `schema` says; whoever loads it checks what it relies on. */
  readonly data: unknown;
  /** Of the newest event that it contains, where whoever saves it knows: where the log holds another one there, it went back meanwhile, and nothing is saved. */
  readonly hash?: string;
}

/** A snapshot as it is in the database. */
export interface StoredSnapshot extends Snapshot {
  /** Length of its text, in UTF-16 code units. */
  readonly length: number;
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
 * Saves a snapshot, and records in a stream of its own what was saved (its digest) and of what (the hash of the newest event that it contains): the table can be
 * changed, the log can't. The snapshot's stream does not move.
 *
 * What it takes grows with the snapshot, but nothing waits for it: it is written piece by piece (`jsonPieces`), and the transaction, which everybody who
 * follows the order of the log waits for, only says that it is complete.
 *
 * @returns the length of its text, in UTF-16 code units
 */
export async function saveSnapshot(pool: Pool, streamId: string, schema: string, { version, data, hash }: Snapshot): Promise<number> {
  const digest = createHash('sha256');
  let [first, length, pieces, waiting]: [string | undefined, number, number, string[]] = [undefined, 0, 0, []];
  const write = async (): Promise<void> => {
    const texts = waiting;
    waiting = [];
    const values = [streamId, schema, version, pieces, texts];
    if (texts.length > 0) await pool.query({ name: 'systole-save-snapshot-pieces', text: SAVE_PIECES, values });
    pieces += texts.length;
  };
  try {
    for (const text of jsonPieces(data)) {
      digest.update(text, 'utf8');
      length += text.length;
      if (first === undefined) first = text;
      else waiting.push(text);
      if (waiting.length === PIECES_AT_ONCE) await write();
    }
    await write();
    const sha256 = digest.digest('hex');
    await inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ hash: string }>({ name: 'systole-hash-at', text: HASH_AT, values: [streamId, version] });
      if (hash !== undefined && hash !== rows[0]?.hash) return;
      await client.query({ name: 'systole-save-snapshot', text: SAVE, values: [streamId, schema, version, first, pieces] });
      const stream = recordsOf(streamId);
      const event = {
        type: 'SnapshotTaken',
        schemaVersion: 1,
        data: { schema, version, sha256, hash: rows[0]?.hash ?? null },
        subjects: [],
      };
      const meta = { actor: 'event-store', command: 'save-snapshot', correlationId: `${streamId}@${version}` };
      await appendBatchIn(client, stream, { expectedVersion: null, drafts: [canonicalDraft(stream, event, meta)] });
    });
    return length;
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
): Promise<StoredSnapshot | undefined> {
  try {
    let atMost = atMostVersion;
    for (let tried = 0; tried < MOST_TRIED; tried++) {
      const { rows } = await pool.query<Row>({ name: 'systole-load-snapshot', text: NEWEST, values: [streamId, schema, atMost] });
      const [row] = rows;
      if (row === undefined) return undefined;
      const of = { streamId, schema, version: Number(row.version) };
      const read = new Reading();
      await readPieces(pool, of, row, read);
      const reason = await refusalOf(pool, of, row, read);
      if (reason === undefined) return { version: of.version, data: read.value, length: read.length };
      if (reason !== 'incomplete') onRefused({ ...of, reason });
      atMost = of.version - 1;
    }
    return undefined;
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** Version of the newest snapshot that there is, whether or not it is what was recorded; 0 when there is none. */
export async function newestSnapshot(pool: Pool, streamId: string, schema: string, atMostVersion: number): Promise<number> {
  try {
    const { rows } = await pool.query<{ version: string | null }>(NEWEST_VERSION, [streamId, schema, atMostVersion]);
    return Number(rows[0]?.version ?? 0);
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
      const { rows } = await pool.query<Row & { stream_id: string; schema: string }>(NEXT, [...place, streamId ?? null]);
      const [row] = rows;
      if (row === undefined) return refused;
      const of = { streamId: row.stream_id, schema: row.schema, version: Number(row.version) };
      const read = new Reading();
      await readPieces(pool, of, row, read);
      const reason = await refusalOf(pool, of, row, read);
      if (reason !== undefined && reason !== 'incomplete') refused.push({ ...of, reason });
      place = [of.streamId, of.schema, of.version];
    }
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** @returns how many were deleted */
export async function deleteSnapshots(pool: Pool, streamId: string, belowVersion: number): Promise<number> {
  try {
    const { rowCount } = await pool.query({ name: 'systole-delete-snapshots', text: DELETE, values: [streamId, belowVersion] });
    await pool.query({ name: 'systole-delete-snapshot-pieces', text: DELETE_PIECES, values: [streamId, belowVersion] });
    return rowCount ?? 0;
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/**
 * Deletes snapshots below a version, but for the oldest one of a schema in each section of the stream. Where sections grow by doubling, what stays is the same whether
 * it was thinned before or not.
 *
 * @param every versions in a section
 * @returns how many were deleted
 */
export async function thinSnapshots(pool: Pool, streamId: string, schema: string, belowVersion: number, every: number): Promise<number> {
  try {
    const values = [streamId, belowVersion, schema, every];
    const { rowCount } = await pool.query({ name: 'systole-thin-snapshots', text: THIN, values });
    await pool.query({ name: 'systole-thin-snapshot-pieces', text: THIN_PIECES, values: [streamId, belowVersion] });
    return rowCount ?? 0;
  } catch (error) {
    throw storeError(error, 'read');
  }
}

interface Row {
  readonly version: string;
  /** Its first piece. */
  readonly text: string;
  /** How many follow. */
  readonly pieces: number;
}

interface Place {
  readonly streamId: string;
  readonly schema: string;
  readonly version: number;
}

/** What is read of a snapshot, piece by piece: its digest, and the value, as far as it is one. */
class Reading {
  readonly #digest = createHash('sha256');
  #assembly: JsonAssembly | undefined;
  #count = 0;
  #length = 0;

  get value(): unknown {
    return this.#assembly?.value;
  }

  get length(): number {
    return this.#length;
  }

  get count(): number {
    return this.#count;
  }

  sha256(): string {
    return this.#digest.digest('hex');
  }

  add(text: string): void {
    this.#digest.update(text, 'utf8');
    this.#length += text.length;
    try {
      if (this.#count === 0) this.#assembly = new JsonAssembly(text);
      else this.#assembly?.add(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      // The digest will tell.
      this.#assembly = undefined;
    }
    this.#count++;
  }
}

async function readPieces(pool: Pool, { streamId, schema, version }: Place, { text, pieces }: Row, into: Reading): Promise<void> {
  into.add(text);
  for (let after = 0; after < pieces; after += PIECES_AT_ONCE) {
    const values = [streamId, schema, version, after, Math.min(pieces, after + PIECES_AT_ONCE)];
    const { rows } = await pool.query<{ text: string }>({ name: 'systole-snapshot-pieces', text: PIECES, values });
    for (const piece of rows) into.add(piece.text);
  }
}

/** `incomplete`: pieces are missing, as of one that is being deleted; it is no snapshot any more. */
async function refusalOf(
  pool: Pool,
  { streamId, schema, version }: Place,
  { pieces }: Row,
  read: Reading,
): Promise<RefusedSnapshot['reason'] | 'incomplete' | undefined> {
  if (read.count !== pieces + 1) return 'incomplete';
  const { rows } = await pool.query<{ sha256: string; recorded: string | null; present: string | null }>({
    name: 'systole-snapshot-record',
    text: RECORD,
    values: [streamId, recordsOf(streamId), schema, version],
  });
  const [record] = rows;
  if (record === undefined) return 'not-recorded';
  if (record.sha256 !== read.sha256()) return 'text-differs';
  return record.recorded === record.present ? undefined : 'stream-differs';
}
