import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Replaces a file as a whole or not at all, whoever reads it meanwhile, and however full the file system is: then what was there before stays, and nothing beside it.
 *
 * @param mode of the new file; default: as the umask has it
 * @throws what the file system says
 */
export async function writeWhole(path: string, content: string, mode?: number): Promise<void> {
  const beside = `${path}.${randomUUID()}`;
  try {
    await writeFile(beside, content, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}
