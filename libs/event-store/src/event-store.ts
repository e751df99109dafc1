import type { ClientBase, Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { Announcer } from './append/announcer.js';
import { type AppendBatch, type Appending, appendBatch, appendBatchIn, appendingBatch } from './append/append-batch.js';
import { canonicalDraft } from './append/canonical-event.js';
import { tryAppend } from './append/try-append.js';
import { type ChainVerdict, type KnownHead, verifyChain } from './chain/verify-chain.js';
import { InvalidEvent } from './errors.js';
import type { AppendMeta, AppendResult, DomainEvent, EventsOfOne, ExpectedVersion, NewEvent, RecordedEvent } from './event.js';
import { AppendFeed } from './feed/append-feed.js';
import { AppendReports } from './feed/append-reports.js';
import { allStreams, oneStream } from './feed/sources.js';
import { subscribe, type Subscription } from './feed/subscription.js';
import { type AcrossQuery, rowsAcross } from './read/query-across.js';
import { type EventQuery, queryRows } from './read/query-events.js';
import { findCursor, hashAtPosition, lastPosition, readAllRows } from './read/read-all.js';
import {
  readAheadMs,
  readHash,
  readHeads,
  readManyRowsOn,
  readOnQuery,
  readStreamRows,
  readVersionCausedBy,
  readVersionAt,
  type PlaceInStream,
  type StreamHead,
} from './read/read-stream.js';
import { TermIndex } from './read/term-index.js';
import { type EventRow, recordedEvent } from './read/recorded-row.js';
import { Batch } from './postgres/batch.js';
import { isOfServer } from './stream-names.js';
import {
  deleteSnapshots,
  isSnapshotRecords,
  loadSnapshot,
  newestSnapshot,
  recordsOf,
  saveSnapshot,
  thinSnapshots,
  verifySnapshots,
  type RefusedSnapshot,
  type Snapshot,
  type StoredSnapshot,
} from './snapshots/snapshots.js';
import { Upcasters } from './upcasters.js';

export interface EventStoreOptions {
  /** For events that were written in an earlier shape. */
  readonly upcasters?: Upcasters;
  /** How often the store looks for appends of which no notification came. Milliseconds; 1,000 when left out. */
  readonly lookEveryMs?: number;
  /** Hears of snapshots that are not what was recorded when they were taken; they are passed over. Must not throw. */
  readonly onSnapshotRefused?: (refused: RefusedSnapshot) => void;
  /** For appends in transactions of the store's own, which wait for their streams; the pool of all else when left out. Stays the caller's. */
  readonly appends?: Pool;
  /** Shared with other stores on the same database in this thread: they hear of one another's appends at once. */
  readonly reports?: AppendReports;
}

/** Versions are inclusive; everything when left out. */
export interface StreamRange {
  readonly fromVersion?: number;
  readonly toVersion?: number;
  /** At most so many events. */
  readonly limit?: number;
}

/** Where a subscription begins: after a version of one stream, or after an event's global position among all streams. */
export type SubscriptionStart =
  { readonly streamId: string; readonly afterVersion?: number } | { readonly streamId?: never; readonly afterPosition?: number };

const PAGE = 1_000;

/** Most events that follow a version in one answer of {@link EventStore.readOn}. */
export const READ_ON_AT_ONCE = 1_000;
/** Most streams that are read on in one statement. */
const STREAMS_AT_ONCE = 200;

/** What a stream holds from a version on. */
export interface ReadOn<E extends DomainEvent = DomainEvent> {
  /** Of that version's event; undefined: the stream has no such version (any more), and then there are no events either. */
  readonly hash: string | undefined;
  /** Those after it. */
  readonly events: readonly RecordedEvent<E>[];
}

/** A statement, and what its result says. */
export interface ReadingOn<E extends DomainEvent = DomainEvent> {
  readonly query: QueryConfig;
  readonly read: (result: Pick<QueryResult, 'rows'>) => ReadOn<E>;
}

/**
 * The append-only store of events on PostgreSQL (docs/decisions/0002-event-store.md). One for each process; safe for concurrent use.
 *
 * `E` is the union of the events that the streams hold. Besides the errors named below, every method throws {@link StoreUnavailable} when
 * PostgreSQL can't be reached and {@link SchemaMissing} when the migrations did not run.
 */
export class EventStore<E extends DomainEvent = DomainEvent> {
  readonly #pool: Pool;
  readonly #appends: Pool;
  readonly #upcasters: Upcasters;
  readonly #feed: AppendFeed;
  readonly #reports: AppendReports;
  readonly #leaveReports: () => void;
  readonly #announcer: Announcer;
  readonly #terms: TermIndex;
  readonly #onSnapshotRefused: (refused: RefusedSnapshot) => void;
  readonly #reading: Batch<PlaceInStream, readonly EventRow[]>;
  readonly #heads: Batch<string, StreamHead | undefined>;

  /** @param pool stays the caller's, who ends it after {@link close}; the connection for LISTEN is opened with the same settings beside it */
  constructor(pool: Pool, options: EventStoreOptions = {}) {
    this.#pool = pool;
    this.#appends = options.appends ?? pool;
    this.#upcasters = options.upcasters ?? new Upcasters();
    this.#feed = new AppendFeed(pool.options, options.lookEveryMs ?? 1_000);
    this.#reports = options.reports ?? new AppendReports();
    this.#leaveReports = this.#reports.join((streamId, version) => {
      this.#feed.report(streamId, version);
    });
    this.#announcer = new Announcer(pool);
    this.#terms = new TermIndex(pool);
    this.#reading = new Batch((places) => readManyRowsOn(pool, places, READ_ON_AT_ONCE + 1), STREAMS_AT_ONCE);
    this.#heads = new Batch((streamIds) => readHeads(pool, streamIds), STREAMS_AT_ONCE);
    this.#onSnapshotRefused = options.onSnapshotRefused ?? (() => undefined);
  }

  /**
   * Appends events to one stream, all or none, in a transaction of its own; resolves after the commit.
   *
   * @param events at least one
   * @throws {VersionConflict} when the stream is not at the expected version
   * @throws {InvalidEvent} when an event has no JSON form
   * @throws {StoreUnavailable} with `outcome: 'unknown'` when the connection broke before the answer
   */
  async append(
    streamId: string,
    expectedVersion: ExpectedVersion,
    events: readonly NewEvent<E>[],
    meta: AppendMeta,
  ): Promise<AppendResult> {
    return this.appendParts(streamId, expectedVersion, [{ events, meta }]);
  }

  /** The same for events of several causes, one after the other: all or none. */
  async appendParts(streamId: string, expectedVersion: ExpectedVersion, parts: readonly EventsOfOne<E>[]): Promise<AppendResult> {
    const appended = await appendBatch(this.#appends, streamId, this.#batch(streamId, expectedVersion, parts));
    this.announce(appended);
    return appended;
  }

  /**
   * The same inside the caller's transaction, which should be READ COMMITTED. The stream stays locked for other appends until it ends, so it
   * should be short, and append to one stream only. After a {@link VersionConflict} the transaction can go on. After the commit the caller is to {@link announce} it.
   *
   * @throws {VersionConflict}
   * @throws {InvalidEvent}
   * @throws {TransactionMustRestart} when the transaction's snapshot is older than the stream's head, or it lost a deadlock
   */
  async appendIn(
    client: ClientBase,
    streamId: string,
    expectedVersion: ExpectedVersion,
    events: readonly NewEvent<E>[],
    meta: AppendMeta,
  ): Promise<AppendResult> {
    return this.appendPartsIn(client, streamId, expectedVersion, [{ events, meta }]);
  }

  /** {@link appendParts} inside the caller's transaction, as {@link appendIn}. */
  async appendPartsIn(
    client: ClientBase,
    streamId: string,
    expectedVersion: ExpectedVersion,
    parts: readonly EventsOfOne<E>[],
  ): Promise<AppendResult> {
    return appendBatchIn(client, streamId, this.#batch(streamId, expectedVersion, parts));
  }

  /**
   * The same for a transaction of the caller's that sends the query itself, with others.
   *
   * @throws {InvalidEvent}
   */
  appending(streamId: string, expectedVersion: ExpectedVersion, parts: readonly EventsOfOne<E>[]): Appending {
    return appendingBatch(streamId, this.#batch(streamId, expectedVersion, parts));
  }

  /** Tells listeners here and elsewhere of what {@link appendIn} appended, after the commit. Those who are not told find it at their next look. */
  announce({ streamId, lastVersion }: Pick<AppendResult, 'streamId' | 'lastVersion'>): void {
    this.#reports.report(streamId, lastVersion);
    this.#announcer.announce(streamId, lastVersion);
    if (!isSnapshotRecords(streamId)) this.#terms.appended(streamId, lastVersion);
  }

  /**
   * Whether events can be stored: appends one and takes it back, which leaves dead rows.
   *
   * @param first what else is to be tried, in the same transaction
   * @throws as {@link append}
   */
  async tryAppend(first: (client: PoolClient) => Promise<void> = () => Promise.resolve()): Promise<void> {
    await tryAppend(this.#pool, first);
  }

  /** A stream's events in the order of their versions; none when there is no such stream. @throws {UnknownSchemaVersion} */
  async readStream(streamId: string, range: StreamRange = {}): Promise<readonly RecordedEvent<E>[]> {
    const { fromVersion = 1, toVersion = Number.MAX_SAFE_INTEGER, limit = Number.MAX_SAFE_INTEGER } = range;
    const rows = await readStreamRows(this.#pool, streamId, { fromVersion, toVersion, limit });
    return rows.map((row) => recordedEvent<E>(row, this.#upcasters));
  }

  /** The same in pages, for streams that are too long to be held at once. Ends at the head that the last page met. */
  async *streamEvents(streamId: string, range: StreamRange = {}): AsyncGenerator<RecordedEvent<E>, void, void> {
    let { fromVersion = 1, limit = Number.MAX_SAFE_INTEGER } = range;
    while (limit > 0) {
      const size = Math.min(PAGE, limit);
      const page = await this.readStream(streamId, { ...range, fromVersion, limit: size });
      yield* page;
      if (page.length < size) return;
      fromVersion += page.length;
      limit -= page.length;
    }
  }

  /** First version from one on whose event has that causation id; undefined when none has. Found at once for an id that follows from a key (a UUID of version 8); for others the stream is read from there. */
  async versionCausedBy(streamId: string, causationId: string, fromVersion: number): Promise<number | undefined> {
    return readVersionCausedBy(this.#pool, streamId, causationId, fromVersion);
  }

  /**
   * Goes on from a version that was read before, and says what is there now: whoever compares the hash with the one it remembers finds a stream that lost
   * events, or has others. Costs no more than reading what is new; those who ask at the same time share a statement.
   *
   * @param version from 1
   * @param begins told right before it is read: who asks for the same until then can do with this answer. Must not throw
   * @returns at most {@link READ_ON_AT_ONCE} events; whoever gets as many goes on from the last
   */
  async readOn(streamId: string, version: number, begins?: () => void): Promise<ReadOn<E>> {
    return this.#readOn(version, await this.#reading.add({ streamId, version }, begins));
  }

  /** The same for a transaction of the caller's, which sends the query and has its rows read here. */
  readingOn(streamId: string, version: number): ReadingOn<E> {
    return {
      query: readOnQuery({ streamId, version }, READ_ON_AT_ONCE + 1),
      read: ({ rows }) => this.#readOn(version, rows as EventRow[]),
    };
  }

  #readOn(version: number, [own, ...rows]: readonly EventRow[]): ReadOn<E> {
    if (own === undefined || Number(own.version) !== version) return { hash: undefined, events: [] };
    return { hash: own.hash.toString('hex'), events: rows.map((row) => recordedEvent<E>(row, this.#upcasters)) };
  }

  /** Hash of the event at a version, lower-case hexadecimal; undefined when the stream has none. */
  async hashAt(streamId: string, version: number): Promise<string | undefined> {
    return readHash(this.#pool, streamId, version);
  }

  /** The stream's newest event; undefined when it has none. Those who ask at the same time share a statement. */
  async head(streamId: string): Promise<StreamHead | undefined> {
    return this.#heads.add(streamId);
  }

  /** By how much a stream's newest event is dated later than now, ms; 0 when it is not: the clock of the database was ahead, and further events bear that date. */
  async datedAheadMs(streamId: string): Promise<number> {
    return readAheadMs(this.#pool, streamId);
  }

  /** The version that a stream had at a moment (ISO 8601); 0 before its first event. */
  async versionAt(streamId: string, moment: string): Promise<number> {
    return readVersionAt(this.#pool, streamId, moment);
  }

  /**
   * Events of all streams in the global order, which is final: an event never appears before one that was read. Within a stream it is the
   * order of versions. An event appears as soon as all write transactions on the server that are older than its own have ended.
   *
   * @param page.afterPosition global position of the event to go on after; 0 (or left out) for the beginning
   * @param page.limit 1,000 when left out
   * @throws {UnknownPosition} when no event has that position
   */
  async readAll(page: { readonly afterPosition?: number; readonly limit?: number } = {}): Promise<readonly RecordedEvent<E>[]> {
    const cursor = await findCursor(this.#pool, page.afterPosition ?? 0);
    const rows = await readAllRows(this.#pool, cursor, page.limit ?? PAGE);
    return rows.map((row) => recordedEvent<E>(row, this.#upcasters));
  }

  /** The global position of the last event that {@link readAll} would give now; 0 when there is none. */
  async lastPosition(): Promise<number> {
    return lastPosition(this.#pool);
  }

  /** Hash of the event at a global position, lower-case hexadecimal; undefined when there is none. */
  async hashAtPosition(globalPosition: number): Promise<string | undefined> {
    return hashAtPosition(this.#pool, globalPosition);
  }

  /** The events that a filter lets through, a page at a time. @throws {UnknownPosition} */
  async query(query: EventQuery): Promise<readonly RecordedEvent<E>[]> {
    const rows = await queryRows(this.#pool, query);
    return rows.map((row) => recordedEvent<E>(row, this.#upcasters));
  }

  /** The events of several streams that a filter lets through, in the order of their times, as far as whoever reads goes on: see {@link AcrossQuery}. */
  async *queryAcross(query: AcrossQuery): AsyncGenerator<RecordedEvent<E>, void, void> {
    for await (const row of rowsAcross(this.#pool, query)) yield recordedEvent<E>(row, this.#upcasters);
  }

  /**
   * Gives the events after a place, and then each new one, to a handler: in order, one at a time, none left out, none twice. Lost connections
   * are waited out. When the handler throws, the subscription ends and its `done` rejects with what was thrown.
   *
   * A subscription to one stream follows its versions; one to all streams follows the order of {@link readAll}.
   */
  subscribe(start: SubscriptionStart, handler: (event: RecordedEvent<E>) => void | Promise<void>): Subscription {
    const source =
      start.streamId === undefined
        ? allStreams(this.#pool, start.afterPosition ?? 0)
        : oneStream(this.#pool, start.streamId, start.afterVersion ?? 0);
    return subscribe(this.#feed, source, (row) => handler(recordedEvent<E>(row, this.#upcasters)));
  }

  /**
   * Calls a function when a stream that is not the server's own has reached a new version, whichever process appended. Several appends may be reported as one (the highest
   * version). Appends before the promise resolves may go unreported. The function must not throw.
   *
   * @returns when listening has begun, a function that ends it; while PostgreSQL can't be reached the promise stays pending
   */
  async onAppend(listener: (streamId: string, version: number) => void): Promise<() => void> {
    return new Promise((resolve) => {
      const forget = this.#feed.listen({
        appended: (streamId, version) => {
          if (!isOfServer(streamId)) listener(streamId, version);
        },
        // With a live feed this is called before `listen` has returned.
        listening: () => {
          queueMicrotask(() => {
            resolve(forget);
          });
        },
      });
    });
  }

  /** Saves a fold of a stream, and records in a stream of its own what was saved. Replaces one of the same schema and version. @returns the length of its text */
  async saveSnapshot(streamId: string, schema: string, snapshot: Snapshot): Promise<number> {
    return saveSnapshot(this.#pool, streamId, schema, snapshot);
  }

  /** The newest snapshot of a schema that is as it was recorded, at most of this version (any when left out). */
  async loadSnapshot(streamId: string, schema: string, atMostVersion = Number.MAX_SAFE_INTEGER): Promise<StoredSnapshot | undefined> {
    return loadSnapshot(this.#pool, streamId, schema, atMostVersion, this.#onSnapshotRefused);
  }

  /** Version of the newest snapshot of a schema, at most of this version; 0 when there is none. It is not looked at: it may not be as it was recorded. */
  async newestSnapshot(streamId: string, schema: string, atMostVersion = Number.MAX_SAFE_INTEGER): Promise<number> {
    return newestSnapshot(this.#pool, streamId, schema, atMostVersion);
  }

  /** Deletes a stream's snapshots of all schemas below a version (all when left out). @returns how many */
  async deleteSnapshots(streamId: string, belowVersion = Number.MAX_SAFE_INTEGER): Promise<number> {
    return deleteSnapshots(this.#pool, streamId, belowVersion);
  }

  /** Deletes a stream's snapshots below a version, but for the oldest one of the schema in each section of so many versions. @returns how many */
  async thinSnapshots(streamId: string, schema: string, belowVersion: number, every: number): Promise<number> {
    return thinSnapshots(this.#pool, streamId, schema, belowVersion, every);
  }

  /** Recomputes the hash chain of one stream, or of all, and compares their snapshots with what was recorded; says where the first fault is. */
  async verifyChain(scope: { readonly streamId?: string; readonly knownHeads?: readonly KnownHead[] } = {}): Promise<ChainVerdict> {
    const verdict = await verifyChain(this.#pool, scope);
    if (!verdict.intact) return verdict;
    if (scope.streamId !== undefined) {
      const records = await verifyChain(this.#pool, { streamId: recordsOf(scope.streamId) });
      if (!records.intact) return records;
    }
    const [refused] = await verifySnapshots(this.#pool, scope.streamId);
    if (refused === undefined) return verdict;
    return { intact: false, events: verdict.events, streamId: refused.streamId, version: refused.version, fault: 'snapshot-differs' };
  }

  /** Closes the connection for LISTEN and waits for notifications on their way. Close subscriptions first; the pool stays open. */
  async close(): Promise<void> {
    await this.#announcer.settled();
    this.#leaveReports();
    await this.#terms.close();
    await this.#feed.close();
  }

  #batch(streamId: string, expectedVersion: ExpectedVersion, parts: readonly EventsOfOne<E>[]): AppendBatch {
    if (parts.every(({ events }) => events.length === 0)) throw new InvalidEvent('', 'an append needs at least one event');
    if (streamId.length > 255) throw new InvalidEvent('/streamId', 'must not be longer than 255 characters');
    if (/\p{Cc}/u.test(streamId)) throw new InvalidEvent('/streamId', 'must not have control characters');
    const drafts = parts.flatMap(({ events, meta }) =>
      events.map(({ type, data, schemaVersion = this.#upcasters.currentVersion(type), subjects = [] }) =>
        canonicalDraft(streamId, { type, data, schemaVersion, subjects }, meta),
      ),
    );
    return { expectedVersion: expectedVersionNumber(expectedVersion), drafts };
  }
}

function expectedVersionNumber(expected: ExpectedVersion): number | null {
  if (expected === 'any') return null;
  return expected === 'no-stream' ? 0 : expected;
}
