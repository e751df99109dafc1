import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../exit-code.js';

/** What `systole login` keeps of one server. */
export interface StoredLogin {
  readonly server: string;
  readonly token: string;
  /** The cluster that commands are for when they do not say. */
  readonly cluster?: string;
  /** Path of the authorities by which the server is verified. */
  readonly ca?: string;
}

/** `SYSTOLE_CONFIG`, else `systole/config.json` below `XDG_CONFIG_HOME` or `~/.config` (XDG Base Directory Specification). */
export function configFilePath(environment: NodeJS.ProcessEnv, home: string): string {
  const given = environment['SYSTOLE_CONFIG'];
  if (given !== undefined && given !== '') return given;
  const base = environment['XDG_CONFIG_HOME'];
  return join(base === undefined || base === '' ? join(home, '.config') : base, 'systole', 'config.json');
}

/** The logins that are kept, each for another server; the first one counts where no server is named. Empty when there is none. @throws {UsageError} when the file can't be read or is not what `systole login` writes */
export async function readLogins(path: string): Promise<readonly StoredLogin[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const logins = parseLogins(text);
  if (logins === undefined) throw new UsageError(`${path} is not what "systole login" writes: log in again`);
  return logins;
}

function parseLogins(text: string): readonly StoredLogin[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  // One login alone is what earlier versions wrote.
  const written: unknown = 'logins' in value ? value.logins : [value];
  if (!Array.isArray(written)) return undefined;
  const logins = written.map(loginIn);
  return logins.every((login) => login !== undefined) ? logins : undefined;
}

function loginIn(value: unknown): StoredLogin | undefined {
  if (typeof value !== 'object' || value === null || !('server' in value) || !('token' in value)) return undefined;
  const { server, token } = value;
  if (typeof server !== 'string' || typeof token !== 'string') return undefined;
  return {
    ...{ server, token },
    ...('cluster' in value && typeof value.cluster === 'string' ? { cluster: value.cluster } : {}),
    ...('ca' in value && typeof value.ca === 'string' ? { ca: value.ca } : {}),
  };
}

/** Writes the file so that only its owner can read it; a reader sees the old or the new one, never a half. Without logins there is no file. */
export async function writeLogins(path: string, logins: readonly StoredLogin[]): Promise<void> {
  if (logins.length === 0) {
    await rm(path, { force: true });
    return;
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(fresh, `${JSON.stringify({ logins }, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
