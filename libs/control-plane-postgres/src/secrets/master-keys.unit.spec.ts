import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureKeyFile, mayOthersRead, readMasterKeys } from './master-keys.js';

describe('a file of keys', () => {
  let directory: string;
  let file: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'systole-keys-'));
    file = join(directory, 'secrets.key');
    await ensureKeyFile(file);
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('is made for its owner alone', async () => {
    expect(await mayOthersRead(file)).toBe(false);
  });

  it('that others may read is used, and told of; one that they may write is refused', async () => {
    await chmod(file, 0o644);
    expect(await mayOthersRead(file)).toBe(true);
    expect((await readMasterKeys(file)).all).toHaveLength(1);
    await chmod(file, 0o602);
    await expect(readMasterKeys(file)).rejects.toThrow('everybody on this machine may write it');
  });
});
