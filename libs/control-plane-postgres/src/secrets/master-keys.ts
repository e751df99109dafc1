import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';

/** Bytes of a key for AES-256. */
export const KEY_BYTES = 32;

/** A key that keys of values are wrapped with. */
export interface MasterKey {
  /** Tells keys apart, and nothing about the key. */
  readonly id: string;
  readonly key: Buffer;
}

/** A file of keys can't be used. */
export class UnfitKeyFile extends Error {
  override readonly name = 'UnfitKeyFile';
}

/** The keys of a server: the first wraps what is new, the others open what was wrapped before. None: no value can be kept. */
export class MasterKeys {
  private readonly byId: ReadonlyMap<string, MasterKey>;

  constructor(readonly all: readonly MasterKey[]) {
    this.byId = new Map(all.map((key) => [key.id, key]));
  }

  get current(): MasterKey | undefined {
    return this.all[0];
  }

  find(id: string): MasterKey | undefined {
    return this.byId.get(id);
  }

  /** A key for something else, that follows from the present one; undefined without one. */
  derived(purpose: string): Buffer | undefined {
    return this.current === undefined ? undefined : createHmac('sha256', this.current.key).update(purpose).digest();
  }
}

export const NO_KEYS = new MasterKeys([]);

const ADVICE = 'make one with: (umask 077; openssl rand -base64 32 > secrets.key)';

/**
 * Reads a file with one key in each line: 32 bytes in Base64 or hexadecimal, the present one first. Empty lines and what follows `#` count for nothing.
 *
 * @throws {UnfitKeyFile} saying what is wrong, and never what is in it
 */
export async function readMasterKeys(path: string): Promise<MasterKeys> {
  const unfit = (reason: string): UnfitKeyFile => new UnfitKeyFile(`the file of keys for secrets, ${path}, can not be used: ${reason}`);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unfit(`${error instanceof Error ? error.message : String(error)}; ${ADVICE}`);
  });
  const { mode } = await stat(path);
  if ((mode & 0o002) !== 0) throw unfit('everybody on this machine may write it: chmod 600');
  const lines = text.split('\n').map((line) => line.replace(/#.*$/, '').trim());
  const keys = lines.flatMap((line, index) => {
    if (line === '') return [];
    const key = keyIn(line);
    if (key === undefined) throw unfit(`line ${String(index + 1)} is no key of 32 bytes in Base64 or hexadecimal; ${ADVICE}`);
    return [{ id: idOf(key), key }];
  });
  if (keys.length === 0) throw unfit(`there is no key in it; ${ADVICE}`);
  return new MasterKeys(keys);
}

/** Whether every account of this machine may read a file of keys: orchestrators hand secrets over so, to a container that has no other accounts. @throws what the file system says */
export async function mayOthersRead(path: string): Promise<boolean> {
  return ((await stat(path)).mode & 0o004) !== 0;
}

/** Makes a file with a new key, for its owner alone, where there is none. @throws what the file system says */
export async function ensureKeyFile(path: string): Promise<void> {
  const line = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
  await writeFile(path, line, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}

function keyIn(line: string): Buffer | undefined {
  const key = /^[0-9a-f]{64}$/i.test(line)
    ? Buffer.from(line, 'hex')
    : /^[A-Za-z0-9+/_-]{43}=?$/.test(line)
      ? Buffer.from(line, 'base64')
      : undefined;
  return key?.length === KEY_BYTES ? key : undefined;
}

function idOf(key: Buffer): string {
  return createHash('sha256').update('systole secrets key').update(key).digest('hex').slice(0, 16);
}
