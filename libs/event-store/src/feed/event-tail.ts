import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable, UnknownPosition } from '../errors.js';
import type { DomainEvent, RecordedEvent } from '../event.js';
import type { EventStore } from '../event-store.js';
import { jsonWeight } from '../snapshots/json-pieces.js';

export interface EventTailOptions {
  /** Hears of what goes wrong; it is tried again. */
  readonly onTrouble?: (error: unknown) => void;
  /** How often it is looked without any signal, ms; default 2,000: of the server's own streams nobody tells. */
  readonly lookMs?: number;
}

/** A place among the events of all streams: after this one. */
export interface PlaceInLog {
  /** Global position; 0: before the first. */
  readonly position: number;
  /** Of the event there, as far as it is known. */
  readonly hash?: string;
}

/** What follows a place. */
export interface TailPage<E extends DomainEvent> {
  readonly events: readonly RecordedEvent<E>[];
  /** Whether there may be more at once. */
  readonly more: boolean;
}

const PAGE = 500;
const MOST_KEPT = 5_000;
/** What is kept at most, as `jsonWeight` has it: some ten MiB. */
const MOST_WEIGHT = 100_000;
/** Of an event besides its data. */
const ENVELOPE_WEIGHT = 20;
const FIRST_RETRY_MS = 20;

/**
 * The newest events of all streams in their global order, read once for all who follow them in this thread: thousands of followers cost one reading. Who is further behind than what is kept reads
 * the log itself, a page at a time, until it has caught up. Reads nothing while nobody follows.
 *
 * A log that went back in time (a restored database) no longer has the event at which the tail was: then everything that is kept is thrown away, and who asks for what follows a place of the
 * old log is told that it is unknown.
 */
export class EventTail<E extends DomainEvent> {
  readonly #store: EventStore<E>;
  readonly #lookMs: number;
  readonly #onTrouble: (error: unknown) => void;
  readonly #followers = new Set<() => void>();
  #kept: { readonly event: RecordedEvent<E>; readonly weight: number }[] = [];
  #weight = 0;
  /** Index of each kept event by its position, as if none had been thrown away. */
  readonly #indexes = new Map<number, number>();
  /** How many were thrown away at the front. */
  #dropped = 0;
  /** After which the kept events begin. */
  #start: number | undefined;
  #running: Promise<void> | undefined;
  readonly #ended = new AbortController();
  #pausing: AbortController | undefined;
  /** Something may have been appended since the last look began. */
  #woken = false;

  constructor(store: EventStore<E>, options: EventTailOptions = {}) {
    this.#store = store;
    this.#lookMs = options.lookMs ?? 2_000;
    this.#onTrouble = options.onTrouble ?? (() => undefined);
  }

  /** Calls `wake` whenever there may be more. @returns what ends it */
  follow(wake: () => void): () => void {
    this.#followers.add(wake);
    this.#running ??= this.#run(this.#ended.signal);
    this.#wakeUp();
    return () => {
      this.#followers.delete(wake);
    };
  }

  /** Where the log ends now, as far as its order is final. */
  async end(): Promise<PlaceInLog> {
    const position = await this.#store.lastPosition();
    const hash = position === 0 ? undefined : await this.#store.hashAtPosition(position);
    return hash === undefined ? { position: 0 } : { position, hash };
  }

  /**
   * What follows a place, a page of it.
   *
   * @throws {UnknownPosition} when the log has no event there, or another one
   */
  async after({ position, hash }: PlaceInLog): Promise<TailPage<E>> {
    const index = position === this.#start ? this.#dropped : this.#indexAfter(position);
    if (index !== undefined) {
      const known = this.#kept[index - this.#dropped - 1]?.event.hash;
      if (hash !== undefined && known !== undefined && !known.startsWith(hash)) throw new UnknownPosition(position);
      const events = this.#kept.slice(index - this.#dropped, index - this.#dropped + PAGE).map(({ event }) => event);
      return { events, more: events.length === PAGE };
    }
    if (position > 0 && hash !== undefined) {
      const found = await this.#store.hashAtPosition(position);
      if (found?.startsWith(hash) !== true) throw new UnknownPosition(position);
    }
    const events = await this.#store.readAll({ afterPosition: position, limit: PAGE });
    return { events, more: events.length === PAGE };
  }

