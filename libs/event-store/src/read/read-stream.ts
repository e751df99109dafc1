import type { ClientBase, Pool, QueryConfig } from 'pg';
import { storeError } from '../errors.js';
import { EVENT_COLUMNS, type EventRow } from './recorded-row.js';

/** $1 stream id, $2 first version, $3 last version, $4 limit. */
const READ_STREAM = `
SELECT ${EVENT_COLUMNS}
FROM events
WHERE stream_id = $1 AND version BETWEEN $2 AND $3
ORDER BY version
LIMIT $4`;

/** What the version itself carries from which is read on stays in the database: of a change of thousands of elements the subjects are as many. */
const columnsAfter = (version: string): string =>
  EVENT_COLUMNS.replace(/ (data|subjects),/g, (_, column: string) => ` CASE WHEN version > ${version} THEN ${column} END AS ${column},`);

/** $1 stream id, $2 version, $3 limit. */
const READ_ON = `
SELECT ${columnsAfter('$2')}
FROM events
WHERE stream_id = $1 AND version >= $2
ORDER BY version
LIMIT $3`;

/** $1 stream ids, $2 versions, $3 limit for each: those at one place belong together. */
const READ_ON_MANY = `
SELECT place::integer, event.*
FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS asked (id, after, place)
CROSS JOIN LATERAL (
  SELECT ${columnsAfter('asked.after')}
  FROM events
  WHERE stream_id = asked.id AND version >= asked.after
  ORDER BY version
  LIMIT $3) AS event`;

/** $1 stream id, $2 version. */
const READ_HASH = `
SELECT hash
FROM events
WHERE stream_id = $1 AND version = $2`;

/** $1 stream ids. */
const READ_HEADS = `
SELECT place::integer, head.*
FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, place)
CROSS JOIN LATERAL (
  SELECT version, hash, occurred_at
  FROM events
  WHERE stream_id = asked.id
  ORDER BY version DESC
  LIMIT 1) AS head`;

/** $1 stream id. */
const READ_AHEAD = `
SELECT (extract(epoch FROM occurred_at - clock_timestamp()) * 1000)::float8 AS ahead
FROM events
WHERE stream_id = $1
ORDER BY version DESC
LIMIT 1`;

/** $1 stream id, $2 causation id, $3 first version. */
const readVersionCaused = (by: string): string => `
SELECT version
FROM events
WHERE stream_id = $1 AND causation_id = $2 AND version >= $3${by}
ORDER BY version
LIMIT 1`;
const READ_VERSION_CAUSED_BY = readVersionCaused('');
/** In the words of the index that holds UUIDs of version 8, which follow from a key. */
const READ_VERSION_CAUSED_BY_KEYED = readVersionCaused(` AND substr(causation_id, 15, 1) = '8'`);

/** $1 stream id, $2 moment. */
const READ_VERSION_AT = `
SELECT event_version_at($1, $2) AS version`;

/** The end of a stream. Kept elsewhere, it proves later that the stream was not cut off (see `verifyChain`). */
export interface StreamHead {
  readonly version: number;
  /** Lower-case hexadecimal. */
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
}

/** @returns undefined when no event from that version on has that causation id */
export async function readVersionCausedBy(
  connection: Pool | ClientBase,
  streamId: string,
  causationId: string,
  fromVersion: number,
): Promise<number | undefined> {
  const statement = causationId.charAt(14) === '8' ? READ_VERSION_CAUSED_BY_KEYED : READ_VERSION_CAUSED_BY;
  const { rows } = await connection.query<{ readonly version: string }>(statement, [streamId, causationId, fromVersion]);
  return rows[0] === undefined ? undefined : Number(rows[0].version);
}

export async function readStreamRows(
  connection: Pool | ClientBase,
  streamId: string,
  range: { readonly fromVersion: number; readonly toVersion: number; readonly limit: number },
): Promise<readonly EventRow[]> {
  const values = [streamId, range.fromVersion, range.toVersion, range.limit];
  try {
    return (await connection.query<EventRow>({ name: 'systole-read-stream', text: READ_STREAM, values })).rows;
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** Where it is to be read on. */
export interface PlaceInStream {
  readonly streamId: string;
  /** From 1. */
  readonly version: number;
}

/** Asks for the event of a version, without its data, and those that follow it. @param limit most rows */
export function readOnQuery({ streamId, version }: PlaceInStream, limit: number): QueryConfig {
  return { name: 'systole-read-on', text: READ_ON, values: [streamId, version, limit] };
}

/** The same for many streams at once. @param limit most rows of each @returns for each place its rows */
export async function readManyRowsOn(
  connection: Pool | ClientBase,
  places: readonly PlaceInStream[],
  limit: number,
): Promise<readonly (readonly EventRow[])[]> {
  const values = [places.map(({ streamId }) => streamId), places.map(({ version }) => version), limit];
  const found = places.map((): EventRow[] => []);
  try {
    const { rows } = await connection.query<EventRow & { readonly place: number }>({
      name: 'systole-read-many-on',
      text: READ_ON_MANY,
      values,
    });
    for (const row of rows) found[row.place - 1]?.push(row);
    return found;
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** Lower-case hexadecimal; undefined when the stream has no such version. */
export async function readHash(connection: Pool | ClientBase, streamId: string, version: number): Promise<string | undefined> {
  try {
    const { rows } = await connection.query<Pick<EventRow, 'hash'>>({
      name: 'systole-read-hash',
      text: READ_HASH,
      values: [streamId, version],
    });
    return rows[0]?.hash.toString('hex');
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** @returns for each stream its newest event; undefined where it has none */
export async function readHeads(connection: Pool | ClientBase, streamIds: readonly string[]): Promise<readonly (StreamHead | undefined)[]> {
  const found = streamIds.map((): StreamHead | undefined => undefined);
  try {
    const { rows } = await connection.query<Pick<EventRow, 'version' | 'hash' | 'occurred_at'> & { readonly place: number }>({
      name: 'systole-read-heads',
      text: READ_HEADS,
      values: [streamIds],
    });
    for (const { place, version, hash, occurred_at } of rows)
      found[place - 1] = { version: Number(version), hash: hash.toString('hex'), occurredAt: occurred_at.toISOString() };
    return found;
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** By how much the newest event is dated later than now, by the clock that dates events, ms; 0 when it is not, or there is none. */
export async function readAheadMs(connection: Pool | ClientBase, streamId: string): Promise<number> {
  try {
    const { rows } = await connection.query<{ readonly ahead: number }>({
      name: 'systole-read-ahead',
      text: READ_AHEAD,
      values: [streamId],
    });
    return Math.max(0, rows[0]?.ahead ?? 0);
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** The version that the stream had at a moment (ISO 8601); 0 before its first event. */
export async function readVersionAt(connection: Pool | ClientBase, streamId: string, moment: string): Promise<number> {
  try {
    const { rows } = await connection.query<Pick<EventRow, 'version'>>(READ_VERSION_AT, [streamId, moment]);
    return Number(rows[0]?.version ?? 0);
  } catch (error) {
    throw storeError(error, 'read');
  }
}
