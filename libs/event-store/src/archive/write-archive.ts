import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Pool } from 'pg';
import { GENESIS_HASH } from '../chain/event-hash.js';
import { eventLine } from '../evidence/evidence-file.js';
import { readStatements } from '../evidence/heads-log.js';
import type { SignedHeads } from '../evidence/signed-heads.js';
import { readHashedRows } from '../read/hashed-rows.js';
import { readHash, readHeads } from '../read/read-stream.js';
import { digestOf, manifestPath, segmentsIn, UnusableArchive } from './archive-files.js';
import { directoryOf, segmentName, type ArchiveManifest } from './archive-manifest.js';
import { verifySegment } from './verify-archive.js';

/** What is to be archived. */
export interface Archiving {
  /** Directory of the archive; made where it is not there. */
  readonly root: string;
  /** Id of the installation whose log it is. */
  readonly installation: string;
  readonly streamId: string;
  readonly clusterName?: string;
  /** Up to this version; up to the stream's newest event when left out. */
  readonly upTo?: number;
  readonly now: () => Date;
}

/** Events of one file. */
const MOST_EVENTS = 100_000;
const PAGE = 500;

/**
 * Writes the events of a stream that the archive does not have yet into files of their own, each with a manifest: gzip, a line an event, its hash and the text which that covers. A file counts when its
 * manifest is there, and that is written last: after the file was synced to disk, and read back and verified from there. Who dies in between leaves a file that nobody reads, and that the next one replaces. Nothing is
 * taken out of the log.
 *
 * @returns the manifests that were written
 * @throws {UnusableArchive} when what the archive has of the stream is not what the log has
 */
export async function writeArchive(pool: Pool, archiving: Archiving): Promise<readonly ArchiveManifest[]> {
  const { root, streamId } = archiving;
  const directory = join(root, directoryOf(streamId));
  const last = (await segmentsIn(directory)).at(-1)?.manifest;
  let previousHash = last?.lastHash ?? GENESIS_HASH;
  let firstVersion = (last?.lastVersion ?? 0) + 1;
  if (last !== undefined && (await readHash(pool, streamId, last.lastVersion)) !== last.lastHash) {
    const detail = `the log has another event ${String(last.lastVersion)} of ${streamId}, or none`;
    throw new UnusableArchive(`${directory} is the archive of another log, or the log was written anew: ${detail}`);
  }
  const [newest] = await readHeads(pool, [streamId]);
  const head = newest?.version ?? 0;
  if (archiving.upTo !== undefined && archiving.upTo > head) {
    throw new UnusableArchive(`${streamId} has no event ${String(archiving.upTo)}: its newest one is ${String(head)}`);
  }
  const upTo = archiving.upTo ?? head;
  const written: ArchiveManifest[] = [];
  if (firstVersion <= upTo) await mkdir(directory, { recursive: true, mode: 0o700 });
  while (firstVersion <= upTo) {
    const range = { firstVersion, lastVersion: Math.min(upTo, firstVersion + MOST_EVENTS - 1), previousHash };
    const manifest = await writeSegment(pool, archiving, directory, range);
    written.push(manifest);
    previousHash = manifest.lastHash;
    firstVersion = manifest.lastVersion + 1;
  }
  return written;
}

async function writeSegment(
  pool: Pool,
  { installation, streamId, clusterName, now }: Archiving,
  directory: string,
  range: { readonly firstVersion: number; readonly lastVersion: number; readonly previousHash: string },
): Promise<ArchiveManifest> {
  const { firstVersion, lastVersion, previousHash } = range;
  const segment = segmentName(firstVersion, lastVersion);
  const file = `${segment}.ndjson.gz`;
  const unfinished = join(directory, `${file}.unfinished`);
  await rm(unfinished, { force: true });
  const ends = { firstAt: '', lastAt: '', lastHash: '' };
  const lines = async function* (): AsyncGenerator<string, void, void> {
    for (let fromVersion = firstVersion; fromVersion <= lastVersion; fromVersion += PAGE) {
      const toVersion = Math.min(lastVersion, fromVersion + PAGE - 1);
      const rows = await readHashedRows(pool, streamId, { fromVersion, toVersion });
      if (rows.length !== toVersion - fromVersion + 1)
        throw new UnusableArchive(`the log has gaps in ${streamId}: see "systole admin verify"`);
      ends.firstAt ||= rows[0]?.occurredAt ?? '';
      ends.lastAt = rows.at(-1)?.occurredAt ?? '';
      ends.lastHash = rows.at(-1)?.hash ?? '';
      yield rows.map(eventLine).join('');
    }
  };
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    for await (const piece of Readable.from(lines()).pipe(createGzip()) as AsyncIterable<Buffer>) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
  const signed = await newestStatementOn(pool, streamId, firstVersion, lastVersion);
  const manifest: ArchiveManifest = {
    systoleArchive: 1,
    installation,
    streamId,
    ...(clusterName === undefined ? {} : { clusterName }),
    firstVersion,
    lastVersion,
    previousHash,
    ...ends,
    file,
    bytes: (await stat(unfinished)).size,
    sha256: await digestOf(unfinished),
    archivedAt: now().toISOString(),
    ...(signed === undefined ? {} : { signed }),
  };
  const fault = await verifySegment({ manifest, path: unfinished });
  if (fault !== undefined) throw new UnusableArchive(`what was written to ${unfinished} is not what the log has: ${fault}`);
  await rename(unfinished, join(directory, file));
  await writeDurably(manifestPath(directory, segment), `${JSON.stringify(manifest, undefined, 2)}\n`, directory);
  return manifest;
}

/** There with all of its content, or not there. */
async function writeDurably(path: string, text: string, directory: string): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const handle = await open(unfinished, 'w', 0o600);
  await synced(handle, () => handle.writeFile(text));
  await rename(unfinished, path);
  const folder = await open(directory, 'r');
  await synced(folder, () => Promise.resolve());
}

async function synced(handle: FileHandle, write: () => Promise<void>): Promise<void> {
  try {
    await write();
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function newestStatementOn(
  pool: Pool,
  streamId: string,
  firstVersion: number,
  lastVersion: number,
): Promise<SignedHeads | undefined> {
  let beforeNumber = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const statements = await readStatements(pool, { beforeNumber, limit: 100 });
    for (const signed of statements) {
      const head = signed.statement.heads.find((named) => named.streamId === streamId);
      if (head === undefined || head.version > lastVersion) continue;
      return head.version >= firstVersion ? signed : undefined;
    }
    const last = statements.at(-1);
    if (last === undefined || statements.length < 100) return undefined;
    beforeNumber = last.statement.number;
  }
}
