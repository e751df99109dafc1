import { XmlError } from './xml-error.js';

const DECLARATION = /^(<\?xml[^>]*?\bencoding\s*=\s*["'])([A-Za-z][\w.-]*)(["'])/;

/** As far as an XML declaration is looked for. */
const DECLARATION_CHARS = 200;

/** Characters of the bytes from 0x80 to 0x9f; what is no character there stays a control character. */
const WINDOWS_1252 = Array.from('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ');

/** Of what each document of an encoding begins with: a byte order mark, or "<?" in units of two bytes (XML 1.0, appendix F). */
const BEGINNINGS: readonly (readonly [beginning: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0x3c, 0x00, 0x3f, 0x00], 'utf-16le'],
  [[0x00, 0x3c, 0x00, 0x3f], 'utf-16be'],
];

/** In units of which no declaration could have been read that was. */
const WIDE = /^(?:utf-?16|utf-?32|ucs-?[24]|iso-10646-ucs-[24])/i;

/** The names of ASCII that IANA knows, but for one that XML lets nobody declare. A `TextDecoder` takes them for windows-1252. */
const ASCII = /^(?:(?:us-)?ascii|csascii|us|iso646-us|ansi_x3\.4-19(?:68|86)|iso-ir-6|(?:ibm|cp)367)$/i;

/**
 * The encoding of a document's bytes, by the name of a `TextDecoder`: by its byte order mark, else as its XML declaration says (XML 1.0 §4.3.3), else UTF-8; what is declared as ASCII, and is that, is UTF-8, too.
 *
 * @throws {XmlError} `bad-encoding` for one that nobody knows, or that it can't be in
 */
export function documentEncoding(bytes: Uint8Array): string {
  const marked = BEGINNINGS.find(([beginning]) => beginning.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return marked[1];
  const declared = declaredEncoding(String.fromCharCode(...bytes.subarray(0, DECLARATION_CHARS)));
  if (declared === undefined || isUtf8Name(declared)) return 'utf-8';
  if (ASCII.test(declared)) return ofAscii(bytes, declared);
  if (WIDE.test(declared)) throw new XmlError('bad-encoding', `the document is declared as ${declared}, but is none: save it in UTF-8`);
  return known(declared);
}

/**
 * The text of a document's bytes, then declared as UTF-8, in which texts are passed on.
 *
 * @throws {XmlError} `bad-encoding`: bytes that are none of the encoding would be read as other characters
 */
export function documentText(bytes: Uint8Array): string {
  const encoding = documentEncoding(bytes);
  const text = textOf(bytes, encoding);
  // A reader of XML takes one for the document's own.
  if (text.startsWith('\ufeff')) throw new XmlError('bad-encoding', 'the document begins with two byte order marks: leave one out');
  return text.replace(DECLARATION, '$1UTF-8$3');
}

function textOf(bytes: Uint8Array, encoding: string): string {
  try {
    return decoded(bytes, encoding);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const what = `the document holds bytes that are no ${encoding.toUpperCase()}`;
    throw new XmlError('bad-encoding', `${what}: save it in UTF-8, or have its XML declaration name the encoding`);
  }
}

/** The encoding that a document that is text already declares; undefined: none. It counts for whoever has bytes. */
export function declaredEncoding(document: string): string | undefined {
  return DECLARATION.exec(document.startsWith('\ufeff') ? document.slice(1, DECLARATION_CHARS) : document.slice(0, DECLARATION_CHARS))?.[2];
}

/** Whether it is UTF-8. */
export function isUtf8Name(encoding: string): boolean {
  return /^utf-?8$/i.test(encoding);
}

/** @throws {XmlError} `bad-encoding`: nobody knows what other bytes were meant to be */
function ofAscii(bytes: Uint8Array, declared: string): string {
  if (bytes.every((byte) => byte < 0x80)) return 'utf-8';
  throw new XmlError('bad-encoding', `the document is declared as ${declared}, but holds other bytes: save it in UTF-8 and declared so`);
}

function decoded(bytes: Uint8Array, encoding: string): string {
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  // Some versions of Node.js read it as ISO-8859-1 (nodejs/node#56542).
  return encoding === 'windows-1252' ? text.replace(/[\x80-\x9f]/g, (one) => WINDOWS_1252[one.charCodeAt(0) - 0x80] ?? one) : text;
}

function known(encoding: string): string {
  try {
    return new TextDecoder(encoding).encoding;
  } catch {
    throw new XmlError('bad-encoding', `the document is declared as ${encoding}, which is no known encoding: save it in UTF-8`);
  }
}
