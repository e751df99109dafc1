import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { linesOf } from '../evidence/lines.js';
import { readManifest, type ArchiveManifest } from './archive-manifest.js';

/** A file of an archive, and where it lies. */
export interface ArchiveSegment {
  readonly manifest: ArchiveManifest;
  /** Path of the file with the events. */
  readonly path: string;
}

/** An archive can't be read, or written to; the message says what and where. */
export class UnusableArchive extends Error {
  override readonly name = 'UnusableArchive';
}

const MANIFEST = '.manifest.json';

/** Path of the manifest of a segment. */
export function manifestPath(directory: string, segment: string): string {
  return join(directory, `${segment}${MANIFEST}`);
}

/** The segments of one stream, in the order of their versions; none where there is no such directory. @throws {UnusableArchive} */
export async function segmentsIn(directory: string): Promise<readonly ArchiveSegment[]> {
  const names = (await namesIn(directory)).filter((name) => name.endsWith(MANIFEST)).sort();
  const segments: ArchiveSegment[] = [];
  for (const name of names) {
    const path = join(directory, name);
    const manifest = readManifest(await readFile(path, 'utf8'));
    if (manifest === undefined) throw new UnusableArchive(`${path} is no manifest of an archive`);
    segments.push({ manifest, path: join(directory, manifest.file) });
  }
  return segments;
}

/** Those of all streams of an archive, stream after stream. @throws {UnusableArchive} */
export async function allSegments(root: string): Promise<readonly ArchiveSegment[]> {
  const found: ArchiveSegment[] = [];
  for (const name of [...(await namesIn(root))].sort()) found.push(...(await segmentsIn(join(root, name))));
  return found;
}

/** The lines of a segment's file, as they were written. @throws what the file system or gzip says */
export async function* linesIn({ path }: Pick<ArchiveSegment, 'path'>): AsyncGenerator<Buffer, void, void> {
  const unzipped = createGunzip();
  // What goes wrong with the file comes out of what is read.
  pipeline(createReadStream(path), unzipped, () => undefined);
  for await (const lines of linesOf(unzipped)) yield* lines;
}

/** SHA-256 of a file, lower-case hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) digest.update(piece);
  return digest.digest('hex');
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
    throw error;
  }
}
