import type { XmlErrorReason } from './xml-error.js';

/** Makes the error for what was found at an index of the document. */
export type Complain = (reason: XmlErrorReason, what: string, index: number) => Error;

/** Characters with which a name begins, and those with which it goes on besides (XML 1.0 §2.3). */
const NAME_START =
  ':A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}\\u{2070}-\\u{218F}' +
  '\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const NAME_MORE = '\\u{300}-\\u{36F}\\-.0-9\\u{B7}\\u{203F}-\\u{2040}';
/** A name that begins where the search does. */
export const NAME = new RegExp(`[${NAME_START}][${NAME_MORE}${NAME_START}]*`, 'uy');

/** Where a name ends that begins at an index and is of small letters and "_", as all of a CIB's elements are; the index itself for any other. */
export function simpleNameEnd(text: string, index: number): number {
  let end = index;
  let code = text.charCodeAt(end);
  while ((code >= 0x61 && code <= 0x7a) || code === 0x5f) code = text.charCodeAt(++end);
  return code === 0x20 || code === 0x3e || code === 0x2f ? end : index;
}

/** What XML can't hold (XML 1.0 §2.2); surrogates are looked after elsewhere. */
const FORBIDDEN = /[^\t\n\r -\uFFFD]/;
/** No control characters (so no line ends), no "&" and no "<". */
const PLAIN = /^[ -%'-;=-\uFFFD]*$/;
/** What a plain value doesn't have, but for "<" and line ends, which are everywhere between values. */
export const RARE = /[^\n -%'-\uFFFD]/g;
const REFERENCE = /&(?:#(\d+)|#x([\da-fA-F]+)|([^;&<\s]+));|[&<\t\n]/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** White space (XML 1.0 §2.3), once line ends are newlines only. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09;
}

/**
 * The value of an attribute: references resolved, white space made blanks (XML 1.0 §3.3.3). Nearly all values are plain and stay as they are.
 *
 * @param index of the raw value in the document.
 */
export function attributeValue(raw: string, index: number, complain: Complain): string {
  if (PLAIN.test(raw)) return raw;
  requireCharacters(raw, index, complain);
  return raw.replace(REFERENCE, (found: string, decimal: Captured, hexadecimal: Captured, entity: Captured, offset: number) => {
    const at = index + offset;
    if (found === '<') throw complain('not-well-formed', 'an attribute value must not contain "<": write &lt;', at);
    if (found === '&') throw complain('not-well-formed', '"&" begins no reference: write &amp;', at);
    if (decimal !== undefined) return characterOf(Number.parseInt(decimal, 10), found, at, complain);
    if (hexadecimal !== undefined) return characterOf(Number.parseInt(hexadecimal, 16), found, at, complain);
    return entity === undefined ? ' ' : entityOf(entity, at, complain);
  });
}

type Captured = string | undefined;

/** Throws where XML can't hold a character. */
export function requireCharacters(text: string, index: number, complain: Complain): void {
  const found = FORBIDDEN.exec(text);
  if (found) throw complain('not-well-formed', `XML cannot hold the character ${unicode(found[0].charCodeAt(0))}`, index + found.index);
}

/** Throws unless text between tags is well-formed (XML 1.0 §2.4); it means nothing in a CIB, but a mistake in it is one. */
export function requireText(text: string, index: number, complain: Complain): void {
  const end = text.indexOf(']]>');
  if (end >= 0) throw complain('not-well-formed', 'text must not contain "]]>"', index + end);
  attributeValue(text, index, complain);
}

function entityOf(name: string, index: number, complain: Complain): string {
  const character = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
  if (character !== undefined) return character;
  NAME.lastIndex = 0;
  if (!NAME.test(name) || NAME.lastIndex !== name.length) throw complain('not-well-formed', `"&${name};" is no reference`, index);
  throw complain('undefined-entity', `the entity &${name}; is not defined`, index);
}

function characterOf(code: number, reference: string, index: number, complain: Complain): string {
  const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  const character = isCharacter ? String.fromCodePoint(code) : '\0';
  if (FORBIDDEN.test(character)) throw complain('bad-character', `${reference} is no character that XML can hold`, index);
  return character;
}

/** How a character is written in messages. */
function unicode(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
