/** What {@link readInteger} found at the start of a text. */
export interface LeadingInteger {
  /** Clipped to the range of 64-bit integers; exact up to 2^53. */
  readonly value: number;
  /** Index of the first character after the digits. */
  readonly end: number;
  /** The digits say a number outside the 64-bit range. */
  readonly outOfRange: boolean;
}

const MAX_64 = 2n ** 63n - 1n;
const MIN_64 = -(2n ** 63n);

/**
 * Reads the integer with which a text starts: optional white space, optional sign, decimal digits; what follows is left alone
 * (specification 01 §10.2). Undefined when there are no digits.
 */
export function readInteger(text: string): LeadingInteger | undefined {
  let index = skipSpace(text, 0);
  const start = index;
  const sign = text.charCodeAt(index);
  if (sign === PLUS || sign === MINUS) index += 1;
  const digits = index;
  index = skipDigits(text, index);
  if (index === digits) return undefined;
  const value = Number(text.slice(start, index));
  if (Number.isSafeInteger(value)) return { value: value === 0 ? 0 : value, end: index, outOfRange: false };
  // Digits beyond 64 bits need not be read; there may be millions of them.
  const magnitude = value > 1e19 || value < -1e19 ? MAX_64 + 2n : BigInt(text.slice(digits, index));
  const exact = magnitude * (sign === MINUS ? -1n : 1n);
  const clipped = exact > MAX_64 ? MAX_64 : exact < MIN_64 ? MIN_64 : exact;
  return { value: Number(clipped), end: index, outOfRange: clipped !== exact };
}

/** The integer with which a text starts, trailing text ignored; undefined when missing or without digits (specification 01 §10.2). */
export function parseInteger(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return plainInteger(text) ?? readInteger(text)?.value;
}

/** So many digits are exact. */
const EXACT_DIGITS = 15;

/** Reads what nearly all integers look like, of which a large status has hundreds of thousands: a few digits and nothing else. */
function plainInteger(text: string): number | undefined {
  if (text.length === 0 || text.length > EXACT_DIGITS) return undefined;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value;
}

const PLUS = 0x2b;
const MINUS = 0x2d;

/** White space as C's `isspace` knows it. */
function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Index of the first character at or after `from` that is not white space. */
export function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && isSpace(text.charCodeAt(index))) index += 1;
  return index;
}

/** Index of the first character at or after `from` that is not a decimal digit. */
export function skipDigits(text: string, from: number): number {
  let index = from;
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x30 || code > 0x39) break;
  }
  return index;
}
