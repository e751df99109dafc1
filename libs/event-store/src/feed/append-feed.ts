import pg from 'pg';
import { APPEND_CHANNEL } from '../append/append-statements.js';
import { SEPARATOR } from '../append/canonical-event.js';
import { checked } from '../connection-check.js';

/** $1 the horizon at the last look; null for the first, which reports no stream. */
const LOOK = `
SELECT event_horizon() AS horizon,
       ARRAY(SELECT max(version) || ':' || stream_id FROM events WHERE transaction_id >= $1::bigint GROUP BY stream_id) AS heads`;

/** $1 stream ids. Of those that have events. */
const HEADS = `
SELECT ARRAY(
  SELECT newest.version || ':' || named.id
  FROM unnest($1::text[]) AS named (id)
  CROSS JOIN LATERAL (SELECT max(version) AS version FROM events WHERE stream_id = named.id) AS newest
  WHERE newest.version IS NOT NULL) AS heads`;

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

/** Streams of which it is remembered what was reported; some 500 bytes each. */
const REMEMBERED = 100_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;
/** What the feed asks takes no time: a database that does not answer for so long has gone, or the way to it, ms. */
const ANSWERED_WITHIN_MS = 5_000;

/**
 * Reports appends, those of this process at once and those of others by LISTEN on one connection of its own, which is opened with the first
 * listener. A notification may get lost (a writer that dies after its commit, a connection that breaks), so the feed also looks at intervals
 * for what was appended since its last look; after a lost connection it goes on from there. Of a stream no version is reported twice on one connection, and
 * none that is lower than one reported before, unless the log went back in time (a restored copy): a lower version that is heard of is compared with what the
 * stream holds, and whoever connects anew compares nothing with what was reported before.
 */
export class AppendFeed {
  readonly #options: pg.ClientConfig;
  readonly #lookEveryMs: number;
  readonly #listeners = new Set<AppendListener>();
  /** The newest version of each stream that was reported; those of the streams that have been silent for longest are forgotten: what is heard of them is reported once more. */
  readonly #reported = new Map<string, number>();
  /** Streams of which a lower version was heard than was reported: it came late, or the log went back. */
  readonly #doubtful = new Set<string>();
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
    const reported = this.#reported.get(streamId) ?? 0;
    if (version < reported) this.#doubt(streamId);
    if (version > reported) this.#tell(streamId, version);
  }

  #tell(streamId: string, version: number): void {
    this.#reported.delete(streamId);
    this.#reported.set(streamId, version);
    for (const silent of this.#reported.keys()) {
      if (this.#reported.size <= REMEMBERED) break;
      this.#reported.delete(silent);
    }
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
    const connection = new pg.Client({ ...this.#options, application_name: 'systole-feed', query_timeout: ANSWERED_WITHIN_MS });
    this.#connection = connection;
    connection.on('error', () => {
      this.#wake();
    });
    connection.on('notification', ({ payload }) => {
      for (const head of (payload ?? '').split(SEPARATOR)) this.#reportHead(head);
    });
    await connection.connect();
    await checked(connection, this.#options);
    await connection.query(`LISTEN ${APPEND_CHANNEL}`);
    await this.#goOn();
    this.#listening = true;
    for (const listener of [...this.#listeners]) listener.listening?.();
  }

  async #disconnect(): Promise<void> {
    this.#listening = false;
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.end().catch(() => undefined);
  }

  /** The first look of a connection: it may be to a server with a restored copy, where transaction ids went back together with the log. */
  async #goOn(): Promise<void> {
    const found = await this.#appendedSince(this.#horizon);
    const wentBack = this.#horizon !== null && BigInt(found.horizon) < BigInt(this.#horizon);
    const heads = wentBack ? await this.#headsOf([...this.#reported.keys()]) : [];
    for (const streamId of this.#reported.keys()) this.#reported.set(streamId, 0);
    for (const { streamId, version } of [...heads, ...found.heads.flatMap(readHead)]) this.report(streamId, version);
    this.#horizon = found.horizon;
  }

  async #look(): Promise<void> {
    const { horizon, heads } = await this.#appendedSince(this.#horizon);
    for (const head of heads) this.#reportHead(head);
    this.#horizon = horizon;
  }

  async #appendedSince(horizon: string | null): Promise<LookRow> {
    const result = await this.#connection?.query<LookRow>({ name: 'systole-look', text: LOOK, values: [horizon] });
    const row = result?.rows[0];
    if (row === undefined) throw new Error('the feed has no connection');
    return row;
  }

  /** Reports where a stream ends when that is before what was reported. Whoever has no connection finds it with the next one. */
  #doubt(streamId: string): void {
    const isUnderWay = this.#doubtful.size > 0;
    this.#doubtful.add(streamId);
    if (isUnderWay) return;
    queueMicrotask(() => {
      void this.#resolveDoubts();
    });
  }

  async #resolveDoubts(): Promise<void> {
    const doubts = new Map([...this.#doubtful].map((streamId) => [streamId, this.#reported.get(streamId) ?? 0]));
    this.#doubtful.clear();
    try {
      for (const { streamId, version } of await this.#headsOf([...doubts.keys()])) {
        const reported = doubts.get(streamId) ?? 0;
        // What was reported while the question was on its way is newer than the answer.
        if (version < reported && this.#reported.get(streamId) === reported) this.#tell(streamId, version);
      }
    } catch {
      // The connection broke; the next one begins anew.
    }
  }

  async #headsOf(streamIds: readonly string[]): Promise<readonly Head[]> {
    const result = await this.#connection?.query<Pick<LookRow, 'heads'>>({ name: 'systole-heads', text: HEADS, values: [streamIds] });
    return (result?.rows[0]?.heads ?? []).flatMap(readHead);
  }

  #reportHead(text: string): void {
    for (const { streamId, version } of readHead(text)) this.report(streamId, version);
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

interface Head {
  readonly streamId: string;
  readonly version: number;
}

/** @param text `<version>:<stream id>`; whatever else it is names none */
function readHead(text: string): readonly Head[] {
  const colon = text.indexOf(':');
  const version = Number(text.slice(0, colon));
  return colon > 0 && Number.isInteger(version) ? [{ streamId: text.slice(colon + 1), version }] : [];
}
