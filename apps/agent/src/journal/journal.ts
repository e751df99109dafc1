import { mkdir, open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decodeJournal, encodeRecord } from './encoding.js';
import type { JournalRecord } from './record.js';
import { EMPTY_STATE, evolve, snapshot, type JournalState } from './state.js';

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
 * calls are written in order. Calls that wait at the same time share one fsync.
 */
export class Journal {
  private waiting: Waiting[] = [];
  /** Size that triggers the next compaction; grows with what must be kept, so that a long queue of results is not rewritten again and again. */
  private compactAt: number;
  private writing = false;
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
        const text = records.map(encodeRecord).join('');
        await this.file.appendFile(text);
        await this.file.datasync();
        this.bytes += Buffer.byteLength(text);
        this.current = records.reduce(evolve, this.current);
        if (this.bytes > this.compactAt) await this.compact();
        for (const one of batch) one.done();
      } catch (error) {
        for (const one of batch) one.failed(error);
      }
    }
    this.writing = false;
  }

  /** Replaces the file atomically by its snapshot. */
  private async compact(): Promise<void> {
    const text = snapshot(this.current).map(encodeRecord).join('');
    const temporary = `${this.path}.new`;
    const file = await open(temporary, 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await rename(temporary, this.path);
    await syncDirectory(dirname(this.path));
    const old = this.file;
    this.file = await open(this.path, 'a', 0o600);
    this.bytes = Buffer.byteLength(text);
    this.compactAt = Math.max(this.compactAtBytes, 2 * this.bytes);
    await old.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync();
  await directory.close();
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
