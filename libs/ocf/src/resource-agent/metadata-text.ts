import type { ProcessResult } from '../process/run-process.js';
import { MetadataError } from './metadata-tree.js';

/** Bytes of meta-data that are read at most, of any agent. */
export const METADATA_MAX_BYTES = 4 * 1024 * 1024;

/** An agent said something about itself, but not so that it can be read. */
export class UnreadableMetadata extends MetadataError {}

const DECLARED = /^<\?xml[^>]*?\bencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/;

/**
 * What a program printed as its meta-data: all of it or nothing, and in UTF-8 only, as everything else that agents print is read. Bytes of another encoding
 * are never replaced: they may be part of a name.
 *
 * @param path of the program
 * @param result of a process of which so many bytes were kept as are read
 * @throws {UnreadableMetadata}
 */
export function metadataText(path: string, { stdout, stdoutBytes, stdoutIsUtf8 }: ProcessResult): string {
  if (stdoutBytes > METADATA_MAX_BYTES) {
    const sizes = `${String(stdoutBytes)} bytes, and at most ${String(METADATA_MAX_BYTES)} are read`;
    throw new UnreadableMetadata(`${path}: its meta-data has ${sizes}: shorten its descriptions`);
  }
  // A character without a meaning in XML is half of one in UTF-16.
  if (stdoutIsUtf8 && !stdout.includes('\0')) return stdout.startsWith('\ufeff') ? stdout.slice(1) : stdout;
  const [, declared = 'UTF-8'] = DECLARED.exec(stdout) ?? [];
  const what = /^utf-?8$/i.test(declared) ? 'is no UTF-8' : `is declared as ${declared} and no UTF-8`;
  throw new UnreadableMetadata(`${path}: its meta-data ${what}, and nothing else is read: have the agent print it in UTF-8`);
}
