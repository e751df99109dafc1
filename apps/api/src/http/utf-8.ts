import { declaredEncoding, isUtf8Name } from '@systole/cib';
import { HttpProblem } from './problem.js';

/** Leaves a byte order mark in: it counts where places are told. */
const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder('utf-8', { ignoreBOM: true });

const BYTE_ORDER_MARK = '\ufeff';
const MARK_BYTES = 3;
const REPLACEMENT = '\ufffd';
const NONE = new Uint8Array(0);

/** A body that was read. */
export interface BodyText {
  readonly text: string;
  /** Whether it is the same in any encoding of which ASCII is a part. */
  readonly isAscii: boolean;
}

/** Reads the bytes of a body as UTF-8, piece by piece. What is none is refused, never replaced: what is written would be another text than the one that was sent. */
export class Utf8Reader {
  #rest: Uint8Array = NONE;
  #read = 0;
  /** Code units that they gave; for the byte order mark, which is no part of the text, as many as it has bytes. */
  #units = 0;

  /** Whether all that came was ASCII: any other character has more bytes than code units. It costs nothing, however much came. */
  get isAscii(): boolean {
    return this.#units === this.#read;
  }

  /** The characters that have come completely. @throws {HttpProblem} 400 saying where there is something else than UTF-8 */
  next(piece: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const whole = bytes.length - begunAtEnd(bytes);
    this.#rest = bytes.subarray(whole);
    return this.#decoded(bytes.subarray(0, whole));
  }

  /** What is left. @throws {HttpProblem} 400 when the last character was not complete */
  end(): string {
    return this.#decoded(this.#rest);
  }

  #decoded(bytes: Uint8Array): string {
    const begin = this.#read;
    this.#read += bytes.length;
    try {
      const text = STRICT.decode(bytes);
      const isMarked = begin === 0 && text.startsWith(BYTE_ORDER_MARK);
      this.#units += text.length + (isMarked ? MARK_BYTES - 1 : 0);
      return isMarked ? text.slice(1) : text;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const detail = `the body is not UTF-8 at byte ${begin + firstFault(bytes)}, counted from 0: send all texts in UTF-8`;
      throw new HttpProblem(400, 'malformed-request', detail, { cause: error });
    }
  }
}

/**
 * JSON is exchanged as UTF-8 only (RFC 8259 §8.1), and all else here is as well.
 *
 * @throws {HttpProblem} 415 for a Content-Type that names another charset, or a parameter twice: one reader takes the first, another the last
 */
export function requireUtf8(contentType: string | undefined): void {
  const parameters = parametersOf(contentType);
  const seen = new Set<string>();
  const twice = parameters.find(({ name }) => seen.has(name) || !seen.add(name));
  if (twice !== undefined) throw new HttpProblem(415, 'unsupported-media-type', `the Content-Type has "${twice.name.slice(0, 40)}" twice`);
  const charset = parameters.find(({ name }) => name === 'charset')?.value;
  if (charset === undefined || /^(?:utf-?8)?$/i.test(charset)) return;
  throw new HttpProblem(415, 'unsupported-media-type', `unsupported charset "${charset.slice(0, 40)}": send utf-8`);
}

/** A parameter of a media type (RFC 9110 §5.6.6). A quoted value may hold semicolons. */
const PARAMETER = /;\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g;

function parametersOf(contentType = ''): readonly { readonly name: string; readonly value: string }[] {
  return Array.from(contentType.matchAll(PARAMETER), ([, name = '', quoted, bare = '']) => ({
    name: name.toLowerCase(),
    value: quoted ?? bare,
  }));
}

/**
 * XML whose declaration names another encoding was written in that, and not everything of it means the same in UTF-8, unless a charset in the Content-Type says that it was (RFC 7303 §3).
 *
 * @throws {HttpProblem} 415
 */
export function requireDeclaredUtf8(body: BodyText, contentType: string | undefined): void {
  if (body.isAscii || parametersOf(contentType).some(({ name }) => name === 'charset')) return;
  const declared = declaredEncoding(body.text);
  if (declared === undefined || isUtf8Name(declared)) return;
  const detail = `the document is declared as ${declared.slice(0, 40)}: send it in UTF-8 and declared so, or with charset=utf-8 in the Content-Type where it is UTF-8`;
  throw new HttpProblem(415, 'unsupported-media-type', detail);
}

/** How many bytes at the end are the beginning of a character whose other bytes may still come. */
function begunAtEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < lengthOf(byte) ? back : 0;
  }
  return 0;
}

/** Bytes of a character that begins with this one. */
function lengthOf(first: number): number {
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Where the first character begins that is none: a decoder that replaces such says nothing of it, but all before it is as long as it was. */
function firstFault(bytes: Uint8Array): number {
  const text = LENIENT.decode(bytes);
  let at = 0;
  let from = 0;
  for (let found = text.indexOf(REPLACEMENT); found !== -1; found = text.indexOf(REPLACEMENT, from)) {
    at += Buffer.byteLength(text.slice(from, found));
    if (bytes[at] !== 0xef || bytes[at + 1] !== 0xbf || bytes[at + 2] !== 0xbd) return at;
    at += 3;
    from = found + 1;
  }
  return at;
}
