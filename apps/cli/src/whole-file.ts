import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { UsageError } from './exit-code.js';

/** Takes a piece of what is written. */
export type Put = (piece: string | Uint8Array) => Promise<void>;

/** What the umask leaves of it. */
const ANYBODY = 0o666;
/** Of a mode, without what says that it is a file. */
const ALL_BITS = 0o7777;

/**
 * Writes a file so that there is what was there, or the whole, under its name: whatever breaks off in between, a half is never taken for the whole. What is no plain file (`/dev/stdout`, a pipe) is written as it comes.
 *
 * @param path where a link leads elsewhere, that is written
 * @param mode of a file that is made; one that was there keeps its own, but for what this does not allow, where it is given: what is secret is so in an old file, too
 * @throws what `write` throws; then nothing was changed
 */
export async function writeWhole(path: string, write: (put: Put) => Promise<void>, mode?: number): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const present = await stat(target).catch(() => undefined);
  if (present !== undefined && !present.isFile()) {
    await writeTo(target, 'w', mode ?? ANYBODY, write);
    return;
  }
  const fresh = `${target}.${randomBytes(4).toString('hex')}.part`;
  try {
    await writeTo(fresh, 'wx', mode ?? ANYBODY, write, present === undefined ? undefined : present.mode & (mode ?? ALL_BITS));
    await rename(fresh, target);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** There is something already under the name of a file that is to be made. */
export class FileThere extends UsageError {
  constructor(path: string) {
    super(`${path} is there already, and stays as it is: give another name, or move it away`);
  }
}

/**
 * Makes a file that was not there: it is there as a whole, or not at all, and never in place of another one.
 *
 * @throws {FileThere} also for what was made while this one was written
 * @throws what `write` throws; then nothing was changed
 */
export async function writeNew(path: string, write: (put: Put) => Promise<void>, mode: number): Promise<void> {
  await expectFree(path);
  const fresh = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    await writeTo(fresh, 'wx', mode, write);
    // A file system without links can copy.
    await link(fresh, path).catch((error: unknown) => {
      if (isThere(error)) throw error;
      return copyFile(fresh, path, constants.COPYFILE_EXCL);
    });
  } catch (error) {
    throw isThere(error) ? new FileThere(path) : error;
  } finally {
    await rm(fresh, { force: true });
  }
}

/** @throws {FileThere} */
export async function expectFree(path: string): Promise<void> {
  if ((await lstat(path).catch(() => undefined)) !== undefined) throw new FileThere(path);
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

async function writeTo(path: string, flag: string, mode: number, write: (put: Put) => Promise<void>, keptMode?: number): Promise<void> {
  const file = await open(path, flag, mode);
  try {
    if (keptMode !== undefined) await file.chmod(keptMode);
    await write(async (piece) => {
      await file.writeFile(piece);
    });
    if (flag === 'wx') await file.sync();
  } finally {
    await file.close();
  }
}
