import { UnknownEventType, type ClusterEvent, type ClusterState } from '@systole/cluster';
import { appendAudit, type AuditEvent } from '@systole/access';
import {
  HeldTooLong,
  LogTooNew,
  LogWentBack,
  OutcomeUnknown,
  placesOf,
  tellAnswers,
  workTogether,
  type Answers,
  type Append,
  type Appended,
  type AppendOutcome,
  type AppendPart,
  type ClusterHead,
  type ClusterLog,
  type Delivery,
  type DueDeliveries,
  type HeldOutcome,
  type ServiceLapses,
  type StateAtHead,
  type TransactionTables,
} from '@systole/control-plane';
import {
  inTransaction,
  inTwoTrips,
  StoreUnavailable,
  TransactionMustRestart,
  UnknownSchemaVersion,
  VersionConflict,
  type AppendResult,
  type EventStore,
  type EventsOfOne,
  type NewEvent,
} from '@systole/event-store';
import {
  inSlices,
  applyToProjections,
  ClusterCatalog,
  ClusterNameTaken,
  FoldContradicted,
  isPlainlyProjected,
  isProjected,
  projectionOf,
  recordedClusterEvent,
  type ClusterStates,
} from '@systole/read-models';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { deliveriesOf, deliveryQueries } from '../dispatches/delivery-statements.js';
import { answersQuery, firstAnswers } from '../dispatches/postgres-dispatches.js';
import { eventSubjects, eventSubjectsByAndBy } from './event-subjects.js';
import type { LogWrites } from './log-writes.js';
import { refusalOf } from './statements.js';
import { beginHold, holdStreamQuery, limitIdling, lockStream } from './stream-hold.js';

/** Times that a delivery, or a decision while the stream is held, begins anew. */
const HOLD_ATTEMPTS = 20;
/** By how much longer than its holder means to hold it a stream is held, ms, where that says nothing any more. */
const IDLE_MARGIN_MS = 1_000;

/** Within that time servers of two releases are expected side by side, ms. */
const UPGRADE_MS = 15 * 60_000;

export interface PostgresClusterLogParts {
  readonly pool: Pool;
  /** For appends, which wait for streams: a pool of their own keeps them from holding up anything else. */
  readonly appends: Pool;
  /** For deliveries, which wait for streams, too. */
  readonly deliveries: Pool;
  readonly store: EventStore<ClusterEvent>;
  readonly states: ClusterStates;
  /** Hears that agents can't be served. */
  readonly lapses: Pick<ServiceLapses, 'note'>;
  /** Hears what could not be stored. */
  readonly writes: LogWrites;
  /** The tables within a transaction. */
  readonly tablesIn: (client: PoolClient) => TransactionTables;
}

/** Events, projections and tables in one database. */
export class PostgresClusterLog implements ClusterLog {
  private readonly catalog: ClusterCatalog;
  /** When the log of a cluster was first found to be too new, monotonic ms. */
  private tooNewSince: number | undefined;

  constructor(private readonly parts: PostgresClusterLogParts) {
    this.catalog = new ClusterCatalog(parts.pool);
  }

  async load(clusterId: string): Promise<ClusterState> {
    return (await this.loadHead(clusterId)).state;
  }

  async loadHead(clusterId: string): Promise<StateAtHead> {
    try {
      return await this.parts.states.loadHead(clusterId);
    } catch (error) {
      if (error instanceof FoldContradicted) throw new LogWentBack(clusterId, error.witness);
      if (!(error instanceof UnknownEventType || error instanceof UnknownSchemaVersion)) throw error;
      this.noteTooNew();
      throw new LogTooNew(clusterId, { cause: error });
    }
  }

  /**
   * Agents of that cluster can't be served here: for as long as an upgrade takes, whoever judges their leases must not take this api for one that serves them. Not for ever: after a rollback that would keep
   * the nodes of all other clusters from being judged, too.
   */
  private noteTooNew(): void {
    const now = performance.now();
    this.tooNewSince ??= now;
    if (now - this.tooNewSince < UPGRADE_MS) this.parts.lapses.note();
  }

  async loadRecent(clusterId: string, withinMs: number): Promise<StateAtHead> {
    return this.parts.states.recent(clusterId, withinMs) ?? this.loadHead(clusterId);
  }

  hashAt(clusterId: string, version: number): Promise<string | undefined> {
    return this.parts.states.hashAt(clusterId, version);
  }

