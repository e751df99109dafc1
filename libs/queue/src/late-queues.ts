import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueBackend, QueueOptions } from './configuration.js';
import type { QueueHandlers } from './consumer.js';
import { describeError, QueueClosed, QueueUnavailable } from './errors.js';
import type { TimerJob, WebhookJob } from './jobs.js';
import { openQueues, type QueueHealth, type Queues } from './queues.js';

/** Between tries, ms; each of them tries on for `connectWithinMs`. */
const PAUSE_MS = 1_000;

/**
 * The work queue for a program that does not depend on it: it is opened in the background, for as long as that takes, and is away until then, as it may be at
 * any time later. So are its consumers started.
 */
export class LateQueues {
  #queues: Queues | undefined;
  #lastError = 'not opened yet';
  #closed = false;
  /** Consumers that were asked for and have not started. */
  #unstarted = 0;
  readonly #isClosed = (): boolean => this.#closed;
  readonly #opening: Promise<Queues | undefined>;
  #ready: Promise<unknown>;

  constructor(
    private readonly config: QueueBackend,
    private readonly options: QueueOptions = {},
  ) {
    this.#opening = this.#open();
    this.#ready = this.#opening;
  }

  /** Resolves when the queue is open and its consumers run, or so many ms are over, whatever comes first. */
  async opened(withinMs: number): Promise<void> {
    await Promise.race([this.#ready, sleep(withinMs, undefined, { ref: false })]);
  }

  /** As {@link Queues.enqueueAdvance}. @throws QueueUnavailable also while the queue is not open yet */
  async enqueueAdvance(clusterId: string): Promise<void> {
    await this.#opened('enqueue advance').enqueueAdvance(clusterId);
  }

  /** As {@link Queues.scheduleTimer}. @throws QueueUnavailable also while the queue is not open yet */
  async scheduleTimer(timer: TimerJob): Promise<void> {
    await this.#opened('schedule timer').scheduleTimer(timer);
  }

  /** As {@link Queues.scheduleWebhook}. @throws QueueUnavailable also while the queue is not open yet */
  async scheduleWebhook(job: WebhookJob): Promise<void> {
    await this.#opened('schedule webhook').scheduleWebhook(job);
  }

  /** As {@link Queues.consume}, from whenever the queue is there until it is closed; until then {@link health} says that it is down. */
  consume(handlers: QueueHandlers, options: { readonly concurrency: number }): void {
    this.#unstarted += 1;
    this.#ready = Promise.all([this.#ready, this.#startConsumer(handlers, options)]);
  }

  /** Asks the backend; never rejects. */
  async health(): Promise<QueueHealth> {
    if (!this.#closed && this.#queues !== undefined && this.#unstarted === 0) return this.#queues.health();
    return { status: 'down', backend: this.config.backend, error: this.#closed ? 'closed' : this.#lastError };
  }

  /** Stops opening, or closes what is open. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#queues?.close();
  }

  #opened(operation: string): Queues {
    if (this.#closed) throw new QueueClosed(operation);
    if (this.#queues === undefined) throw new QueueUnavailable(this.config.backend, operation, 0, new Error(this.#lastError));
    return this.#queues;
  }

  async #open(): Promise<Queues | undefined> {
    const queues = await this.#persistently(() => openQueues(this.config, this.options, this.#isClosed));
    this.#queues = queues;
    if (this.#isClosed()) await queues?.close();
    return queues;
  }

  async #startConsumer(handlers: QueueHandlers, options: { readonly concurrency: number }): Promise<void> {
    const queues = await this.#opening;
    if (queues === undefined) return;
    await this.#persistently(() => queues.consume(handlers, options));
    this.#unstarted -= 1;
  }

  /** Undefined when it was closed before it succeeded. */
  async #persistently<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    while (!this.#isClosed()) {
      try {
        return await attempt();
      } catch (error) {
        this.#lastError = describeError(error);
        await sleep(PAUSE_MS, undefined, { ref: false });
      }
    }
    return undefined;
  }
}
