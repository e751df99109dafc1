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

/** A cursor that is a whole number. @throws {HttpProblem} 400 */
export function numberCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^\d{1,15}$/.test(cursor)) {
    const detail = 'is no cursor of this list: take `next` of the previous page';
    throw new HttpProblem(400, 'invalid-parameter', `cursor ${detail}`, { errors: [{ parameter: 'cursor', detail }] });
  }
  return Number(cursor);
}
