import { setTimeout as sleep } from 'node:timers/promises';
import { UnknownPosition, type DomainEvent, type EventTail, type PlaceInLog } from '@systole/event-store';
import { WebhookFilter, type Wanted } from '../filter/webhook-filter.js';
import { AT_WORK } from './progress-statements.js';
import { webhookTurn, type Delivering } from './webhook-turn.js';

export interface DispatcherOptions {
  /** Asks that a webhook be looked at, by whichever worker, at a time (epoch ms). What comes of it is nobody's loss: it is looked over now and then. */
  readonly later: (webhookId: string, at: number) => Promise<void>;
  /** Hears what goes wrong; it is tried again. */
  readonly onTrouble: (error: unknown) => void;
  /** How often webhooks are looked over, ms; default 30,000. */
  readonly sweepMs?: number;
}

/** Webhooks that are at work at the same time; further ones wait for their turn. */
const MOST_TURNS = 32;
/** Of them those that keep their places for long, as their receivers are slow or dead: however many there are, the others find places. */
const MOST_SLOW_TURNS = 24;
/** A turn that took longer was slow, ms. */
const SLOW_MS = 1_000;
const SWEEP_MS = 30_000;
/** How long the end waits for attempts that are under way, ms. */
const CLOSES_WITHIN_MS = 5_000;

/**
 * Sees to it that webhooks get their turns in this worker: when something is appended that is for them, when they are to be tried again, when somebody asks, and now and then in any case. Each has at
 * most one turn at a time here, and by its lease in the database at most one anywhere. One that is slow or dead takes one of the places for no longer than a turn, and all such ones together leave places for the others.
 */
export class WebhookDispatcher {
  readonly #ended = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  /** To have a turn, in order. */
  readonly #waiting = new Set<string>();
  /** Whose last turn was slow. */
  readonly #slow = new Set<string>();
  /** Woken while they had one. */
  readonly #again = new Set<string>();
  #filters: ReadonlyMap<string, WebhookFilter> = new Map();
  #place: PlaceInLog | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #sweeping: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unfollow: (() => void) | undefined;

  constructor(
    private readonly delivering: Delivering & { readonly tail: EventTail<DomainEvent> },
    private readonly options: DispatcherOptions,
  ) {}

  start(): void {
    this.#timer = setInterval(() => void this.sweep(), this.options.sweepMs ?? SWEEP_MS);
    this.#timer.unref();
    void this.sweep();
  }

  /** Webhooks that are enabled, or have something to do that was asked for, as of the last look. */
  get webhooks(): number {
    return this.#filters.size;
  }

  /** Has a webhook looked at, also one that is not known here yet. */
  wake(webhookId: string): void {
    if (this.#ended.signal.aborted) return;
    if (!this.#filters.has(webhookId)) void this.sweep();
    this.#want(webhookId);
  }

  /** Looks over all webhooks. Never rejects. */
  async sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep()
      .catch(this.options.onTrouble)
      .finally(() => {
        this.#sweeping = undefined;
      });
    await this.#sweeping;
  }

  /** Begins no more, and waits a while for what is under way. */
  async close(): Promise<void> {
    this.#ended.abort();
    clearInterval(this.#timer);
    this.#unfollow?.();
    this.#waiting.clear();
    const underWay = Promise.allSettled([...this.#running.values(), this.#looking, this.#sweeping]);
    await Promise.race([underWay, sleep(CLOSES_WITHIN_MS, undefined, { ref: false })]);
  }

  async #sweep(): Promise<void> {
    const { rows } = await this.delivering.pool.query<Wanted & { readonly id: string; readonly enabled: boolean }>(AT_WORK);
    if (this.#ended.signal.aborted) return;
    this.#filters = new Map(rows.filter(({ enabled }) => enabled).map((row) => [row.id, new WebhookFilter(row)]));
    if (this.#filters.size === 0) {
      // Where there is no webhook the log is not read for any.
      this.#unfollow?.();
      this.#unfollow = undefined;
      this.#place = undefined;
    } else {
      this.#unfollow ??= this.delivering.tail.follow(() => {
        this.#look();
      });
    }
    const known = new Set(rows.map(({ id }) => id));
    for (const id of this.#slow) if (!known.has(id)) this.#slow.delete(id);
    for (const { id } of rows) this.#want(id);
  }

  /** Finds out for whom something was appended. Never twice at once. */
  #look(): void {
    this.#lookAgain = true;
    this.#looking ??= this.#readOn()
      .catch(this.options.onTrouble)
      .finally(() => {
        this.#looking = undefined;
      });
  }

  async #readOn(): Promise<void> {
    while (this.#lookAgain && !this.#ended.signal.aborted) {
      this.#lookAgain = false;
      const { tail } = this.delivering;
      // From now on: those that are behind are found by looking them over.
      if (this.#place === undefined) {
        this.#place = await tail.end();
        for (const id of this.#filters.keys()) this.#want(id);
        continue;
      }
      try {
        const { events, more } = await tail.after(this.#place);
        const last = events.at(-1);
        if (last !== undefined) this.#place = { position: last.globalPosition, hash: last.hash };
        for (const [id, filter] of this.#filters) if (events.some((event) => filter.lets(event))) this.#want(id);
        this.#lookAgain ||= more;
      } catch (error) {
        if (!(error instanceof UnknownPosition)) throw error;
        this.#place = undefined;
        this.#lookAgain = true;
      }
    }
  }

  #want(webhookId: string): void {
    if (this.#running.has(webhookId)) this.#again.add(webhookId);
    else this.#waiting.add(webhookId);
    this.#begin();
  }

  #begin(): void {
    for (const webhookId of this.#waiting) {
      if (this.#running.size >= MOST_TURNS || this.#ended.signal.aborted) return;
      if (this.#slow.has(webhookId) && this.#slowRunning >= MOST_SLOW_TURNS) continue;
      this.#waiting.delete(webhookId);
      const begun = performance.now();
      const running = this.#turn(webhookId)
        .catch(this.options.onTrouble)
        .finally(() => {
          this.#running.delete(webhookId);
          if (performance.now() - begun > SLOW_MS) this.#slow.add(webhookId);
          else this.#slow.delete(webhookId);
          if (this.#again.delete(webhookId)) this.#waiting.add(webhookId);
          this.#begin();
        });
      this.#running.set(webhookId, running);
    }
  }

  get #slowRunning(): number {
    let count = 0;
    for (const webhookId of this.#running.keys()) if (this.#slow.has(webhookId)) count += 1;
    return count;
  }

  async #turn(webhookId: string): Promise<void> {
    const ended = await webhookTurn(webhookId, this.delivering, this.#ended.signal);
    if (ended.end === 'more') this.#again.add(webhookId);
    if (ended.end !== 'again') return;
    await this.options.later(webhookId, Date.now() + ended.inMs).catch(this.options.onTrouble);
  }
}
