import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Journal } from './journal.js';

type Synced = Pick<Awaited<ReturnType<typeof open>>, 'datasync' | 'sync' | 'truncate'>;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'systole-journal-'));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true, force: true });
});

/** What all open files of this process are made of. */
async function fileHandles(): Promise<Synced> {
  const probe = await open(join(directory, 'probe'), 'w');
  await probe.close();
  return Object.getPrototypeOf(probe) as Synced;
}

it('says that a record is kept only when the disk has said so', async () => {
  const { journal } = await Journal.open(join(directory, 'journal'));
  let sayOnDisk = (): void => undefined;
  const onDisk = new Promise<void>((resolve) => (sayOnDisk = resolve));
  const asked = vi.spyOn(await fileHandles(), 'datasync').mockReturnValue(onDisk);
  let kept = false;
  const appended = journal.append({ kind: 'stopped', historyId: 'db' }).then(() => (kept = true));
  await vi.waitFor(() => {
    expect(asked).toHaveBeenCalledOnce();
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(kept).toBe(false);
  sayOnDisk();
  await appended;
  await journal.close();
});

it('takes back what a full disk did not take, and goes on when there is room', async () => {
  const path = join(directory, 'journal');
  const { journal } = await Journal.open(path);
  await journal.append({ kind: 'executed', actionIds: ['a'] });
  vi.spyOn(await fileHandles(), 'datasync').mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
  await expect(journal.append({ kind: 'executed', actionIds: ['b'] })).rejects.toThrow('ENOSPC');
  await journal.append({ kind: 'executed', actionIds: ['c'] });
  await journal.close();
  const { journal: reopened } = await Journal.open(path);
  expect([...reopened.state.executed]).toEqual(['a', 'c']);
  await reopened.close();
});

it('takes back before the next write what could not be taken back at once', async () => {
  const path = join(directory, 'journal');
  const { journal } = await Journal.open(path);
  await journal.append({ kind: 'executed', actionIds: ['a'] });
  const files = await fileHandles();
  vi.spyOn(files, 'datasync').mockRejectedValueOnce(new Error('EIO'));
  vi.spyOn(files, 'truncate').mockRejectedValueOnce(new Error('EIO'));
  await expect(journal.append({ kind: 'executed', actionIds: ['b'] })).rejects.toThrow('EIO');
  await journal.append({ kind: 'executed', actionIds: ['c'] });
  await journal.close();
  const { journal: reopened } = await Journal.open(path);
  expect([...reopened.state.executed]).toEqual(['a', 'c']);
  await reopened.close();
});

it('keeps what it says is kept when the directory of a compacted journal can not be synced, and takes nothing until it can', async () => {
  const path = join(directory, 'journal');
  const { journal } = await Journal.open(path, 10);
  const files = await fileHandles();
  // The first is the snapshot's.
  vi.spyOn(files, 'sync')
    .mockResolvedValueOnce(undefined)
    .mockRejectedValueOnce(new Error('EIO'))
    .mockRejectedValueOnce(new Error('EIO again'));
  await journal.append({ kind: 'executed', actionIds: ['a'] });
  await expect(journal.append({ kind: 'executed', actionIds: ['b'] })).rejects.toThrow('EIO again');
  await journal.append({ kind: 'executed', actionIds: ['c'] });
  await journal.close();
  const { journal: reopened } = await Journal.open(path);
  expect([...reopened.state.executed]).toEqual(['a', 'c']);
  await reopened.close();
});
