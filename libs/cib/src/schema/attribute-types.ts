/** What an attribute's text must be; each says what is wrong with a text, or nothing. */
export interface AttributeType {
  (text: string): string | undefined;
  /** The only texts that are allowed, where these are some words. */
  readonly words?: readonly string[];
}

/** Any text. */
export const text: AttributeType = () => undefined;

/** An XML id: a name without colons, unique in the document. */
export const xmlId: AttributeType = (value) =>
  /^[\p{L}_][\p{L}\p{M}\p{N}_.\u00B7-]*$/u.test(trimmed(value))
    ? undefined
    : `"${value}" is no id: start with a letter or "_", go on with letters, digits, "_", "-" or "."`;

/** A reference to the XML id of any element of the document. */
export const idReference: AttributeType = (value) => xmlId(value);

/** A score: `INFINITY`, `+INFINITY`, `-INFINITY` or an integer. */
export const score: AttributeType = (value) =>
  /^(?:[+-]?INFINITY|[+-]?\d{1,24})$/.test(trimmed(value)) ? undefined : `"${value}" is no score: use an integer, INFINITY or -INFINITY`;

export const boolean: AttributeType = (value) =>
  /^(?:true|false|1|0)$/.test(trimmed(value)) ? undefined : `"${value}" is no boolean: use true or false`;

export const integer: AttributeType = (value) => (/^[+-]?\d{1,24}$/.test(trimmed(value)) ? undefined : `"${value}" is no integer`);

/** An integer within bounds, both inclusive. */
export function integerBetween(low: number, high: number): AttributeType {
  return (value) => {
    const number = integer(value) === undefined ? Number(trimmed(value)) : Number.NaN;
    if (number >= low && number <= high) return undefined;
    return `"${value}" is no integer ${high === Infinity ? `from ${low} on` : `from ${low} to ${high}`}`;
  };
}

/** One of some words, spelled exactly so. */
export function oneOf(...words: readonly string[]): AttributeType {
  const known = new Set(words);
  const check = (value: string): string | undefined =>
    known.has(trimmed(value)) ? undefined : `"${value}" is not known: use ${words.join(', ')}`;
  return Object.assign(check, { words });
}

/** A role; the two of Pacemaker 1 still count. */
export const role: AttributeType = oneOf('Stopped', 'Started', 'Unpromoted', 'Promoted', 'Slave', 'Master');

/** A text of some form. */
export function like(pattern: RegExp, described: string): AttributeType {
  return (value) => (pattern.test(value) ? undefined : `"${value}" is no ${described}`);
}

/** Around everything but plain text blanks don't count. */
function trimmed(value: string): string {
  return value.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}