  loadAt(clusterId: string, version: number): Promise<ClusterState> {
    return this.parts.states.loadAt(clusterId, version);
  }

  heads(): Promise<readonly ClusterHead[]> {
    return this.catalog.heads();
  }

  async append(append: Append): Promise<AppendOutcome> {
    const { clusterId, guard, parts } = append;
    const isRead = guard !== undefined || parts.some(({ within, events }) => within !== undefined || !events.every(isPlainlyProjected));
    const hasTables = parts.some(
      ({ answers, events }) => (answers !== undefined && answers.actionIds.length > 0) || events.some(isProjected),
    );
    const what = `${isRead || hasTables ? 'events with their tables' : 'events'} of ${clusterId}`;
    return this.hearAppend(clusterId, what, () =>
      isRead ? this.appendInTransaction(append) : hasTables ? this.appendWithTables(append) : this.appendAlone(append),
    );
  }

  async appendHolding(
    clusterId: string,
    withinMs: number,
    decide: (state: ClusterState) => Promise<Append | undefined>,
  ): Promise<HeldOutcome> {
    for (let attempt = 1; attempt <= HOLD_ATTEMPTS; attempt++) {
      const outcome = await this.hearAppend(clusterId, `events decided on held ${clusterId}`, () =>
        this.appendAtHead(clusterId, withinMs, decide),
      );
      if (outcome !== undefined) return outcome;
      // What can't be folded while the stream is held is folded now.
      const { state } = await this.loadHead(clusterId);
      if (state.version > 0) continue;
      const append = await decide(state);
      return append === undefined ? { type: 'nothing' } : this.append(append);
    }
    throw new Error(`cluster ${clusterId} grows faster than it can be read: nothing was decided`);
  }

  async deliver(clusterId: string, decide: (at: StateAtHead) => DueDeliveries | undefined): Promise<readonly Delivery[]> {
    for (let attempt = 1; attempt <= HOLD_ATTEMPTS; attempt++) {
      const deliveries = await this.deliverAtHead(clusterId, decide);
      if (deliveries !== undefined) return deliveries;
      // What can't be folded while the stream is held is folded now.
      const at = await this.loadHead(clusterId);
      if (at.state.existence !== 'none') continue;
      decide(at);
      return [];
    }
    throw new Error(`cluster ${clusterId} grows faster than it can be read: nothing was delivered`);
  }

  async appendedBy(clusterId: string, causationId: string, firstVersion: number): Promise<Appended | undefined> {
    const events: ClusterEvent[] = [];
    let occurredAt = '';
    for await (const recorded of this.parts.store.streamEvents(clusterId, { fromVersion: firstVersion })) {
      if (recorded.causationId !== causationId) break;
      const { event } = recordedClusterEvent(recorded);
      events.push(event);
      occurredAt = recorded.occurredAt;
    }
    return events.length === 0 ? undefined : { events, firstVersion, lastVersion: firstVersion + events.length - 1, occurredAt };
  }

  async causedBy(clusterId: string, causationId: string, fromVersion: number): Promise<Appended | undefined> {
    const firstVersion = await this.parts.store.versionCausedBy(clusterId, causationId, fromVersion);
    return firstVersion === undefined ? undefined : this.appendedBy(clusterId, causationId, firstVersion);
  }

  private async hearAppend<T extends HeldOutcome | undefined>(
    clusterId: string,
    what: string,
    appending: () => Promise<T>,
  ): Promise<T | AppendOutcome> {
    try {
      const outcome = await appending();
      if (outcome?.type === 'appended') this.parts.writes.stored(what);
      return outcome;
    } catch (error) {
      this.parts.writes.failed(what, error);
      if (error instanceof ClusterNameTaken) return { type: 'name-taken', name: error.clusterName };
      if (error instanceof VersionConflict || error instanceof TransactionMustRestart) return { type: 'conflict' };
      if (error instanceof StoreUnavailable && error.outcome === 'unknown') throw new OutcomeUnknown(clusterId, { cause: error });
      throw refusalOf(error);
    }
  }

