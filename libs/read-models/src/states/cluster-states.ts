import {
  CLUSTER_STATE_SCHEMA,
  evolve,
  initialState,
  type ClusterEvent,
  type ClusterState,
  type RecordedClusterEvent,
} from '@systole/cluster';
import type { EventStore, RecordedEvent } from '@systole/event-store';

/** Name under which states are saved as snapshots. */
export const STATE_SNAPSHOT_SCHEMA = `cluster-state/${String(CLUSTER_STATE_SCHEMA)}`;

export interface ClusterStatesOptions {
  /** Clusters kept in memory; the least recently used leave. Default 256. */
  readonly cached?: number;
  /** A snapshot is saved whenever so many events were folded since the last. Default 500. */
  readonly snapshotEvery?: number;
  /** Hears of snapshots that could not be saved; they are only an economy. */
  readonly onSnapshotError?: (error: unknown) => void;
}

interface Entry {
  state: ClusterState;
  /** Version of the newest snapshot that is known. */
  snapshotVersion: number;
  /** The load that reads at the moment, and the one that will read after it; callers who come meanwhile share the latter. */
  reading: Promise<void> | undefined;
  next: Promise<void> | undefined;
}

/**
 * The states of clusters, each the fold of its stream up to the head. Kept in memory and carried forward event by event; a cold start begins
 * at the newest snapshot. Everything here can be thrown away at any moment.
 */
export class ClusterStates {
  readonly #entries = new Map<string, Entry>();
  readonly #cached: number;
  readonly #snapshotEvery: number;

  constructor(
    private readonly store: EventStore<ClusterEvent>,
    private readonly options: ClusterStatesOptions = {},
  ) {
    this.#cached = options.cached ?? 256;
    this.#snapshotEvery = options.snapshotEvery ?? 500;
  }

  /**
   * The state that contains at least every event committed before the call. A cluster that never was has `existence` `none`.
   *
   * @throws {StoreUnavailable | SchemaMissing | UnknownSchemaVersion} from the store
   */
  async load(clusterId: string): Promise<ClusterState> {
    const entry = this.#entry(clusterId);
    await this.#catchUp(clusterId, entry);
    if (entry.state.version === 0) this.#entries.delete(clusterId);
    return entry.state;
  }

  /** The state as it was at an earlier version (at the head, when that is lower). Not cached. */
  async loadAt(clusterId: string, version: number): Promise<ClusterState> {
    const cached = this.#entries.get(clusterId)?.state;
    if (cached?.version === version) return cached;
    let state = (await this.#snapshot(clusterId, version)) ?? initialState();
    for await (const event of this.store.streamEvents(clusterId, { fromVersion: state.version + 1, toVersion: version })) {
      state = evolve(state, recordedClusterEvent(event));
    }
    return state;
  }

  /** Forgets what is in memory, of one cluster or of all. */
  forget(clusterId?: string): void {
    if (clusterId === undefined) this.#entries.clear();
    else this.#entries.delete(clusterId);
  }

  /** Deletes the snapshots and the memory of a cluster, folds its stream from the first event, and saves a new snapshot. */
  async rebuild(clusterId: string): Promise<ClusterState> {
    await this.store.deleteSnapshots(clusterId);
    this.forget(clusterId);
    const state = await this.load(clusterId);
    if (state.version > 0) await this.store.saveSnapshot(clusterId, STATE_SNAPSHOT_SCHEMA, { version: state.version, data: state });
    return state;
  }

  #entry(clusterId: string): Entry {
    const known = this.#entries.get(clusterId);
    const entry = known ?? { state: initialState(), snapshotVersion: 0, reading: undefined, next: undefined };
    this.#entries.delete(clusterId);
    this.#entries.set(clusterId, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#cached) break;
      this.#entries.delete(oldest);
    }
    return entry;
  }

  /** A read that began before the call may miss what was committed before it, so callers wait for one that begins after. */
  #catchUp(clusterId: string, entry: Entry): Promise<void> {
    if (entry.next !== undefined) return entry.next;
    const read = async (): Promise<void> => {
      const mine = this.#readOn(clusterId, entry).finally(() => {
        if (entry.reading === mine) entry.reading = undefined;
      });
      entry.reading = mine;
      await mine;
    };
    if (entry.reading === undefined) return read();
    entry.next = entry.reading
      .catch(() => undefined)
      .then(() => {
        entry.next = undefined;
        return read();
      });
    return entry.next;
  }

  async #readOn(clusterId: string, entry: Entry): Promise<void> {
    if (entry.state.version === 0) {
      const snapshot = await this.#snapshot(clusterId);
      if (snapshot !== undefined) {
        entry.state = snapshot;
        entry.snapshotVersion = snapshot.version;
      }
    }
    for await (const event of this.store.streamEvents(clusterId, { fromVersion: entry.state.version + 1 })) {
      entry.state = evolve(entry.state, recordedClusterEvent(event));
    }
    if (entry.state.version - entry.snapshotVersion >= this.#snapshotEvery) {
      entry.snapshotVersion = entry.state.version;
      this.#save(clusterId, entry.state);
    }
  }

  #save(clusterId: string, state: ClusterState): void {
    this.store.saveSnapshot(clusterId, STATE_SNAPSHOT_SCHEMA, { version: state.version, data: state }).then(
      () => this.store.deleteSnapshots(clusterId, state.version - 10 * this.#snapshotEvery).catch(() => 0),
      (error: unknown) => this.options.onSnapshotError?.(error),
    );
  }

  async #snapshot(clusterId: string, atMostVersion?: number): Promise<ClusterState | undefined> {
    const snapshot = await this.store.loadSnapshot(clusterId, STATE_SNAPSHOT_SCHEMA, atMostVersion);
    if (snapshot === undefined || !isStateAt(snapshot.data, snapshot.version)) return undefined;
    return snapshot.data;
  }
}

/** The schema's name warrants the shape; this only keeps out what is plainly something else. */
function isStateAt(data: unknown, version: number): data is ClusterState {
  return typeof data === 'object' && data !== null && 'version' in data && data.version === version && 'cib' in data && 'nodes' in data;
}

/** The event as `evolve` takes it. */
export function recordedClusterEvent(recorded: RecordedEvent<ClusterEvent>): RecordedClusterEvent {
  const { version, occurredAt, actor, type, data } = recorded;
  return { version, occurredAt, actor, event: { type, data } as ClusterEvent };
}
