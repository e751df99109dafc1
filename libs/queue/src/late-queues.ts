import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueBackend, QueueOptions } from './configuration.js';
import { describeError, QueueClosed, QueueUnavailable } from './errors.js';
import { openQueues, type QueueHealth, type Queues } from './queues.js';

/** Between tries, ms; each of them tries on for `connectWithinMs`. */
const PAUSE_MS = 1_000;

/**
 * The work queue for a program that does not depend on it: it is opened in the background, for as long as that takes, and is away until then, as it may be at
 * any time later.
 */
export class LateQueues {
  #queues: Queues | undefined;
  #lastError = 'not opened yet';
  #closed = false;
  readonly #isClosed = (): boolean => this.#closed;
  readonly #opening: Promise<void>;

  constructor(
    private readonly config: QueueBackend,
    private readonly options: QueueOptions = {},
  ) {
    this.#opening = this.#open();
  }

  /** Resolves when the queue is open or so many ms are over, whatever comes first. */
  async opened(withinMs: number): Promise<void> {
    await Promise.race([this.#opening, sleep(withinMs, undefined, { ref: false })]);
  }

  /** As {@link Queues.enqueueAdvance}. @throws QueueUnavailable also while the queue is not open yet */
  async enqueueAdvance(clusterId: string): Promise<void> {
    if (this.#closed) throw new QueueClosed('enqueue advance');
    if (this.#queues === undefined) throw new QueueUnavailable(this.config.backend, 'enqueue advance', 0, new Error(this.#lastError));
    await this.#queues.enqueueAdvance(clusterId);
  }

  /** Asks the backend; never rejects. */
  async health(): Promise<QueueHealth> {
    if (this.#queues !== undefined) return this.#queues.health();
    return { status: 'down', backend: this.config.backend, error: this.#closed ? 'closed' : this.#lastError };
  }

  /** Stops opening, or closes what is open. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#queues?.close();
  }

  async #open(): Promise<void> {
    while (!this.#closed) {
      try {
        const queues = await openQueues(this.config, this.options, this.#isClosed);
        this.#queues = queues;
        if (this.#isClosed()) await queues.close();
        return;
      } catch (error) {
        this.#lastError = describeError(error);
        await sleep(PAUSE_MS, undefined, { ref: false });
      }
    }
  }
}
