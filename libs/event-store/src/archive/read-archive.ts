import { join } from 'node:path';
import { ChangedArchive, filesIn, linesIn, UnusableArchive, type ArchiveSegment, type UnprovenSegment } from './archive-files.js';
import { directoryOf } from './archive-manifest.js';
import { verifySegment } from './verify-archive.js';

/** Which events are read back; versions are inclusive. */
export interface ArchivedRange {
  readonly streamId: string;
  readonly fromVersion?: number;
  readonly toVersion?: number;
  /** As the files are, whatever their manifests say, and where there is none. */
  readonly unchecked?: boolean;
}

const EVENT_AT = '{"hash":"'.length + 64 + '","event":'.length;

/**
 * Events of a stream as the archive has them, in their order: each the canonical JSON that was hashed, as one line. Only the files that hold some of them are opened, and each is held against its manifest before
 * anything of it is told.
 *
 * @throws {UnusableArchive} where a manifest is missing, or none
 * @throws {ChangedArchive} for what is not as it was archived
 */
export async function* readArchive(
  root: string,
  { streamId, fromVersion = 1, toVersion = Number.MAX_SAFE_INTEGER, unchecked = false }: ArchivedRange,
): AsyncGenerator<string, void, void> {
  const asked: Asked = { directory: join(root, directoryOf(streamId)), streamId, fromVersion, toVersion };
  for await (const { path, firstVersion } of unchecked ? asTheyAre(asked) : checked(asked)) {
    let version = firstVersion - 1;
    for await (const line of linesIn({ path })) {
      version += 1;
      if (version > toVersion) return;
      if (version >= fromVersion) yield line.subarray(EVENT_AT, -1).toString('utf8');
    }
  }
}

interface Asked {
  readonly directory: string;
  readonly streamId: string;
  readonly fromVersion: number;
  readonly toVersion: number;
}

function isAsked({ firstVersion, lastVersion }: Omit<UnprovenSegment, 'path'>, { fromVersion, toVersion }: Asked): boolean {
  return lastVersion >= fromVersion && firstVersion <= toVersion;
}

async function* asTheyAre(asked: Asked): AsyncGenerator<UnprovenSegment, void, void> {
  const { segments, unproven } = await filesIn(asked.directory);
  const all = [...segments.map(({ path, manifest: { firstVersion, lastVersion } }) => ({ path, firstVersion, lastVersion })), ...unproven];
  yield* all.filter((segment) => isAsked(segment, asked)).sort((one, other) => one.firstVersion - other.firstVersion);
}

/** One after the other, each when it was found to be what its manifest says. */
async function* checked(asked: Asked): AsyncGenerator<UnprovenSegment, void, void> {
  const { segments, unreadable, unproven } = await filesIn(asked.directory);
  const [damaged] = unreadable;
  if (damaged !== undefined) {
    throw new UnusableArchive(`${join(asked.directory, damaged)} is no manifest of an archive. --unchecked reads the events as they are`);
  }
  const without = unproven.find((segment) => isAsked(segment, asked));
  if (without !== undefined) {
    throw new UnusableArchive(
      `${without.path} has no manifest, so that nothing shows whether it was changed. A run of systole admin archive that was ended leaves such a file, and the next one replaces it; --unchecked reads it as it is`,
    );
  }
  let next = asked.fromVersion;
  for (const segment of segments) {
    const { path, manifest } = segment;
    const { firstVersion, lastVersion } = manifest;
    if (!isAsked(manifest, asked)) continue;
    if (firstVersion > next)
      throw new ChangedArchive(`${path} begins at version ${String(firstVersion)}, and the files before it are missing`);
    const isElsewhere = manifest.streamId !== asked.streamId;
    const fault = isElsewhere ? `its manifest is one of ${manifest.streamId}` : await faultOf(segment);
    if (fault !== undefined) throw new ChangedArchive(`${path} is not what was archived: ${fault}. --unchecked reads it as it is`);
    next = lastVersion + 1;
    yield { path, firstVersion, lastVersion };
  }
}

function faultOf(segment: ArchiveSegment): Promise<string | undefined> {
  return verifySegment(segment).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
}
