import { DocumentReader } from './document-reader.js';
import type { XmlElement } from './element.js';
import { Vocabulary } from './vocabulary.js';
import { XmlError } from './xml-error.js';

/** Bounds on what is taken in; a document beyond them is refused before it can cost much. */
export interface ParseXmlOptions {
  /** Longest input in bytes of UTF-8; default 64 MiB. */
  readonly maxBytes?: number;
  /** Deepest nesting of elements; default 256 (a CIB needs about ten, nested rules a few more). */
  readonly maxDepth?: number;
  /** Shared with other documents that are read into the same tree; default one of its own. */
  readonly vocabulary?: Vocabulary;
  /** Whether elements tell their lines; default true. */
  readonly lines?: boolean;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const DEFAULT_MAX_DEPTH = 256;

/**
 * Reads an XML 1.0 document strictly: what is not well-formed is refused, and so are document type declarations, undeclared
 * entities, oversize and overdeep input. Text, CDATA and processing instructions are dropped (a CIB has none that mean anything,
 * specification 01 §1.1), and so is what stands outside the root element; comments inside it are kept.
 *
 * @throws {XmlError} with the reason, the line and column (from 1) and the innermost open element.
 */
export function parseXml(text: string, options: ParseXmlOptions = {}): XmlElement {
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  if (exceedsBytes(text, maxBytes)) {
    throw new XmlError('too-large', `the XML document is larger than ${maxBytes} bytes: send a smaller one or raise the limit`);
  }
  requirePairedSurrogates(text);
  // Line ends are newlines (XML 1.0 §2.11).
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return new DocumentReader(
    lines,
    options.maxDepth ?? DEFAULT_MAX_DEPTH,
    options.vocabulary ?? new Vocabulary(),
    options.lines ?? true,
  ).read();
}

/** Half a surrogate pair is no character, and the parser would take it together with whatever follows. */
function requirePairedSurrogates(text: string): void {
  // Nearly always at once: a text without any character beyond U+00FF has no surrogates.
  if (text.isWellFormed()) return;
  const index = text.search(/\p{Surrogate}/u);
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  throw new XmlError('bad-character', 'half a surrogate pair is no character', { line, column: index - before.lastIndexOf('\n') });
}

/** Whether the text takes more than `limit` bytes in UTF-8; counts only when the length alone does not decide. */
function exceedsBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // A surrogate pair is two units and four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
    if (bytes > limit) return true;
  }
  return false;
}
