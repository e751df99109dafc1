import { createHash } from 'node:crypto';
import { HttpProblem } from './problem.js';

/** Entries of a page when the request does not say. */
export const DEFAULT_PAGE = 100;

/** One page of a list that was read with one entry more than it shows. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; absent on the last. */
  readonly next?: string;
}

/** @param read up to `limit + 1` entries @param cursor of the entry after which the next page begins */
export function pageOf<T>(read: readonly T[], limit: number, cursor: (last: T) => string): Page<T> {
  const items = read.slice(0, limit);
  const last = items.at(-1);
  return read.length > limit && last !== undefined ? { items, next: cursor(last) } : { items };
}

/**
 * The cursor of the page after an entry of a list in which others come and go: which entry it was, and the how many-th.
 *
 * @param end number of entries up to the last of the page, with it @param id of that one
 */
export function placeCursor(end: number, id: string): string {
  return `${end}.${markOf(id)}`;
}

/**
 * Where the page begins that a cursor of {@link placeCursor} asks for: after the same entry, wherever it is now. An index alone would pass over what came to stand in another one's place.
 *
 * @param ids of the whole list
 * @throws {HttpProblem} 409 when that entry is gone, 400 for what is no such cursor
 */
export function beginAfter(cursor: string | undefined, ids: readonly string[]): number {
  if (cursor === undefined) return 0;
  const [, number, mark] = /^([1-9]\d{0,8})\.([\w-]{22})$/.exec(cursor) ?? [];
  if (number === undefined) throw noCursor();
  const end = Number(number);
  const last = ids[end - 1];
  if (last !== undefined && markOf(last) === mark) return end;
  const place = ids.findIndex((id) => markOf(id) === mark);
  if (place !== -1) return place + 1;
  const detail = `goes on after the entry that was number ${number}, which is not in the list any more: begin again, without a cursor`;
  throw new HttpProblem(409, 'list-changed', `cursor ${detail}`, { errors: [{ parameter: 'cursor', detail }] });
}

/** The cursor of the page after a row that has a number of its own. @param list what is listed, by which conditions: with those of another list it is none */
export function rowCursor(list: string, number: number): string {
  return `${String(number)}.${markOf(list)}`;
}

/** The number of the row that a cursor of {@link rowCursor} names. @throws {HttpProblem} 400 for what is no cursor of that list */
export function rowAfter(list: string, cursor: string): number {
  const [, number, mark] = /^([1-9]\d{0,14})\.([\w-]{22})$/.exec(cursor) ?? [];
  if (number === undefined || mark !== markOf(list)) throw noCursor();
  return Number(number);
}

/** An id as cursors have it: of one length, and without anything that would have to be escaped. */
function markOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 22);
}

/** Says of a cursor that it is none of this list. */
function noCursor(): HttpProblem {
  const detail = 'is no cursor of this list: take `next` of the previous page';
  return new HttpProblem(400, 'invalid-parameter', `cursor ${detail}`, { errors: [{ parameter: 'cursor', detail }] });
}
