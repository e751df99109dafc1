import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../exit-code.js';

/**
 * The database of a server in its default set-up, by what `bin/src/postgres/embedded-postgres.ts` keeps in its data directory.
 *
 * @returns undefined when no such server was ever started with that directory
 * @throws {UsageError} when one was, and this user may not read what it keeps
 */
export async function embeddedDatabaseUrl(dataDir: string): Promise<string | undefined> {
  const port = await readKept(join(dataDir, 'postgres-port'));
  const password = await readKept(join(dataDir, 'postgres-password'));
  if (port === undefined || password === undefined) return undefined;
  const url = new URL('postgres://postgres@127.0.0.1/systole');
  url.port = port;
  url.password = password;
  return url.href;
}

async function readKept(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UsageError(`${file} can not be read (${String(code)}): run this as the user who runs the server`, { cause });
  }
}