  /** @returns undefined when the state has to be loaded first */
  private async appendAtHead(
    clusterId: string,
    withinMs: number,
    decide: (state: ClusterState) => Promise<Append | undefined>,
  ): Promise<HeldOutcome | undefined> {
    const { states, appends: pool } = this.parts;
    const held = states.holding(clusterId);
    if (held === undefined) return undefined;
    let storing: Append | undefined;
    let stored: AppendResult | undefined;
    const deciding = async (client: PoolClient): Promise<HeldOutcome | undefined> => {
      if (!(await beginHold(client, clusterId, withinMs + IDLE_MARGIN_MS))) return { type: 'busy' };
      const heldAt = performance.now();
      const at = held.catchUp(await client.query(held.query));
      if (at === undefined) return undefined;
      const append = await settledWithin(decide(at.state), withinMs, () => new HeldTooLong(clusterId, withinMs));
      if (append === undefined) return { type: 'nothing' };
      await limitIdling(client, heldAt + withinMs + IDLE_MARGIN_MS - performance.now());
      storing = append;
      return this.appendWithin(client, append, (result) => {
        stored = result;
      });
    };
    const outcome = await inTransaction(pool, deciding).catch((error: unknown): HeldOutcome => {
      if (storing !== undefined || !(error instanceof StoreUnavailable && error.outcome === 'unknown')) throw error;
      // Only the end of a transaction that stored nothing was not answered.
      return { type: 'conflict' };
    });
    return outcome?.type === 'appended' ? this.announced(storing, outcome.appended, stored) : outcome;
  }

  /** @returns undefined when the state has to be loaded first, or the database ended the transaction for the sake of another one */
  private async deliverAtHead(
    clusterId: string,
    decide: (at: StateAtHead) => DueDeliveries | undefined,
  ): Promise<readonly Delivery[] | undefined> {
    const { states, deliveries: pool, writes } = this.parts;
    const held = states.holding(clusterId);
    if (held === undefined) return undefined;
    let at: StateAtHead | undefined;
    let due: DueDeliveries | undefined;
    const deciding = ([, read]: readonly QueryResult[]): readonly QueryConfig[] | undefined => {
      at = read === undefined ? undefined : held.catchUp(read);
      due = at === undefined ? undefined : decide(at);
      return due === undefined ? undefined : deliveryQueries(clusterId, due);
    };
    try {
      const delivering = (): Promise<readonly QueryResult[]> => inTwoTrips(pool, [holdStreamQuery(clusterId), held.query], deciding);
      const results = await writes.hear(`what is delivered of ${clusterId}`, delivering);
      if (at === undefined) return undefined;
      return due === undefined ? [] : deliveriesOf(due, results);
    } catch (error) {
      if (error instanceof TransactionMustRestart) return undefined;
      throw error;
    }
  }

  private async appendAlone(append: Append): Promise<AppendOutcome> {
    const { clusterId, expectedVersion, parts } = append;
    tellAnswers(parts, () => NONE);
    const stored = await this.parts.store.appendParts(clusterId, expectedVersion, await inSlices(newEventsByAndBy(parts)));
    this.noteStored(append, stored);
    return { type: 'appended', appended: placesOf(parts, expectedVersion, stored.occurredAt) };
  }

  /** What is to be said before the commit rests on the statements alone, which go together; what the events mean for the projections goes with the commit. */
  private async appendWithTables(append: Append): Promise<AppendOutcome> {
    const { clusterId, expectedVersion, parts } = append;
    const { appends: pool, store } = this.parts;
    const { query, read } = store.appending(clusterId, expectedVersion, parts.map(newEvents));
    const answers = answersOf(parts);
    const asked = answers.length === 0 ? [] : [answersQuery(clusterId, answers)];
    let appended: readonly Appended[] = [];
    let stored: AppendResult | undefined;
    await inTwoTrips(pool, [query, ...asked], ([events, answered = { rows: [] }]) => {
      if (events === undefined) throw new Error('a statement was not answered');
      stored = read(events);
      const { occurredAt } = stored;
      appended = placesOf(parts, expectedVersion, occurredAt);
      tellAnswers(parts, firstAnswers(answered));
      return appended.flatMap((part) =>
        part.events.flatMap((event, index) => projectionOf(clusterId, event, part.firstVersion + index, occurredAt) ?? []),
      );
    });
    return this.announced(append, appended, stored);
  }

  private async appendInTransaction(append: Append): Promise<AppendOutcome> {
    let stored: AppendResult | undefined;
    const appending = (client: PoolClient): Promise<AppendOutcome> =>
      this.appendWithin(client, append, (result) => {
        stored = result;
      });
    const outcome = await inTransaction(this.parts.appends, appending);
    return outcome.type === 'appended' ? this.announced(append, outcome.appended, stored) : outcome;
  }

