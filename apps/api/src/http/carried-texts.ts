import { isCarriable } from '@systole/protocol';
import type { ProblemIssue } from './problem.js';

const DETAIL = "holds a character that can't be stored (NUL, another control character, half a surrogate pair): leave it out";

/**
 * The places of a value of JSON whose texts or names can't be carried by XML, JSON and PostgreSQL alike.
 * @param pointer JSON pointer of the value
 */
export function notCarried(value: unknown, pointer: string): readonly ProblemIssue[] {
  if (typeof value === 'string') return isCarriable(value) ? [] : [{ pointer, detail: DETAIL }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]: [string, unknown]) => {
    const place = `${pointer}/${pointerToken(name)}`;
    return isCarriable(name) ? notCarried(entry, place) : [{ pointer: place, detail: DETAIL }];
  });
}

/** A name in a JSON pointer (RFC 6901 §3). */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
