import {
  CLUSTER_STATE_SCHEMA,
  epochOf,
  evolve,
  initialState,
  judgeWitness,
  type ClusterEvent,
  type ClusterState,
  type LogHead,
  type RecordedClusterEvent,
} from '@systole/cluster';
import { canonicalJson, type EventStore, type RecordedEvent } from '@systole/event-store';

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

/** The log does not hold any more what a state was folded from: it went back in time, or was rewritten. A new epoch of it has to begin. */
export class FoldContradicted extends Error {
  override readonly name = 'FoldContradicted';

  constructor(
    readonly clusterId: string,
    /** What this process had read. */
    readonly witness: LogHead,
  ) {
    super(`the event log of cluster ${clusterId} does not hold version ${witness.version} as it was read before: it went back in time`);
  }
}

/** A state, and the event that it ends with. */
export interface StateAtHead {
  readonly state: ClusterState;
  readonly head: LogHead;
}

interface Entry {
  state: ClusterState;
  /** Of the event at the state's version; undefined at version 0. */
  hash: string | undefined;
  /** What was read before this entry was forgotten, and is still to be compared with the log. */
  remembered: LogHead | undefined;
  /** What was read once and is not in the log; stands until the log says that a new epoch began. */
  contradicted: LogHead | undefined;
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
  /** What was read last of clusters that had to leave: this process stays a witness of their logs. */
  readonly #remembered = new Map<string, LogHead>();
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
   * @throws {FoldContradicted} again and again until a new epoch began in the log
   * @throws {StoreUnavailable | SchemaMissing | UnknownSchemaVersion} from the store
   */
  async load(clusterId: string): Promise<ClusterState> {
    return (await this.loadHead(clusterId)).state;
  }

  /** The same, with the place in the log: what may be told to others as stored for good. Version 0 has no hash. */
  async loadHead(clusterId: string): Promise<StateAtHead> {
    const entry = this.#entry(clusterId);
    await this.#catchUp(clusterId, entry);
    const { state, hash, contradicted } = entry;
    if (contradicted !== undefined && state.existence === 'active') {
      const stored = await this.hashAt(clusterId, contradicted.version);
      if (judgeWitness(state, clusterId, contradicted, stored) === 'contradicted') throw new FoldContradicted(clusterId, contradicted);
      entry.contradicted = undefined;
    }
    if (state.version === 0) this.#entries.delete(clusterId);
    return { state, head: { epoch: epochOf(state, clusterId), version: state.version, hash: hash ?? '' } };
  }

  /** Hash of the event that the log has at a version; undefined when it has none. */
  async hashAt(clusterId: string, version: number): Promise<string | undefined> {
    return this.store.hashAt(clusterId, version);
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

  /** Forgets what is in memory, what was read of the log included, of one cluster or of all. */
  forget(clusterId?: string): void {
    if (clusterId === undefined) {
      this.#entries.clear();
      this.#remembered.clear();
    } else {
      this.#entries.delete(clusterId);
      this.#remembered.delete(clusterId);
    }
  }

  /**
   * Deletes the snapshots and the memory of a cluster, folds its stream from the first event, and saves a new snapshot.
   *
   * @returns the version at which the newest snapshot was something else than the fold of the events
   */
  async rebuild(clusterId: string): Promise<{ readonly differentSnapshot?: number }> {
    const saved = await this.#snapshot(clusterId);
    await this.store.deleteSnapshots(clusterId);
    this.forget(clusterId);
    const folded = saved === undefined ? undefined : await this.loadAt(clusterId, saved.version);
    const state = await this.load(clusterId);
    if (state.version > 0) await this.store.saveSnapshot(clusterId, STATE_SNAPSHOT_SCHEMA, { version: state.version, data: state });
    return saved === undefined || canonicalJson(folded) === canonicalJson(saved) ? {} : { differentSnapshot: saved.version };
  }

  #entry(clusterId: string): Entry {
    const known = this.#entries.get(clusterId);
    const remembered = this.#remembered.get(clusterId);
    const entry = known ?? { ...NOTHING_READ, remembered, contradicted: undefined, reading: undefined, next: undefined };
    this.#remembered.delete(clusterId);
    this.#entries.delete(clusterId);
    this.#entries.set(clusterId, entry);
    for (const [oldest, left] of this.#entries) {
      if (this.#entries.size <= this.#cached) break;
      this.#entries.delete(oldest);
      this.#remember(oldest, left);
    }
    return entry;
  }

  #remember(clusterId: string, { state, hash, contradicted, remembered }: Entry): void {
    const read = hash === undefined ? undefined : { epoch: epochOf(state, clusterId), version: state.version, hash };
    const witness = contradicted ?? remembered ?? read;
    if (witness === undefined) return;
    this.#remembered.set(clusterId, witness);
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= REMEMBERED) break;
      this.#remembered.delete(oldest);
    }
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
    const next = entry.state.version > 0 ? await this.#goOn(clusterId, entry) : 'more';
    if (next === 'gone') Object.assign(entry, NOTHING_READ);
    if (next !== 'head') {
      for await (const event of this.store.streamEvents(clusterId, { fromVersion: entry.state.version + 1 })) fold(entry, event);
    }
    const { remembered } = entry;
    if (remembered !== undefined) {
      if ((await this.hashAt(clusterId, remembered.version)) !== remembered.hash) entry.contradicted ??= remembered;
      entry.remembered = undefined;
    }
    if (entry.state.version - entry.snapshotVersion >= this.#snapshotEvery) {
      entry.snapshotVersion = entry.state.version;
      this.#save(clusterId, entry.state);
    }
  }

  /**
   * Folds what follows on the state. This process is a witness of the log: where the state ends, the log has to hold what was read there.
   *
   * @returns `head`: the state is at the head; `more`: it may not be; `gone`: the log does not hold what the state ends with: begin anew
   */
  async #goOn(clusterId: string, entry: Entry): Promise<'head' | 'more' | 'gone'> {
    const { version } = entry.state;
    const { hash, events } = await this.store.readOn(clusterId, version, READ_AT_ONCE);
    if (hash === undefined || (entry.hash !== undefined && hash !== entry.hash)) {
      if (entry.hash !== undefined) entry.contradicted ??= { epoch: epochOf(entry.state, clusterId), version, hash: entry.hash };
      return 'gone';
    }
    entry.hash = hash;
    for (const event of events) fold(entry, event);
    return events.length < READ_AT_ONCE ? 'head' : 'more';
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

/** Events that are read together with the look whether the log still holds the last one. */
const READ_AT_ONCE = 1_000;

/** Clusters of which it is remembered what was read last; some 200 bytes each. */
const REMEMBERED = 100_000;

const NOTHING_READ = { state: initialState(), hash: undefined, snapshotVersion: 0 } as const;

function fold(entry: Entry, event: RecordedEvent<ClusterEvent>): void {
  entry.state = evolve(entry.state, recordedClusterEvent(event));
  entry.hash = event.hash;
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
