import { join } from 'node:path';
import { linesIn, segmentsIn } from './archive-files.js';
import { directoryOf } from './archive-manifest.js';

/** Which events are read back; versions are inclusive. */
export interface ArchivedRange {
  readonly streamId: string;
  readonly fromVersion?: number;
  readonly toVersion?: number;
}

const EVENT_AT = '{"hash":"'.length + 64 + '","event":'.length;

/** Events of a stream as the archive has them, in their order: each the canonical JSON that was hashed, as one line. Only the files that hold some of them are opened. @throws {UnusableArchive} */
export async function* readArchive(
  root: string,
  { streamId, fromVersion = 1, toVersion = Number.MAX_SAFE_INTEGER }: ArchivedRange,
): AsyncGenerator<string, void, void> {
  for (const segment of await segmentsIn(join(root, directoryOf(streamId)))) {
    const { firstVersion, lastVersion } = segment.manifest;
    if (lastVersion < fromVersion || firstVersion > toVersion) continue;
    let version = firstVersion - 1;
    for await (const line of linesIn(segment)) {
      version += 1;
      if (version > toVersion) return;
      if (version >= fromVersion) yield line.subarray(EVENT_AT, -1).toString('utf8');
    }
  }
}
