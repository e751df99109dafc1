import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../exit-code.js';
import type { Terminal } from '../terminal.js';

/** A text in a file of its own, which a person edits. */
export interface EditedFile {
  readonly path: string;
  readonly text: string;
  readonly remove: () => Promise<void>;
}

/** Opens a text in the editor (`VISUAL`, `EDITOR`, else vi) and waits. @throws {UsageError} when the editor fails */
export async function editText(text: string, name: string, terminal: Terminal): Promise<EditedFile> {
  const path = join(await mkdtemp(join(tmpdir(), 'systole-edit-')), name);
  await writeFile(path, text, { mode: 0o600 });
  await openEditor(path, terminal);
  return { path, text: await readFile(path, 'utf8'), remove: () => rm(dirname(path), { recursive: true, force: true }) };
}

/** The editor may be given with arguments: a shell reads them. */
async function openEditor(path: string, { environment }: Terminal): Promise<void> {
  const editor = [environment['VISUAL'], environment['EDITOR']].find((given) => given !== undefined && given !== '') ?? 'vi';
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit', env: environment });
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new UsageError(`${editor} ended with ${String(code)}: nothing was changed; what was edited is in ${path}`);
}
