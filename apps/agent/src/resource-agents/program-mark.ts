import { stat } from 'node:fs/promises';

/** What of a file changes when its content does. @throws what stat(2) fails with */
export async function programMark(path: string): Promise<string> {
  const { ino, size, mtimeMs, ctimeMs } = await stat(path);
  return [ino, size, mtimeMs, ctimeMs].join(' ');
}
