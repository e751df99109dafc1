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

/** A file of an archive is not what its manifest says; the message says which, and how. */
export class ChangedArchive extends Error {
  override readonly name = 'ChangedArchive';
}

const MANIFEST = '.manifest.json';
const EVENTS = /^(\d{12,})-(\d{12,})\.ndjson\.gz$/;

/** Path of the manifest of a segment. */
export function manifestPath(directory: string, segment: string): string {
  return join(directory, `${segment}${MANIFEST}`);
}

/** What lies in the directory of a stream. */
export interface ArchivedFiles {
  /** In the order of their versions. */
  readonly segments: readonly ArchiveSegment[];
  /** Names of files that should be manifests, and are none. */
  readonly unreadable: readonly string[];
  /** Files with events without a manifest that can be read, in the order of their versions, which are those that their names say. */
  readonly unproven: readonly UnprovenSegment[];
}

/** A file of which only its name says what it holds. */
export interface UnprovenSegment {
  readonly path: string;
  readonly firstVersion: number;
  readonly lastVersion: number;
}

/** What there is of one stream; nothing where there is no such directory. */
export async function filesIn(directory: string): Promise<ArchivedFiles> {
  const names = [...(await namesIn(directory))].sort();
  const segments: ArchiveSegment[] = [];
  const unreadable: string[] = [];
  for (const name of names.filter((name) => name.endsWith(MANIFEST))) {
    const manifest = await readFile(join(directory, name), 'utf8').then(readManifest, () => undefined);
    if (manifest === undefined) unreadable.push(name);
    else segments.push({ manifest, path: join(directory, manifest.file) });
  }
  const proven = new Set(segments.map(({ path }) => path));
  const unproven = names.flatMap((name): readonly UnprovenSegment[] => {
    const [, first, last] = EVENTS.exec(name) ?? [];
    const path = join(directory, name);
    return first === undefined || proven.has(path) ? [] : [{ path, firstVersion: Number(first), lastVersion: Number(last) }];
  });
  return { segments, unreadable, unproven };
}

/** The segments of one stream, in the order of their versions; none where there is no such directory. @throws {UnusableArchive} */
export async function segmentsIn(directory: string): Promise<readonly ArchiveSegment[]> {
  const { segments, unreadable } = await filesIn(directory);
  const [name] = unreadable;
  if (name !== undefined) throw new UnusableArchive(`${join(directory, name)} is no manifest of an archive`);
  return segments;
}

/** Names of the directories of an archive, one for each stream. */
export async function directoriesIn(root: string): Promise<readonly string[]> {
  return [...(await namesIn(root))].sort();
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
