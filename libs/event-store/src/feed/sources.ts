import type { Pool } from 'pg';
import { anyHidden, cursorAfter, findCursor, type GlobalCursor, readAllRows } from '../read/read-all.js';
import { readStreamRows } from '../read/read-stream.js';
import type { EventRow } from '../read/recorded-row.js';
import type { Source } from './subscription.js';

/** The events of one stream after a version. */
export function oneStream(pool: Pool, streamId: string, afterVersion: number): Source<EventRow> {
  let version = afterVersion;
  return {
    async next(limit) {
      const rows = await readStreamRows(pool, streamId, { fromVersion: version + 1, toVersion: Number.MAX_SAFE_INTEGER, limit });
      version += rows.length;
      return rows;
    },
    unsettled: () => Promise.resolve(false),
    concerns: (appendedTo, newVersion) => appendedTo === streamId && newVersion > version,
  };
}

/** The events of all streams after a global position. */
export function allStreams(pool: Pool, afterPosition: number): Source<EventRow> {
  let cursor: GlobalCursor | undefined;
  return {
    async next(limit) {
      cursor ??= await findCursor(pool, afterPosition);
      const rows = await readAllRows(pool, cursor, limit);
      const last = rows.at(-1);
      if (last !== undefined) cursor = cursorAfter(last);
      return rows;
    },
    unsettled: () => anyHidden(pool),
    concerns: () => true,
  };
}
