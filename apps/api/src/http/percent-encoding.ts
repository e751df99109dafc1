/** What is wrong with a text in which bytes stand as `%XX`, and where. */
export interface IllFormed {
  /** Characters before it. */
  readonly at: number;
  /** What stands there. */
  readonly text: string;
  /** What is wrong with that, in words that go after it. */
  readonly why: string;
}

const BYTE = /^%[\da-f]{2}/i;
/** How much of what is wrong is repeated, characters. */
const SHOWN = 12;

/**
 * The first place of a text at which a `%` begins no byte, or at which the bytes are no UTF-8; undefined where all can be decoded. Whoever decodes such a text all the same puts in something that nobody sent.
 *
 * @param text a part of a URI's path, or the name or the value of a parameter
 */
export function illFormedIn(text: string): IllFormed | undefined {
  if (isDecodable(text)) return undefined;
  let at = 0;
  for (;;) {
    at = text.indexOf('%', at);
    if (at === -1) return undefined;
    if (!BYTE.test(text.slice(at, at + 3)))
      return { at, text: text.slice(at, at + 3), why: 'is no byte: that is % and two hexadecimal digits' };
    const character = characterAt(text, at);
    if (!isDecodable(character)) return { at, text: character.slice(0, SHOWN), why: 'is no UTF-8' };
    at += character.length;
  }
}

/** The bytes that its first one says belong to a character, as far as they stand there as bytes. */
function characterAt(text: string, at: number): string {
  const first = Number.parseInt(text.slice(at + 1, at + 3), 16);
  const bytes = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let end = at + 3;
  while (end < at + 3 * bytes && BYTE.test(text.slice(end, end + 3))) end += 3;
  return text.slice(at, end);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
