import { setImmediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import { readNextHashedRows, type HashedRow } from '../read/hashed-rows.js';
import { isOfServer } from '../stream-names.js';
import { eventHash, GENESIS_HASH } from './event-hash.js';

const PAGE = 500;

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
  const heads = new Map((scope.knownHeads ?? []).map((head) => [headKey(head), head]));
  let place = { streamId: scope.streamId ?? '', version: 0, hash: GENESIS_HASH };
  let events = 0;
  let streams = 0;
  for (let next = readNextHashedRows(pool, place, PAGE, scope.streamId); ;) {
    const rows = await next;
    // Read while these are looked at.
    const last = rows.at(-1);
    if (last !== undefined && rows.length === PAGE) next = readNextHashedRows(pool, last, PAGE, scope.streamId);
    // Of a page that nobody comes to any more nobody is to be told.
    next.catch(() => undefined);
    // Else it would be sent only when these were looked at.
    await setImmediate();
    for (const row of rows) {
      const { streamId, version, hash } = row;
      if (version === 1 || streamId !== place.streamId) {
        if (!isOfServer(streamId)) streams++;
        place = { streamId, version: 0, hash: GENESIS_HASH };
      }
      const fault = faultOf(row, place) ?? (heads.size > 0 ? faultOfHead(row, heads) : undefined);
      if (fault !== undefined) {
        const at = fault === 'missing-version' ? place.version + 1 : version;
        return { intact: false, events, streamId, version: at, fault };
      }
      if (!isOfServer(streamId)) events++;
      place = { streamId, version, hash };
    }
    if (rows.length < PAGE) break;
  }
  for (const head of heads.values()) {
    if (scope.streamId !== undefined && head.streamId !== scope.streamId) continue;
    return { intact: false, events, streamId: head.streamId, version: head.version, fault: 'head-differs' };
  }
  return { intact: true, events, streams };
}

function faultOf(row: HashedRow, previous: { readonly version: number; readonly hash: string }): ChainFault | undefined {
  if (row.version !== previous.version + 1) return 'missing-version';
  if (row.previousHash !== previous.hash) return 'broken-link';
  return eventHash(previous.hash, row.text) === row.hash ? undefined : 'changed-content';
}

/** @param heads those that were not come to yet, by {@link headKey} */
function faultOfHead(row: HashedRow, heads: Map<string, KnownHead>): ChainFault | undefined {
  const key = headKey(row);
  const known = heads.get(key);
  heads.delete(key);
  return known === undefined || known.hash === row.hash ? undefined : 'head-differs';
}

function headKey({ streamId, version }: { readonly streamId: string; readonly version: number }): string {
  return `${version}:${streamId}`;
}
