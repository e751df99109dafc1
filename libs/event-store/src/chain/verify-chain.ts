import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import { storeError } from '../errors.js';
import { canonicalRow, EVENT_COLUMNS, type EventRow } from '../read/recorded-row.js';
import { isOfServer } from '../stream-names.js';

/** $1 stream id and $2 version of the last row seen, $3 last stream id to read (null: all), $4 limit. */
const NEXT_ROWS = `
SELECT ${EVENT_COLUMNS}
FROM events
WHERE (stream_id, version) > ($1, $2) AND ($3::text IS NULL OR stream_id <= $3)
ORDER BY stream_id, version
LIMIT $4`;

/** The prev_hash of a stream's first event. */
export const GENESIS_HASH = '0'.repeat(64);

const PAGE = 1_000;

/** What can be wrong with a stream. */
export type ChainFault =
  /** A version is missing: events were removed. */
  | 'missing-version'
  /** The event doesn't name the hash of the one before it: one of the two was replaced. */
  | 'broken-link'
  /** The event's hash is not that of its content: the content, or the hash, was changed. */
  | 'changed-content'
  /** The stream ends before the head that it is known to have had, or has another event there: it was cut off or rewritten. */
  | 'head-differs'
  /** A snapshot of the stream is not what was recorded when it was taken. It is not used. */
  | 'snapshot-differs';

export type ChainVerdict =
  /** The server's own streams are checked as well, and not counted. */
  | { readonly intact: true; readonly events: number; readonly streams: number }
  | {
      readonly intact: false;
      /** Events that were found in order before the fault. */
      readonly events: number;
      readonly streamId: string;
      /** The first version at which the stream is not as it was written. */
      readonly version: number;
      readonly fault: ChainFault;
    };

/** A head that a stream is known to have had, kept outside of the database. */
export interface KnownHead {
  readonly streamId: string;
  readonly version: number;
  readonly hash: string;
}

/**
 * Recomputes hashes from what is stored, of one stream or of all in the order of their ids, and stops at the first fault. Reads in pages, so
 * memory is bounded and no transaction stays open.
 *
 * A chain alone can't show that its newest events were removed, or that all of it was written anew: `knownHeads` can.
 */
export async function verifyChain(
  pool: Pool,
  scope: { readonly streamId?: string; readonly knownHeads?: readonly KnownHead[] },
): Promise<ChainVerdict> {
  const heads = new Map((scope.knownHeads ?? []).map((head) => [`${head.version}:${head.streamId}`, head]));
  let place = { streamId: scope.streamId ?? '', version: 0, hash: GENESIS_HASH };
  let events = 0;
  let streams = 0;
  for (let next = nextRows(pool, place, scope.streamId); ;) {
    const rows = await next;
    // Read while these are looked at.
    const last = rows.at(-1);
    if (last !== undefined && rows.length === PAGE)
      next = nextRows(pool, { streamId: last.stream_id, version: Number(last.version) }, scope.streamId);
    // Of a page that nobody comes to any more nobody is to be told.
    next.catch(() => undefined);
    for (const row of rows) {
      const version = Number(row.version);
      if (version === 1 || row.stream_id !== place.streamId) {
        if (!isOfServer(row.stream_id)) streams++;
        place = { streamId: row.stream_id, version: 0, hash: GENESIS_HASH };
      }
      const key = `${version}:${row.stream_id}`;
      const fault = faultOf(row, place, heads.get(key));
      if (fault !== undefined) {
        const at = fault === 'missing-version' ? place.version + 1 : version;
        return { intact: false, events, streamId: row.stream_id, version: at, fault };
      }
      heads.delete(key);
      if (!isOfServer(row.stream_id)) events++;
      place = { streamId: row.stream_id, version, hash: row.hash.toString('hex') };
    }
    if (rows.length < PAGE) break;
  }
  for (const head of heads.values()) {
    if (scope.streamId !== undefined && head.streamId !== scope.streamId) continue;
    return { intact: false, events, streamId: head.streamId, version: head.version, fault: 'head-differs' };
  }
  return { intact: true, events, streams };
}

async function nextRows(pool: Pool, place: { streamId: string; version: number }, only: string | undefined): Promise<readonly EventRow[]> {
  try {
    return (await pool.query<EventRow>(NEXT_ROWS, [place.streamId, place.version, only ?? null, PAGE])).rows;
  } catch (error) {
    throw storeError(error, 'read');
  }
}

function faultOf(row: EventRow, previous: { version: number; hash: string }, known: KnownHead | undefined): ChainFault | undefined {
  if (Number(row.version) !== previous.version + 1) return 'missing-version';
  if (row.prev_hash.toString('hex') !== previous.hash) return 'broken-link';
  if (hashOf(row) !== row.hash.toString('hex')) return 'changed-content';
  if (known !== undefined && known.hash !== row.hash.toString('hex')) return 'head-differs';
  return undefined;
}

function hashOf(row: EventRow): string {
  return hash('sha256', Buffer.concat([row.prev_hash, Buffer.from(canonicalRow(row), 'utf8')]), 'hex');
}
