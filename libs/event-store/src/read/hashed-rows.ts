import type { Pool } from 'pg';
import { canonicalEvent } from '../append/canonical-event.js';
import { canonicalJson, canonicalJsonOf } from '../canonical-json.js';
import { storeError } from '../errors.js';

/** Where there are only texts, each as PostgreSQL writes it. */
type Texts = [
  streamId: string,
  version: string,
  type: string,
  schemaVersion: string,
  data: string,
  subjects: string,
  actor: string,
  command: string,
  correlationId: string,
  causationId: string | null,
  occurredAt: string,
  previousHash: string,
  hash: string,
];

/** An event as its hash covers it. */
export class HashedRow {
  readonly streamId: string;
  readonly version: number;
  /** ISO 8601. */
  readonly occurredAt: string;
  /** Lower-case hexadecimal. */
  readonly previousHash: string;
  /** Lower-case hexadecimal; what is stored, which need not be that of the text. */
  readonly hash: string;
  readonly #texts: Texts;

  constructor(texts: Texts) {
    this.#texts = texts;
    this.streamId = texts[0];
    this.version = Number(texts[1]);
    [this.occurredAt, this.previousHash, this.hash] = [texts[10], texts[11], texts[12]];
  }

  /** What the hash covers after the hash before it. Made when it is asked for: the texts of a page at once would live as long as the page, and cost more in the collection of garbage than in the making. */
  get text(): string {
    const [streamId, version, type, schemaVersion, data, subjects, actor, command, correlationId, causationId, occurredAt] = this.#texts;
    return canonicalEvent({
      actor: canonicalJson(actor),
      causationId: causationId === null ? 'null' : canonicalJson(causationId),
      command: canonicalJson(command),
      correlationId: canonicalJson(correlationId),
      data: canonicalJsonOf(data),
      occurredAt: `"${occurredAt}"`,
      schemaVersion,
      streamId: canonicalJson(streamId),
      // What PostgreSQL writes of texts that need no escape is canonical.
      subjects: subjects.includes('\\') ? canonicalJsonOf(subjects) : subjects,
      type: canonicalJson(type),
      version,
    });
  }
}

const COLUMNS = `stream_id, version, type, schema_version, data, array_to_json(subjects), actor, command, correlation_id, causation_id,
       to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), encode(prev_hash, 'hex'), encode(hash, 'hex')`;

/** $1 stream id, $2 first version, $3 last version. */
const OF_STREAM = `
SELECT ${COLUMNS}
FROM events
WHERE stream_id = $1 AND version BETWEEN $2 AND $3
ORDER BY version`;

/** $1 stream id and $2 version of the last row seen, $3 last stream id to read (null: all), $4 limit. */
const NEXT = `
SELECT ${COLUMNS}
FROM events
WHERE (stream_id, version) > ($1, $2) AND ($3::text IS NULL OR stream_id <= $3)
ORDER BY stream_id, version
LIMIT $4`;

/** Of the many that are read here nothing is made but what is hashed: dates, arrays and bytes would cost as much as all the rest. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** Events of one stream; versions are inclusive. */
export async function readHashedRows(
  pool: Pool,
  streamId: string,
  range: { readonly fromVersion: number; readonly toVersion: number },
): Promise<readonly HashedRow[]> {
  return read(pool, { name: 'systole-hashed-rows', text: OF_STREAM, values: [streamId, range.fromVersion, range.toVersion] });
}

/** Events of all streams in the order of their ids, from after a place on. @param only one stream; all when left out */
export async function readNextHashedRows(
  pool: Pool,
  after: { readonly streamId: string; readonly version: number },
  limit: number,
  only?: string,
): Promise<readonly HashedRow[]> {
  return read(pool, { name: 'systole-next-hashed-rows', text: NEXT, values: [after.streamId, after.version, only ?? null, limit] });
}

async function read(
  pool: Pool,
  query: { readonly name: string; readonly text: string; readonly values: unknown[] },
): Promise<readonly HashedRow[]> {
  try {
    const { rows } = await pool.query<Texts>({ ...query, rowMode: 'array', types: AS_TEXT });
    return rows.map((texts) => new HashedRow(texts));
  } catch (error) {
    throw storeError(error, 'read');
  }
}
