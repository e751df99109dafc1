import type { ClientBase, Pool } from 'pg';
import { storeError, UnknownPosition } from '../errors.js';
import { EVENT_COLUMNS, type EventRow } from './recorded-row.js';

/**
 * $1 transaction id and $2 global position of the last event read, $3 limit.
 *
 * The order (transaction id, global position) is final below the horizon: a transaction that is still running has an id at or above it, and
 * its events get no lower one. Bare sequence order would skip the events of a transaction that took its positions early and commits late.
 */
const READ_ALL = `
SELECT transaction_id, ${EVENT_COLUMNS}
FROM events
WHERE (transaction_id, global_position) > ($1, $2) AND transaction_id < event_horizon()
ORDER BY transaction_id, global_position
LIMIT $3`;

/** Whether committed events wait for a transaction that is still running. */
const ANY_HIDDEN = `
SELECT EXISTS (SELECT FROM events WHERE transaction_id >= event_horizon()) AS hidden`;

/** $1 global position. */
const FIND_POSITION = `
SELECT transaction_id
FROM events
WHERE global_position = $1`;

const LAST_FINAL = `
SELECT transaction_id, global_position
FROM events
WHERE transaction_id < event_horizon()
ORDER BY transaction_id DESC, global_position DESC
LIMIT 1`;

/** A place in the global order: after this event. */
export interface GlobalCursor {
  readonly transactionId: string;
  readonly globalPosition: number;
}

export type GlobalRow = EventRow & { readonly transaction_id: string };

export const START: GlobalCursor = { transactionId: '0', globalPosition: 0 };

export function cursorAfter(row: GlobalRow): GlobalCursor {
  return { transactionId: row.transaction_id, globalPosition: Number(row.global_position) };
}

/** @throws {UnknownPosition} */
export async function findCursor(connection: Pool | ClientBase, globalPosition: number): Promise<GlobalCursor> {
  if (globalPosition === 0) return START;
  try {
    const { rows } = await connection.query<Pick<GlobalRow, 'transaction_id'>>({
      name: 'systole-find-position',
      text: FIND_POSITION,
      values: [globalPosition],
    });
    const [row] = rows;
    if (row === undefined) throw new UnknownPosition(globalPosition);
    return { transactionId: row.transaction_id, globalPosition };
  } catch (error) {
    throw storeError(error, 'read');
  }
}

export async function readAllRows(connection: Pool | ClientBase, after: GlobalCursor, limit: number): Promise<readonly GlobalRow[]> {
  const values = [after.transactionId, after.globalPosition, limit];
  try {
    return (await connection.query<GlobalRow>({ name: 'systole-read-all', text: READ_ALL, values })).rows;
  } catch (error) {
    throw storeError(error, 'read');
  }
}

export async function anyHidden(connection: Pool | ClientBase): Promise<boolean> {
  try {
    const { rows } = await connection.query<{ hidden: boolean }>({ name: 'systole-any-hidden', text: ANY_HIDDEN });
    return rows[0]?.hidden ?? false;
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** The global position of the last event that {@link readAllRows} would give; 0 when there is none. */
export async function lastPosition(connection: Pool | ClientBase): Promise<number> {
  try {
    const { rows } = await connection.query<Pick<GlobalRow, 'global_position'>>(LAST_FINAL);
    return Number(rows[0]?.global_position ?? 0);
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** Hash of the event at a global position, lower-case hexadecimal; undefined when there is none. */
export async function hashAtPosition(connection: Pool | ClientBase, globalPosition: number): Promise<string | undefined> {
  const text = 'SELECT hash FROM events WHERE global_position = $1';
  try {
    const { rows } = await connection.query<{ hash: Buffer }>({ name: 'systole-hash-at-position', text, values: [globalPosition] });
    return rows[0]?.hash.toString('hex');
  } catch (error) {
    throw storeError(error, 'read');
  }
}
