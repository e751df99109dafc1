import pg, { type Pool } from 'pg';
import { TransactionMustRestart, VersionConflict } from '../errors.js';
import type { AppendResult } from '../event.js';
import { appendBatches, type AppendBatch } from './append-batch.js';

/** Bounds one transaction; what waits beyond it goes with the next. */
const EVENTS_PER_TRANSACTION = 500;
const ATTEMPTS = 5;

interface Waiting {
  readonly batch: AppendBatch;
  readonly settle: (outcome: AppendResult | VersionConflict) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Appends in transactions of its own. While a stream's append is on its way, further ones of this process to the same stream wait and then
 * go together: they would only queue for the stream's lock otherwise, each paying for its own commit. Each batch keeps its own expected
 * version and its own outcome, and is acknowledged after its commit.
 */
export class StreamAppender {
  readonly #pool: Pool;
  readonly #appended: (streamId: string, version: number) => void;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(pool: Pool, appended: (streamId: string, version: number) => void) {
    this.#pool = pool;
    this.#appended = appended;
  }

  append(streamId: string, batch: AppendBatch): Promise<AppendResult | VersionConflict> {
    return new Promise((settle, fail) => {
      const entry = { batch, settle, fail };
      const queue = this.#waiting.get(streamId);
      if (queue !== undefined) {
        queue.push(entry);
        return;
      }
      this.#waiting.set(streamId, [entry]);
      void this.#drain(streamId);
    });
  }

  async #drain(streamId: string): Promise<void> {
    const queue = this.#waiting.get(streamId) ?? [];
    while (queue.length > 0) await this.#appendTogether(streamId, takeTogether(queue));
    this.#waiting.delete(streamId);
  }

  async #appendTogether(streamId: string, entries: readonly Waiting[]): Promise<void> {
    let outcomes: readonly (AppendResult | VersionConflict)[];
    try {
      outcomes = await this.#attempt(streamId, entries);
    } catch (error) {
      if (entries.length === 1 || !(error instanceof pg.DatabaseError)) {
        for (const entry of entries) entry.fail(error);
      } else {
        // PostgreSQL refused one of them, and took the others back with it: each alone.
        for (const entry of entries) await this.#appendTogether(streamId, [entry]);
      }
      return;
    }
    outcomes.forEach((outcome, index) => entries[index]?.settle(outcome));
    const versions = outcomes.flatMap((outcome) => (outcome instanceof VersionConflict ? [] : [outcome.lastVersion]));
    if (versions.length > 0) this.#appended(streamId, Math.max(...versions));
  }

  async #attempt(streamId: string, entries: readonly Waiting[]): Promise<readonly (AppendResult | VersionConflict)[]> {
    const batches = entries.map((entry) => entry.batch);
    for (let attempt = 1; ; attempt++) {
      try {
        return await appendBatches(this.#pool, streamId, batches);
      } catch (error) {
        if (!(error instanceof TransactionMustRestart) || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

function takeTogether(queue: Waiting[]): readonly Waiting[] {
  let events = 0;
  let count = 0;
  for (const entry of queue) {
    events += entry.batch.drafts.length;
    if (count > 0 && events > EVENTS_PER_TRANSACTION) break;
    count++;
  }
  return queue.splice(0, count);
}
