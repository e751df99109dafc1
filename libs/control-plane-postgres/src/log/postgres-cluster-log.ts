import type { ClusterEvent, ClusterState } from '@systole/cluster';
import {
  LogWentBack,
  OutcomeUnknown,
  type Append,
  type Appended,
  type AppendOutcome,
  type ClusterHead,
  type ClusterLog,
  type StateAtHead,
  type TransactionTables,
} from '@systole/control-plane';
import {
  inTransaction,
  StoreUnavailable,
  TransactionMustRestart,
  VersionConflict,
  type EventStore,
  type NewEvent,
} from '@systole/event-store';
import {
  applyToProjections,
  ClusterCatalog,
  ClusterNameTaken,
  FoldContradicted,
  isProjected,
  recordedClusterEvent,
  type ClusterStates,
} from '@systole/read-models';
import type { Pool, PoolClient } from 'pg';
import { eventSubjects } from './event-subjects.js';
import type { LogWrites } from './log-writes.js';
import { lockStream } from './stream-hold.js';

export interface PostgresClusterLogParts {
  readonly pool: Pool;
  readonly store: EventStore<ClusterEvent>;
  readonly states: ClusterStates;
  /** Hears what could not be stored. */
  readonly writes: LogWrites;
  /** The tables within a transaction. */
  readonly tablesIn: (client: PoolClient) => TransactionTables;
}

/** Events, projections and tables in one database. */
export class PostgresClusterLog implements ClusterLog {
  private readonly catalog: ClusterCatalog;

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
      throw error instanceof FoldContradicted ? new LogWentBack(clusterId, error.witness) : error;
    }
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
    const { clusterId, guard, within, events } = append;
    const plain = guard === undefined && within === undefined && !events.some(isProjected);
    const what = `${plain ? 'events' : 'events with their tables'} of ${clusterId}`;
    try {
      const outcome = await (plain ? this.appendAlone(append) : this.appendInTransaction(append));
      if (outcome.type === 'appended') this.parts.writes.stored(what);
      return outcome;
    } catch (error) {
      this.parts.writes.failed(what, error);
      if (error instanceof ClusterNameTaken) return { type: 'name-taken', name: error.clusterName };
      if (error instanceof VersionConflict || error instanceof TransactionMustRestart) return { type: 'conflict' };
      if (error instanceof StoreUnavailable && error.outcome === 'unknown') throw new OutcomeUnknown(clusterId, { cause: error });
      throw error;
    }
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

  private async appendAlone({ clusterId, expectedVersion, events, meta }: Append): Promise<AppendOutcome> {
    const result = await this.parts.store.append(clusterId, expectedVersion, events.map(newEvent), meta);
    return { type: 'appended', appended: { events, ...placeOf(result) } };
  }

  private async appendInTransaction({ clusterId, expectedVersion, events, meta, guard, within }: Append): Promise<AppendOutcome> {
    return inTransaction(this.parts.pool, async (client) => {
      const tables = this.parts.tablesIn(client);
      if (guard !== undefined) {
        await lockStream(client, clusterId);
        if (!(await guard(tables))) return { type: 'guarded' };
      }
      const result = await this.parts.store.appendIn(client, clusterId, expectedVersion, events.map(newEvent), meta);
      const appended: Appended = { events, ...placeOf(result) };
      for (const [index, event] of events.entries()) {
        if (isProjected(event)) await applyToProjections(client, clusterId, event, appended.firstVersion + index, appended.occurredAt);
      }
      await within?.(tables, appended);
      return { type: 'appended', appended };
    });
  }
}

function newEvent(event: ClusterEvent): NewEvent<ClusterEvent> {
  return { ...event, subjects: eventSubjects(event) };
}

function placeOf({ firstVersion, lastVersion, occurredAt }: Omit<Appended, 'events'>): Omit<Appended, 'events'> {
  return { firstVersion, lastVersion, occurredAt };
}
