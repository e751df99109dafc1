import pg from 'pg';
import { APPEND_CHANNEL } from '../append/append-statements.js';
import { SEPARATOR } from '../append/canonical-event.js';

/** $1 the horizon at the last look; null for the first, which reports no stream. */
const LOOK = `
SELECT event_horizon() AS horizon,
       ARRAY(SELECT max(version) || ':' || stream_id FROM events WHERE transaction_id >= $1::bigint GROUP BY stream_id) AS heads`;

interface LookRow {
  readonly horizon: string;
  readonly heads: readonly string[];
}

/** Hears that a stream has reached a version. Must not throw. */
export interface AppendListener {
  appended(streamId: string, version: number): void;
  /** Listening began. What was appended before may not have been reported: read once. */
  listening?(): void;
}

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;

/**
 * Reports appends, those of this process at once and those of others by LISTEN on one connection of its own, which is opened with the first
 * listener. A notification may get lost (a writer that dies after its commit, a connection that breaks), so the feed also looks at intervals
 * for what was appended since its last look; after a lost connection it goes on from there. Each version of a stream is reported at most once,
 * and none that is lower than one reported before.
 */
export class AppendFeed {
  readonly #options: pg.ClientConfig;
  readonly #lookEveryMs: number;
  readonly #listeners = new Set<AppendListener>();
  readonly #reported = new Map<string, number>();
  #horizon: string | null = null;
  #connection: pg.Client | undefined;
  #listening = false;
  #closed = false;
  #running: Promise<void> | undefined;
  #wake: () => void = () => undefined;

  constructor(options: pg.ClientConfig, lookEveryMs: number) {
    this.#options = options;
    this.#lookEveryMs = lookEveryMs;
  }

  /** @returns a function that removes the listener */
  listen(listener: AppendListener): () => void {
    if (this.#closed) throw new Error('the event store is closed: no listener can be added');
    this.#listeners.add(listener);
    this.#running ??= this.#run();
    if (this.#listening) listener.listening?.();
    return () => this.#listeners.delete(listener);
  }

  report(streamId: string, version: number): void {
    if (version <= (this.#reported.get(streamId) ?? 0)) return;
    this.#reported.set(streamId, version);
    for (const listener of [...this.#listeners]) {
      try {
        listener.appended(streamId, version);
      } catch (error) {
        // An append that took place must not fail by it, nor the other listeners: it is the program's error, and reported as uncaught.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (this.#isOpen()) {
      try {
        await this.#connect();
        retryMs = FIRST_RETRY_MS;
        while (this.#isOpen()) {
          await this.#pause(this.#lookEveryMs);
          await this.#look();
        }
      } catch {
        // The server restarts, a proxy closed the connection: whatever it is, only trying again helps. Readers report errors that stay.
        await this.#pause(retryMs);
        retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
      } finally {
        await this.#disconnect();
      }
    }
  }

  #isOpen(): boolean {
    return !this.#closed;
  }

  async #connect(): Promise<void> {
    const connection = new pg.Client({ ...this.#options, application_name: 'systole-feed' });
    this.#connection = connection;
    connection.on('error', () => {
      this.#wake();
    });
    connection.on('notification', ({ payload }) => {
      for (const head of (payload ?? '').split(SEPARATOR)) this.#reportHead(head);
    });
    await connection.connect();
    await connection.query(`LISTEN ${APPEND_CHANNEL}`);
    await this.#look();
    this.#listening = true;
    for (const listener of [...this.#listeners]) listener.listening?.();
  }

  async #disconnect(): Promise<void> {
    this.#listening = false;
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.end().catch(() => undefined);
  }

  async #look(): Promise<void> {
    const result = await this.#connection?.query<LookRow>({ name: 'systole-look', text: LOOK, values: [this.#horizon] });
    const row = result?.rows[0];
    if (row === undefined) return;
    for (const head of row.heads) this.#reportHead(head);
    this.#horizon = row.horizon;
  }

  /** @param head `<version>:<stream id>` */
  #reportHead(head: string): void {
    const colon = head.indexOf(':');
    const version = Number(head.slice(0, colon));
    if (colon > 0 && Number.isInteger(version)) this.report(head.slice(colon + 1), version);
  }

  /** Waits so long, or until the connection breaks or the feed is closed. */
  #pause(ms: number): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
