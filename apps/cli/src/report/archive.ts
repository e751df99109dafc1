import { create } from 'tar';
import { writeNew } from '../whole-file.js';
import type { StagedFiles } from './staged-files.js';

const MODE = 0o600;

/**
 * Packs files into a `tar.gz` as they are read, whoever may read it being its owner only.
 *
 * @param paths below the folder of the report, in the order in which they stand in the archive
 * @returns how long it is, bytes
 * @throws {FileThere} where there is something under that name: it stays as it is
 */
export async function writeArchive(target: string, { directory, folder }: StagedFiles, paths: readonly string[]): Promise<number> {
  let bytes = 0;
  await writeNew(
    target,
    async (put) => {
      // Portable: without who it was that made it, on which machine.
      const packed = create(
        { cwd: directory, gzip: true, portable: true },
        paths.map((path) => `${folder}/${path}`),
      );
      for await (const piece of packed) {
        bytes += piece.length;
        await put(piece);
      }
    },
    MODE,
  );
  return bytes;
}