  /** @param onStored hears of what is stored when the transaction commits */
  private async appendWithin(
    client: PoolClient,
    { clusterId, expectedVersion, parts, guard }: Append,
    onStored: (result: AppendResult) => void,
  ): Promise<AppendOutcome> {
    const { store, tablesIn } = this.parts;
    const tables = tablesIn(client);
    if (guard !== undefined) {
      await lockStream(client, clusterId);
      if (!(await guard(tables))) return { type: 'guarded' };
    }
    const stored = await store.appendPartsIn(client, clusterId, expectedVersion, parts.map(newEvents));
    onStored(stored);
    const { occurredAt } = stored;
    const appended = placesOf(parts, expectedVersion, occurredAt);
    for (const { events, firstVersion } of appended) {
      for (const [index, event] of events.entries()) {
        if (isProjected(event)) await applyToProjections(client, clusterId, event, firstVersion + index, occurredAt);
      }
    }
    const answers = answersOf(parts);
    const answered = answers.length === 0 ? { rows: [] } : await client.query(answersQuery(clusterId, answers));
    tellAnswers(parts, firstAnswers(answered));
    await workTogether(parts, tables, appended);
    await this.auditWithin(client, clusterId, parts, expectedVersion);
    return { type: 'appended', appended };
  }

  /** That there is a cluster, or no longer is, stands in the server's own stream, too: whoever takes its events away has to change both. */
  private async auditWithin(client: PoolClient, clusterId: string, parts: readonly AppendPart[], expectedVersion: number): Promise<void> {
    let version = expectedVersion;
    for (const { events, meta } of parts) {
      for (const event of events) {
        version++;
        const entry = auditOf(clusterId, event);
        if (entry === undefined) continue;
        await appendAudit(this.parts.pool, client, entry, { ...meta, causationId: `${clusterId}@${String(version)}` });
      }
    }
  }

  /** Announces after the commit: transactions with a NOTIFY commit one after the other in the whole server. */
  private announced(append: Append | undefined, appended: readonly Appended[], stored: AppendResult | undefined): AppendOutcome {
    if (append !== undefined && stored !== undefined) {
      this.noteStored(append, stored);
      this.parts.store.announce(stored);
    }
    return { type: 'appended', appended };
  }

  /** From the commit on, before anybody is told of it: whoever is told must not be told of what nobody here would miss. */
  private noteStored({ clusterId, expectedVersion, parts }: Append, stored: AppendResult): void {
    const begun = parts.flatMap(({ events }) => events.flatMap((event) => (event.type === 'EpochBegan' ? [event.data.epoch] : [])));
    this.parts.states.noteStored(clusterId, expectedVersion, stored, begun.at(-1));
  }
}

function auditOf(clusterId: string, event: ClusterEvent): AuditEvent | undefined {
  if (event.type === 'ClusterCreated') return { type: 'ClusterAdded', data: { clusterId, name: event.data.name } };
  return event.type === 'ClusterDeleted' ? { type: 'ClusterRemoved', data: { clusterId } } : undefined;
}

const NONE: ReadonlySet<string> = new Set();

function answersOf(parts: readonly AppendPart[]): readonly Answers[] {
  return parts.flatMap(({ answers }) => (answers === undefined || answers.actionIds.length === 0 ? [] : [answers]));
}

function newEvents({ events, meta }: AppendPart): EventsOfOne<ClusterEvent> {
  return { events: events.map((event): NewEvent<ClusterEvent> => ({ ...event, subjects: eventSubjects(event) })), meta };
}

/** Nothing is held meanwhile: what an event concerns may take longer to say than everybody else can wait. */
function* newEventsByAndBy(parts: readonly AppendPart[]): Generator<undefined, readonly EventsOfOne<ClusterEvent>[], undefined> {
  const all: EventsOfOne<ClusterEvent>[] = [];
  for (const { events, meta } of parts) {
    const drafts: NewEvent<ClusterEvent>[] = [];
    for (const event of events) drafts.push({ ...event, subjects: yield* eventSubjectsByAndBy(event) });
    all.push({ events: drafts, meta });
  }
  return all;
}

/** @throws what the result rejects with; what `late` makes when it has not settled in so many ms */
async function settledWithin<T>(result: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(late());
    }, ms);
  });
  try {
    return await Promise.race([result, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
