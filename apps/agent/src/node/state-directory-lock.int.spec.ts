import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AlreadyRunning, lockStateDirectory } from './run-directory.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'systole-lock-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

it('a state directory belongs to one process, and to the next one when that has released it', async () => {
  const release = await lockStateDirectory(directory);
  await expect(lockStateDirectory(directory)).rejects.toThrow(AlreadyRunning);
  await release();
  await (
    await lockStateDirectory(directory)
  )();
  expect(readdirSync(directory)).toEqual([]);
});

it('of those that find the lock of a process that is gone, at once, one gets it', async () => {
  for (let round = 0; round < 20; round++) {
    writeFileSync(join(directory, 'lock'), '4194304 1\n');
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockStateDirectory(directory)));
    const got = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(got).toHaveLength(1);
    expect(readdirSync(directory)).toEqual(['lock']);
    await got[0]?.();
  }
});
