/** Everything but what XML 1.0 §2.2 calls a character; with the `u` flag a surrogate matches only when it stands alone. */
const NOT_CARRIED = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const ONE_NOT_CARRIED = new RegExp(NOT_CARRIED.source, 'u');
/** U+2400 to U+241F show the control characters U+0000 to U+001F. */
const CONTROL_PICTURES = 0x2400;
const REPLACEMENT_CHARACTER = '\u{FFFD}';

/**
 * A text that XML, JSON and PostgreSQL can all carry. Programs print what they like: the escapes of a terminal, NUL, half a character. What can't be
 * carried is replaced by one visible character, so that a person sees that it was there: a control character by its picture (ESC by U+241B), anything
 * else by U+FFFD. Tabs and line ends stay; the length in UTF-16 code units stays, too. Doing it twice changes nothing.
 */
export function carriableText(text: string): string {
  return text.replace(NOT_CARRIED, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(CONTROL_PICTURES + code) : REPLACEMENT_CHARACTER;
  });
}

/** Whether XML, JSON and PostgreSQL can all carry a text as it is: {@link carriableText} would leave it so. */
export function isCarriable(text: string): boolean {
  return !ONE_NOT_CARRIED.test(text);
}

/**
 * A value of JSON, with all its texts and names as {@link carriableText} gives them.
 * @typeParam T what the value is: texts stay texts, lists stay lists; an object keeps its fields, but not its class
 */
export function carriable<T>(value: T): T;
export function carriable(value: unknown): unknown {
  // Hardly ever is there anything to replace, and a copy costs several times the look.
  return isWhollyCarriable(value) ? value : replaced(value);
}

function isWhollyCarriable(value: unknown): boolean {
  if (typeof value === 'string') return isCarriable(value);
  if (Array.isArray(value)) return value.every(isWhollyCarriable);
  if (typeof value !== 'object' || value === null) return true;
  for (const [name, entry] of Object.entries(value)) if (!isCarriable(name) || !isWhollyCarriable(entry)) return false;
  return true;
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return carriableText(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => replaced(entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [carriableText(name), replaced(entry)]));
}

/** The first `length` UTF-16 code units; one less where the cut would halve a character. */
export function beginningOf(text: string, length: number): string {
  return text.slice(0, splitsPair(text, length) ? length - 1 : length);
}

/** The last `length` UTF-16 code units; one less where the cut would halve a character. */
export function endOf(text: string, length: number): string {
  const start = Math.max(0, text.length - length);
  return text.slice(splitsPair(text, start) ? start + 1 : start);
}

/** Whether the code units before and at an index are one character. */
function splitsPair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}