  async close(): Promise<void> {
    this.#ended.abort();
    this.#followers.clear();
    this.#wakeUp();
    await this.#running;
  }

  #indexAfter(position: number): number | undefined {
    const index = this.#indexes.get(position);
    return index === undefined ? undefined : index + 1;
  }

  async #run(ended: AbortSignal): Promise<void> {
    let pauseMs = FIRST_RETRY_MS;
    let place: PlaceInLog | undefined;
    // Never resolves while PostgreSQL is away: nothing waits for it.
    const listening = this.#store.onAppend(() => {
      pauseMs = FIRST_RETRY_MS;
      this.#wakeUp();
    });
    void listening.then((forget) => {
      if (ended.aborted) forget();
      else ended.addEventListener('abort', forget, { once: true });
    });
    while (!ended.aborted) {
      this.#woken = false;
      try {
        if (this.#followers.size === 0) {
          this.#forgetAll();
          place = undefined;
        } else if (place === undefined) {
          place = await this.end();
          this.#start = place.position;
          this.#tellAll();
        } else {
          const read = await this.#readOn(place);
          const last = read.at(-1);
          if (last !== undefined) {
            this.#keep(read);
            place = { position: last.globalPosition, hash: last.hash };
            this.#tellAll();
            pauseMs = FIRST_RETRY_MS;
            continue;
          }
        }
      } catch (error) {
        if (error instanceof UnknownPosition || !(error instanceof StoreUnavailable)) {
          this.#forgetAll();
          place = undefined;
          this.#tellAll();
        }
        if (!(error instanceof UnknownPosition)) this.#onTrouble(error);
        pauseMs = this.#lookMs;
      }
      await this.#pause(pauseMs);
      // What an append told of may wait for an older transaction to end: it is looked again soon, then more and more seldom.
      pauseMs = Math.min(2 * pauseMs, this.#lookMs);
    }
  }

  async #readOn({ position, hash }: PlaceInLog): Promise<readonly RecordedEvent<E>[]> {
    if (position > 0 && (await this.#store.hashAtPosition(position)) !== hash) throw new UnknownPosition(position);
    return this.#store.readAll({ afterPosition: position, limit: PAGE });
  }

  #keep(events: readonly RecordedEvent<E>[]): void {
    for (const event of events) {
      const weight = jsonWeight(event.data, MOST_WEIGHT) + ENVELOPE_WEIGHT;
      this.#indexes.set(event.globalPosition, this.#dropped + this.#kept.length);
      this.#kept.push({ event, weight });
      this.#weight += weight;
    }
    let gone = 0;
    while (this.#kept.length - gone > 1 && (this.#weight > MOST_WEIGHT || this.#kept.length - gone > MOST_KEPT)) {
      const oldest = this.#kept[gone++];
      if (oldest === undefined) break;
      this.#weight -= oldest.weight;
      this.#indexes.delete(oldest.event.globalPosition);
      this.#start = oldest.event.globalPosition;
    }
    this.#kept = this.#kept.slice(gone);
    this.#dropped += gone;
  }

  #forgetAll(): void {
    this.#kept = [];
    this.#weight = 0;
    this.#dropped = 0;
    this.#indexes.clear();
    this.#start = undefined;
  }

  #tellAll(): void {
    for (const wake of [...this.#followers]) wake();
  }

  #wakeUp(): void {
    this.#woken = true;
    this.#pausing?.abort();
  }

  async #pause(ms: number): Promise<void> {
    if (this.#woken || this.#ended.signal.aborted) return;
    this.#pausing = new AbortController();
    await sleep(ms, undefined, { signal: this.#pausing.signal, ref: false }).catch(() => undefined);
    this.#pausing = undefined;
  }
}
