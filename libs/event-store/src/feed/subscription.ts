import type { AppendFeed } from './append-feed.js';
import { StoreUnavailable } from '../errors.js';

/** Events in order, each at most once. */
export interface Subscription {
  /** Ends the subscription; resolves when the handler is not and won't be running. Also what {@link done} then does. */
  close(): Promise<void>;
  /** Resolves when the subscription was closed; rejects with what the handler threw, or with an error of the store that waiting can't cure. */
  readonly done: Promise<void>;
}

/** What a subscription reads: pages of what comes after its place, which the source itself keeps. */
export interface Source<Event> {
  /** The next events; empty when there are none at the moment. Moves the place on behind them. */
  next(limit: number): Promise<readonly Event[]>;
  /** Whether there are committed events that `next` may not give yet, so that it should be asked again soon. */
  unsettled(): Promise<boolean>;
  /** Whether an append concerns this source. */
  concerns(streamId: string, version: number): boolean;
}

const PAGE = 500;
const FIRST_RETRY_MS = 20;
const LAST_RETRY_MS = 1_000;

/** Gives the events of a source to a handler, one after the other, and goes on whenever the feed reports more. */
export function subscribe<Event>(feed: AppendFeed, source: Source<Event>, handler: (event: Event) => void | Promise<void>): Subscription {
  const running = new RunningSubscription(feed, source, handler);
  return {
    done: running.done,
    close: async () => {
      running.stop();
      await running.done;
    },
  };
}

class RunningSubscription<Event> {
  readonly done: Promise<void>;
  readonly #source: Source<Event>;
  readonly #handler: (event: Event) => void | Promise<void>;
  #stopped = false;
  /** Something may have been appended since the last read began. */
  #more = true;
  #wake: () => void = () => undefined;

  constructor(feed: AppendFeed, source: Source<Event>, handler: (event: Event) => void | Promise<void>) {
    this.#source = source;
    this.#handler = handler;
    const forget = feed.listen({
      appended: (streamId, version) => {
        if (source.concerns(streamId, version)) this.#readAgain();
      },
      listening: () => {
        this.#readAgain();
      },
    });
    this.done = this.#run().finally(forget);
  }

  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  #readAgain(): void {
    this.#more = true;
    this.#wake();
  }

  async #run(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!this.#stopped) {
      this.#more = false;
      try {
        const events = await this.#source.next(PAGE);
        await this.#handle(events);
        if (events.length > 0) {
          this.#more = true;
          retryMs = FIRST_RETRY_MS;
        } else if (await this.#source.unsettled()) {
          await this.#sleep(retryMs);
          this.#more = true;
          retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
        } else {
          await this.#sleep();
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await this.#sleep(retryMs);
        this.#more = true;
        retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
      }
    }
  }

  async #handle(events: readonly Event[]): Promise<void> {
    for (const event of events) {
      if (this.#stopped) return;
      await this.#handler(event);
    }
  }

  /** Waits until there is reason to read again, at most so long. */
  #sleep(ms?: number): Promise<void> {
    if (this.#stopped || this.#more) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
