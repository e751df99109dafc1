import type { LateQueues, QueueHealth } from '@systole/queue';

/** A question that stays open for longer, ms, counts as unanswered. */
const ANSWERED_WITHIN_MS = 1_000;

/** How the queue is, as far as it is known, and how old that is. */
export type KnownQueue =
  | (Extract<QueueHealth, { status: 'up' }> & { readonly ageMs: number })
  /** `silentForMs`: since it answered last, or was asked first. */
  | (Extract<QueueHealth, { status: 'down' }> & { readonly silentForMs: number });

/**
 * What the queue said when it was asked last: whoever wants to know whether this process is well must not wait for something that it can do without. A Redis
 * that takes connections and never answers would let them wait for as long as anybody has patience.
 */
export class QueueWatch {
  #last: QueueHealth;
  /** When it answered last, or this process began to ask, by the monotonic clock. */
  #heardAt: number;
  /** When the question was asked that is open. */
  #askedAt: number | undefined;

  constructor(
    private readonly queues: Pick<LateQueues, 'health'>,
    backend: QueueHealth['backend'],
    private readonly monotonic: () => number,
  ) {
    this.#heardAt = monotonic();
    this.#last = { status: 'down', backend, error: 'not asked yet' };
  }

  /** Asks it; never rejects. */
  async look(): Promise<void> {
    this.#askedAt = this.monotonic();
    this.#last = await this.queues.health();
    this.#askedAt = undefined;
    if (this.#last.status === 'up') this.#heardAt = this.monotonic();
  }

  get known(): KnownQueue {
    const now = this.monotonic();
    const ageMs = Math.round(now - this.#heardAt);
    if (this.#last.status === 'down') return { ...this.#last, silentForMs: ageMs };
    const late = this.#askedAt !== undefined && now - this.#askedAt > ANSWERED_WITHIN_MS;
    if (late) return { status: 'down', backend: this.#last.backend, error: 'no answer yet', silentForMs: ageMs };
    return { ...this.#last, ageMs };
  }
}
