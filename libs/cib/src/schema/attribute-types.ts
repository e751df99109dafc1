import { parseBoolean } from '../scalars/boolean.js';
import { parseInteger } from '../scalars/integer.js';
import { parseInterval } from '../scalars/interval.js';
import { parseRole } from '../scalars/role.js';

/** What an attribute's text must be; each says what is wrong with a text, or nothing. */
export type AttributeType = (text: string) => string | undefined;

/** Any text. */
export const text: AttributeType = () => undefined;

/** Any text but the empty one. */
export const nonEmpty: AttributeType = (value) => (value === '' ? 'must not be empty' : undefined);

/** An XML id: a name without colons, unique in the document. */
export const xmlId: AttributeType = (value) =>
  /^[\p{L}_][\p{L}\p{M}\p{N}_.\u00B7-]*$/u.test(value)
    ? undefined
    : `"${value}" is no id: start with a letter or "_", go on with letters, digits, "_", "-" or "."`;

/** A score: `INFINITY`, `+INFINITY`, `-INFINITY` or an integer. */
export const score: AttributeType = (value) =>
  /^(?:[+-]?INFINITY|[+-]?\d+)$/.test(value) ? undefined : `"${value}" is no score: use an integer, INFINITY or -INFINITY`;

export const boolean: AttributeType = (value) =>
  parseBoolean(value) === undefined ? `"${value}" is no boolean: use true or false` : undefined;

export const interval: AttributeType = (value) =>
  parseInterval(value) === undefined ? `"${value}" is no interval: use e.g. 10s, 5min or PT1M` : undefined;

export const role: AttributeType = (value) =>
  parseRole(value) === undefined ? `"${value}" is no role: use Stopped, Started, Unpromoted or Promoted` : undefined;

export const integer: AttributeType = (value) => (/^[+-]?\d+$/.test(value) ? undefined : `"${value}" is no integer`);

/** An integer within bounds, both inclusive. */
export function integerBetween(low: number, high: number): AttributeType {
  return (value) => {
    const number = /^\d+$/.test(value) ? parseInteger(value) : undefined;
    if (number !== undefined && number >= low && number <= high) return undefined;
    return `"${value}" is no integer ${high === Infinity ? `from ${low} on` : `from ${low} to ${high}`}`;
  };
}

/** One of some words, spelled exactly so. */
export function oneOf(...words: readonly string[]): AttributeType {
  const known = new Set(words);
  return (value) => (known.has(value) ? undefined : `"${value}" is not known: use ${words.join(', ')}`);
}

/** One of some words, case ignored. */
export function oneOfIgnoringCase(...words: readonly string[]): AttributeType {
  const known = new Set(words.map((word) => word.toLowerCase()));
  return (value) => (known.has(value.toLowerCase()) ? undefined : `"${value}" is not known: use ${words.join(', ')}`);
}
