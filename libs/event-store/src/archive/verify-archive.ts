import { eventHash, GENESIS_HASH } from '../chain/event-hash.js';
import { isSignedRightly, keyName } from '../evidence/signed-heads.js';
import { join } from 'node:path';
import { digestOf, directoriesIn, filesIn, linesIn, type ArchiveSegment } from './archive-files.js';

/** What is wrong, and where. */
export interface ArchiveFault {
  readonly streamId: string;
  /** Name of the file. */
  readonly file: string;
  /** For people. */
  readonly detail: string;
}

export interface ArchiveVerdict {
  readonly intact: boolean;
  readonly events: number;
  readonly streams: number;
  readonly files: number;
  /** Files with an event that somebody signed. */
  readonly signedFiles: number;
  /** Names of the keys with which was signed. */
  readonly keys: readonly string[];
  readonly faults: readonly ArchiveFault[];
}

const LINE = /^\{"hash":"([0-9a-f]{64})","event":/;
const EVENT_AT = '{"hash":"'.length + 64 + '","event":'.length;

/**
 * Checks an archive by itself: whether each file is as it was written, its events are a chain, the files of a stream follow one another without a gap, and what was signed is in them. That nothing was cut off at
 * the end only what is kept elsewhere can say.
 *
 * @param trustedKeys public keys (SPKI in DER, base64); any when left out
 */
export async function verifyArchive(root: string, trustedKeys?: readonly string[]): Promise<ArchiveVerdict> {
  const faults: ArchiveFault[] = [];
  const segments: ArchiveSegment[] = [];
  for (const name of await directoriesIn(root)) {
    const files = await filesIn(join(root, name));
    segments.push(...files.segments);
    const detail = 'it is no manifest of an archive: it was changed, or is damaged';
    faults.push(...files.unreadable.map((file) => ({ streamId: streamOf(name), file, detail })));
  }
  const ends = new Map<string, { readonly version: number; readonly hash: string }>();
  const keys = new Set<string>();
  let events = 0;
  for (const segment of segments) {
    const { streamId, firstVersion, lastVersion, previousHash, lastHash, file, signed } = segment.manifest;
    const before = ends.get(streamId) ?? { version: firstVersion === 1 ? 0 : Number.NaN, hash: GENESIS_HASH };
    if (before.version !== firstVersion - 1) {
      const detail = ends.has(streamId)
        ? `the file before it ends at version ${String(before.version)}`
        : 'the files before it are missing';
      faults.push({ streamId, file, detail: `it begins at version ${String(firstVersion)}, and ${detail}` });
    } else if (before.hash !== previousHash) {
      faults.push({ streamId, file, detail: 'it goes on from another event than the one at which the file before it ends' });
    }
    const fault = await verifySegment(segment, trustedKeys).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (fault !== undefined) faults.push({ streamId, file, detail: fault });
    if (signed !== undefined) keys.add(keyName(signed.publicKey));
    events += lastVersion - firstVersion + 1;
    ends.set(streamId, { version: lastVersion, hash: lastHash });
  }
  const signedFiles = segments.filter(({ manifest }) => manifest.signed !== undefined).length;
  return { intact: faults.length === 0, events, streams: ends.size, files: segments.length, signedFiles, keys: [...keys].sort(), faults };
}

/** Checks one file with its manifest. @returns what is wrong with it first, in words; undefined: nothing */
export async function verifySegment({ manifest, path }: ArchiveSegment, trustedKeys?: readonly string[]): Promise<string | undefined> {
  if ((await digestOf(path)) !== manifest.sha256) return 'its SHA-256 is not the one in its manifest: it was changed, or is damaged';
  const signedAt = manifest.signed?.statement.heads.find(({ streamId }) => streamId === manifest.streamId);
  let hash = manifest.previousHash;
  let version = manifest.firstVersion - 1;
  for await (const line of linesIn({ path })) {
    version += 1;
    const told = LINE.exec(line.subarray(0, EVENT_AT).toString('latin1'))?.[1];
    if (told === undefined) return `line ${String(version - manifest.firstVersion + 1)} is none of an archive`;
    const event = line.subarray(EVENT_AT, -1);
    hash = eventHash(hash, event);
    if (hash !== told) return `version ${String(version)} was changed: its hash is not that of its text and of the event before`;
    const place = placeIn(event);
    if (place?.streamId !== manifest.streamId || place.version !== version)
      return `another event stands where version ${String(version)} should`;
    if (signedAt?.version === version && signedAt.hash !== told) return `version ${String(version)} is another one than was signed`;
  }
  if (version !== manifest.lastVersion || hash !== manifest.lastHash) {
    return `it ends at version ${String(version)}, and its manifest says ${String(manifest.lastVersion)}`;
  }
  if (manifest.signed === undefined) return undefined;
  if (!isSignedRightly(manifest.signed)) return 'the signature in its manifest is not that of the statement';
  if (trustedKeys !== undefined && !trustedKeys.includes(manifest.signed.publicKey)) {
    return `it was signed with the key ${keyName(manifest.signed.publicKey)}, which is none of those that are trusted`;
  }
  return undefined;
}

/** Whose directory it is. */
function streamOf(directory: string): string {
  try {
    return decodeURIComponent(directory);
  } catch {
    return directory;
  }
}

function placeIn(event: Buffer): { readonly streamId: unknown; readonly version: unknown } | undefined {
  try {
    const { streamId, version } = JSON.parse(event.toString('utf8')) as { readonly streamId: unknown; readonly version: unknown };
    return { streamId, version };
  } catch {
    return undefined;
  }
}
