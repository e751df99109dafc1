import { isUtf8 } from 'node:buffer';
import type { ProcessResult } from '../process/run-process.js';
import { MetadataError } from './metadata-tree.js';

/** Bytes of meta-data that are read at most, of any agent. */
export const METADATA_MAX_BYTES = 4 * 1024 * 1024;

/** An agent said something about itself, but not so that it can be read. */
export class UnreadableMetadata extends MetadataError {}

const DECLARED = /^<\?xml[^>]*?\bencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/;

/**
 * What a program printed as its meta-data: all of it or nothing. It is read in UTF-8, else in the encoding that it declares. Where it is in neither, U+FFFD stands for each byte of which nobody can
 * say what it means: by the names of its actions and parameters, which are ASCII, nodes are fenced and resources reloaded, and a letter of a description is no reason to give that up.
 *
 * @param path of the program
 * @param result of a process of which so many bytes were kept as are read
 * @throws {UnreadableMetadata} for more than is read, and for what is no text in any of these
 */
export function metadataText(path: string, { stdout, stdoutBytes, stdoutKept }: ProcessResult): string {
  if (stdoutBytes > METADATA_MAX_BYTES) {
    const sizes = `${String(stdoutBytes)} bytes, and at most ${String(METADATA_MAX_BYTES)} are read`;
    throw new UnreadableMetadata(`${path}: its meta-data has ${sizes}: shorten its descriptions`);
  }
  // A character without a meaning in XML is half of one in UTF-16.
  const isText = !stdoutKept.includes(0);
  const text = isUtf8(stdoutKept) && isText ? stdout : (decoded(stdoutKept) ?? (isText ? stdout : undefined));
  if (text === undefined)
    throw new UnreadableMetadata(`${path}: its meta-data is in no encoding that is known: have the agent print it in UTF-8`);
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** As UTF-16 by its byte order mark, or as it declares itself; undefined where that is not known, or not so. */
function decoded(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const marked = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
  const label = marked ?? DECLARED.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 200)))?.[1];
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    // RangeError: nobody knows it; TypeError: it is in another one.
    return undefined;
  }
}
