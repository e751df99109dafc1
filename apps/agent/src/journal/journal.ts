import { mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EMPTY_STATE, evolve, snapshot, type JournalRecord, type JournalState } from '@systole/node-session';
import { decodeJournal, encodeRecord } from './encoding.js';

/** What was found when the journal was opened. */
export interface Opened {
  readonly journal: Journal;
  /** Where a damaged journal was put aside, so that its remains can be examined; the agent begins with what was readable before the damage. */
  readonly damagedCopy?: string;
}

interface Waiting {
  readonly records: readonly JournalRecord[];
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

const COMPACT_AT_BYTES = 4 * 1024 * 1024;

/**
 * The agent's memory across crashes: an append-only file. `append` resolves when its records are on disk; records of one call stay together and
 * calls are written in order. When it rejects, nothing of its records is on disk. Calls that wait at the same time share one fsync.
 */
export class Journal {
  private waiting: Waiting[] = [];
  /** Size that triggers the next compaction; grows with what must be kept, so that a long queue of results is not rewritten again and again. */
  private compactAt: number;
  private writing = false;
  /** What the file holds beyond `bytes` was promised to nobody. */
  private torn = false;
  /** The directory may still name the file's predecessor after a crash. */
  private unnamed = false;
  private current: JournalState;

  private constructor(
    private readonly path: string,
    private file: FileHandle,
    private bytes: number,
    records: readonly JournalRecord[],
    private readonly compactAtBytes: number,
  ) {
    this.current = records.reduce(evolve, EMPTY_STATE);
    this.compactAt = compactAtBytes;
  }

  /**
   * Opens or creates the journal; an incomplete last line is cut off.
   * @param compactAtBytes size from which the file is rewritten with only what still matters
   */
  static async open(path: string, compactAtBytes = COMPACT_AT_BYTES): Promise<Opened> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const bytes = await readFile(path).catch((error: unknown) => {
      if (isMissing(error)) return Buffer.alloc(0);
      throw error;
    });
    const { records, validBytes, damaged } = decodeJournal(bytes);
    let damagedCopy: string | undefined;
    if (damaged) {
      damagedCopy = `${path}.damaged-${Date.now()}`;
      const copy = await open(damagedCopy, 'wx', 0o600);
      await copy.writeFile(bytes);
      await copy.close();
    }
    // Parameters of resources contain passwords: nobody but the owner reads it.
    const file = await open(path, 'a', 0o600);
    if (validBytes < bytes.length) await file.truncate(validBytes);
    await file.sync();
    await syncDirectory(dirname(path));
    const journal = new Journal(path, file, validBytes, records, compactAtBytes);
    return { journal, ...(damagedCopy === undefined ? {} : { damagedCopy }) };
  }

  /** What all records that are on disk add up to. */
  get state(): JournalState {
    return this.current;
  }

  append(...records: readonly JournalRecord[]): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ records, done, failed });
      if (!this.writing) void this.write();
    });
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async write(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      const records = batch.flatMap((one) => one.records);
      try {
        await this.mend();
        const text = records.map(encodeRecord).join('');
        this.torn = true;
        await this.file.appendFile(text);
        await this.file.datasync();
        this.torn = false;
        this.bytes += Buffer.byteLength(text);
        this.current = records.reduce(evolve, this.current);
        for (const one of batch) one.done();
      } catch (error) {
        // What can not be mended now is before the next write.
        await this.mend().catch(() => undefined);
        for (const one of batch) one.failed(error);
        continue;
      }
      if (this.bytes > this.compactAt) await this.compactIfPossible();
    }
    this.writing = false;
  }

  /** What was written of records that are not kept must not be found after a crash, nor must the file's predecessor: until then nothing is written. */
  private async mend(): Promise<void> {
    if (this.torn) await this.file.truncate(this.bytes);
    this.torn = false;
    if (this.unnamed) await syncDirectory(dirname(this.path));
    this.unnamed = false;
  }

  /** Replaces the file by its snapshot. The records are safe without that: when the disk has no room for the snapshot, it is tried again later. */
  private async compactIfPossible(): Promise<void> {
    const text = snapshot(this.current).map(encodeRecord).join('');
    const file = await replaceFile(this.path, text).catch(() => undefined);
    if (file === undefined) {
      this.compactAt = this.bytes + this.compactAtBytes;
      return;
    }
    // From here on the old file has no name any more: whatever else fails, nothing may be written there.
    const old = this.file;
    this.file = file;
    this.bytes = Buffer.byteLength(text);
    this.compactAt = Math.max(this.compactAtBytes, 2 * this.bytes);
    this.unnamed = true;
    await old.close().catch(() => undefined);
    await this.mend().catch(() => undefined);
  }
}

/** @returns the new file, open for appending; the directory is not synced yet. When it throws, the old file is still there */
async function replaceFile(path: string, text: string): Promise<FileHandle> {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'a', 0o600);
  try {
    await file.truncate(0);
    await file.appendFile(text);
    await file.sync();
    await rename(temporary, path);
    return file;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
