import type { Logger } from 'pino';
import type { Journal } from '../journal/journal.js';
import type { RecordedResult } from '../journal/record.js';
import type { AgentResult } from '@systole/protocol';
import { Backoff } from './backoff.js';
import { ServerRefused, type ServerConnection } from './server-connection.js';

const BATCH = 100;

export interface OutboxOptions {
  readonly journal: Journal;
  readonly server: ServerConnection;
  readonly logger: Logger;
  /** The server says that this incarnation is not the current one. */
  readonly onRefused: (refusal: ServerRefused) => void;
}

/** Carries results from the journal to the server until each is acknowledged, in order and in batches. */
export class Outbox {
  private incarnation: number | undefined;
  private sending = false;
  private retry: NodeJS.Timeout | undefined;
  private readonly backoff = new Backoff();
  /** Results that the server can't read; kept in the journal, but not in the way of the others. */
  private readonly refused = new Set<string>();
  private emptyWaiters: (() => void)[] = [];

  constructor(private readonly options: OutboxOptions) {}

  /** Results can be sent from now on, in the name of the incarnations in whose lives they arose; the present one is this. */
  open(incarnation: number): void {
    this.incarnation = incarnation;
    this.wake();
  }

  close(): void {
    this.incarnation = undefined;
    clearTimeout(this.retry);
  }

  /** There is something new in the journal. */
  wake(): void {
    clearTimeout(this.retry);
    if (!this.sending) void this.send();
  }

  /** Resolves when every result is acknowledged. */
  empty(): Promise<void> {
    return new Promise((resolve) => {
      this.emptyWaiters.push(resolve);
      this.wake();
    });
  }

  /** What the server does not have, in the order in which it arose. */
  private pending(): RecordedResult[] {
    return [...this.options.journal.state.unacknowledged.values()].filter(({ result }) => !this.refused.has(result.resultId));
  }

  private async send(): Promise<void> {
    this.sending = true;
    try {
      for (let pending = this.pending(); pending.length > 0 && this.incarnation !== undefined; pending = this.pending()) {
        await this.sendBatch(firstBatch(pending));
        this.backoff.reset();
      }
      if (this.pending().length === 0) for (const resolve of this.emptyWaiters.splice(0)) resolve();
    } catch (error) {
      this.afterFailure(error);
    } finally {
      this.sending = false;
    }
  }

  private async sendBatch({ incarnation, results }: Batch): Promise<void> {
    const { journal, server } = this.options;
    try {
      const resultIds = await server.results(incarnation, results);
      if (resultIds.length === 0) throw new Error('the server acknowledged none of the results');
      await journal.append({ kind: 'acknowledged', resultIds });
    } catch (error) {
      if (!this.isRefused(error, incarnation)) throw error;
      const [only] = results;
      if (results.length === 1 && only !== undefined) {
        this.refused.add(only.resultId);
        this.options.logger.error({ result: only, problem: error.message }, 'the server refuses this result; it stays in the journal');
        return;
      }
      for (const result of results) await this.sendBatch({ incarnation, results: [result] });
    }
  }

  /** A problem of the content, not of the sender or the moment. */
  private isRefused(error: unknown, incarnation: number): error is ServerRefused {
    if (!(error instanceof ServerRefused)) return false;
    // That an earlier incarnation is not the current one says nothing about this agent.
    return [400, 413, 422].includes(error.statusCode) || (error.statusCode === 409 && incarnation !== this.incarnation);
  }

  private afterFailure(error: unknown): void {
    if (error instanceof ServerRefused && error.statusCode === 409) {
      this.options.onRefused(error);
      return;
    }
    const delayMs = this.backoff.next();
    this.options.logger.warn(
      { problem: error instanceof Error ? error.message : String(error), delayMs },
      'results could not be delivered',
    );
    this.retry = setTimeout(() => {
      this.wake();
    }, delayMs);
  }
}

/** Results of one incarnation. */
interface Batch {
  readonly incarnation: number;
  readonly results: readonly AgentResult[];
}

/** As many results as can be sent at once without changing their order. */
function firstBatch(pending: readonly RecordedResult[]): Batch {
  const incarnation = pending[0]?.incarnation ?? 0;
  const next = pending.findIndex((one) => one.incarnation !== incarnation);
  const batch = pending.slice(0, Math.min(next < 0 ? pending.length : next, BATCH));
  return { incarnation, results: batch.map(({ result }) => result) };
}
