import {
  epochOf,
  evolve,
  evolveAhead,
  initialState,
  isLongToFold,
  judgeWitness,
  type ClusterEvent,
  type ClusterState,
  type LogHead,
  type RecordedClusterEvent,
} from '@systole/cluster';
import {
  canonicalJson,
  GENESIS_HASH,
  jsonWeight,
  READ_ON_AT_ONCE,
  type AppendResult,
  type EventStore,
  type ReadingOn,
  type RecordedEvent,
} from '@systole/event-store';
import { inSlices } from '../slices.js';
import { RecentHashes } from './recent-hashes.js';
import { StateSnapshots, type Snapshotted, type StateSnapshotsOptions } from './state-snapshots.js';
import { StatesInMemory } from './states-in-memory.js';

export interface ClusterStatesOptions extends StateSnapshotsOptions {
  /** Memory for states, bytes, as far as that can be estimated; the least recently used leave. Default 384 MiB. */
  readonly cachedBytes?: number;
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

/** A state that is caught up by a statement of the caller's, in a transaction in which the stream does not grow. */
export interface HeldReading {
  readonly query: ReadingOn['query'];
  /**
   * The state at the head, of what the query found.
   * @returns undefined when it can't be had so: there is too much to read, or the log does not hold what was read before. {@link ClusterStates.loadHead} finds out
   */
  readonly catchUp: (result: Parameters<ReadingOn['read']>[0]) => StateAtHead | undefined;
}

/** What an append came to. */
type Stored = Pick<AppendResult, 'lastVersion' | 'hashAfter'>;

interface Entry extends Snapshotted {
  state: ClusterState;
  /** Of the event at the state's version; undefined at version 0. */
  hash: string | undefined;
  /** By version, of what was folded last: at most {@link RECENT}. */
  recent: RecentHashes;
  /** By when everything that is in the log is in the state, as far as is known; monotonic ms. */
  readAt: number | undefined;
  /** What was read before this entry was forgotten, and is still to be compared with the log. */
  remembered: LogHead | undefined;
  /** What this process stored last, and has not read back yet. */
  stored: LogHead | undefined;
  /** What was read or stored once and is not in the log; stands until the log says that a new epoch began. */
  contradicted: LogHead | undefined;
  /** The load that reads at the moment, and the one that will read after it; callers who come meanwhile share the latter. */
  reading: Promise<void> | undefined;
  /** What the load at the moment reads is not asked for yet: callers who come by then share it. */
  isYetToRead: boolean;
  next: Promise<void> | undefined;
}

/**
 * The states of clusters, each the fold of its stream up to the head. Kept in memory and carried forward event by event; a cold start begins
 * at the newest snapshot. Everything here can be thrown away at any moment.
 */
export class ClusterStates {
  readonly #entries: StatesInMemory<Entry>;
  /** What was read last of clusters that had to leave: this process stays a witness of their logs. */
  readonly #remembered = new Map<string, LogHead>();
  readonly #snapshots: StateSnapshots;

  constructor(
    private readonly store: EventStore<ClusterEvent>,
    options: ClusterStatesOptions = {},
  ) {
    this.#entries = new StatesInMemory(options.cachedBytes ?? DEFAULT_CACHED_BYTES, (clusterId, entry) => {
      this.#remember(clusterId, entry);
    });
    this.#snapshots = new StateSnapshots(store, options);
  }

  /** What the states in memory take, and may take; bytes, estimated. */
  get memory(): { readonly bytes: number; readonly mostBytes: number } {
    return this.#entries;
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
      const stored = await this.store.hashAt(clusterId, contradicted.version);
      const verdict = judgeWitness(state, clusterId, contradicted, stored);
      if (verdict === 'contradicted' || verdict === 'told-only') throw new FoldContradicted(clusterId, contradicted);
      entry.contradicted = undefined;
    }
    if (state.version === 0) this.#entries.delete(clusterId);
    return { state, head: { epoch: epochOf(state, clusterId), version: state.version, hash: hash ?? '' } };
  }

  /**
   * Takes note of what this process stored: from then on it is a witness of that, too, though nobody may have read it when the log goes back. Asks nobody; where it does not know what stood before, and of what is large, it takes no note.
   *
   * @param before stream version before the append
   * @param begun the epoch that began with it, if one did
   */
  noteStored(clusterId: string, before: number, { lastVersion, hashAfter }: Stored, begun?: string): void {
    const entry = this.#entries.get(clusterId);
    // It was read back already.
    if (entry !== undefined && entry.state.version >= lastVersion) return;
    const place = this.#placeAt(clusterId, before);
    if (place === undefined || hashAfter === undefined) return;
    const stored = { epoch: begun ?? place.epoch, version: lastVersion, hash: hashAfter(place.hash) };
    if (entry === undefined) this.#rememberHead(clusterId, stored);
    else entry.stored = stored;
  }

  /** What is known of the event at a version without asking: it is the newest of which this process knows. */
  #placeAt(clusterId: string, version: number): Pick<LogHead, 'epoch' | 'hash'> | undefined {
    if (version === 0) return { epoch: clusterId, hash: GENESIS_HASH };
    const entry = this.#entries.get(clusterId);
    const known = entry === undefined ? this.#remembered.get(clusterId) : entry.stored;
    if (known?.version === version) return known;
    return entry?.hash !== undefined && entry.state.version === version
      ? { epoch: epochOf(entry.state, clusterId), hash: entry.hash }
      : undefined;
  }

  /** The state as it was read at some time in the last so many ms; undefined when it was not, or is in doubt. */
  recent(clusterId: string, withinMs: number): StateAtHead | undefined {
    const entry = this.#entries.get(clusterId);
    if (entry?.hash === undefined || entry.contradicted !== undefined || entry.remembered !== undefined) return undefined;
    if (entry.readAt === undefined || performance.now() - entry.readAt > withinMs) return undefined;
    this.#entries.use(clusterId, () => entry);
    const { state, hash } = entry;
    return { state, head: { epoch: epochOf(state, clusterId), version: state.version, hash } };
  }

  /**
   * For a transaction that holds the stream: waits for no other read, and needs no connection but the caller's.
   *
   * @returns undefined when nothing is known of the cluster yet; {@link loadHead} first
   */
  holding(clusterId: string): HeldReading | undefined {
    const entry = this.#entries.get(clusterId);
    if (entry?.hash === undefined || entry.contradicted !== undefined || entry.remembered !== undefined) return undefined;
    this.#entries.use(clusterId, () => entry);
    const { state: before, hash: known, weight, stored } = entry;
    const { query, read } = this.store.readingOn(clusterId, before.version);
    const catchUp: HeldReading['catchUp'] = (result) => {
      const { hash, events } = read(result);
      if (hash !== known || events.length >= READ_ON_AT_ONCE || events.some((event) => isLongToFold(recordedClusterEvent(event).event)))
        return undefined;
      if (stored !== undefined && stored.version > before.version) {
        if (events[stored.version - before.version - 1]?.hash !== stored.hash) return undefined;
        if (entry.stored === stored) entry.stored = undefined;
      }
      // What another load folded meanwhile need not be folded again.
      const folded = events[entry.state.version - before.version - 1];
      const ahead =
        folded !== undefined && folded.hash === entry.hash
          ? { state: entry.state, hash: folded.hash, weight: entry.weight, recent: entry.recent }
          : { state: before, hash, weight, recent: entry.recent };
      for (const event of events) fold(ahead, event);
      if (entry.contradicted === undefined && entry.state.version < ahead.state.version) {
        Object.assign(entry, ahead);
        this.#entries.settle(clusterId, entry);
      }
      return { state: ahead.state, head: { epoch: epochOf(ahead.state, clusterId), version: ahead.state.version, hash: ahead.hash } };
    };
    return { query, catchUp };
  }

  /**
   * Hash of the event that the log has at a version; undefined when it has none. What this process read lately it remembers: each load looks whether the log still holds
   * the newest of it, and so all before.
   */
  async hashAt(clusterId: string, version: number): Promise<string | undefined> {
    const entry = this.#entries.get(clusterId);
    const recent = entry?.contradicted === undefined && entry?.remembered === undefined ? entry?.recent.get(version) : undefined;
    return recent ?? this.store.hashAt(clusterId, version);
  }

  /** The state as it was at an earlier version (at the head, when that is lower). Not cached. */
  async loadAt(clusterId: string, version: number): Promise<ClusterState> {
    const cached = this.#entries.get(clusterId)?.state;
    if (cached?.version === version) return cached;
    let state = (await this.#snapshots.load(clusterId, version))?.state ?? initialState();
    for await (const event of this.store.streamEvents(clusterId, { fromVersion: state.version + 1, toVersion: version })) {
      const recorded = recordedClusterEvent(event);
      await inSlices(evolveAhead(state, recorded));
      state = evolve(state, recorded);
    }
    return state;
  }

  /**
   * Lets go of some of the clusters of which nobody has asked for a while, where many are kept: to be called every second or so. What is asked for again is folded again, from its newest snapshot.
   */
  leaveUnused(): void {
    this.#entries.leaveUnused(UNUSED_FOR_MS, KEPT_UNUSED_BYTES);
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
    const saved = (await this.#snapshots.load(clusterId))?.state;
    await this.store.deleteSnapshots(clusterId);
    this.forget(clusterId);
    const folded = saved === undefined ? undefined : await this.loadAt(clusterId, saved.version);
    const { state, head } = await this.loadHead(clusterId);
    if (state.version > 0) await this.#snapshots.replace(clusterId, { state, hash: head.hash });
    return saved === undefined || canonicalJson(folded) === canonicalJson(saved) ? {} : { differentSnapshot: saved.version };
  }

  #entry(clusterId: string): Entry {
    const remembered = this.#remembered.get(clusterId);
    this.#remembered.delete(clusterId);
    return this.#entries.use(clusterId, () => ({
      ...nothingRead(),
      saving: false,
      readAt: undefined,
      remembered,
      stored: undefined,
      contradicted: undefined,
      reading: undefined,
      isYetToRead: false,
      next: undefined,
    }));
  }

  #remember(clusterId: string, { state, hash, contradicted, remembered, stored }: Entry): void {
    const read = hash === undefined ? undefined : { epoch: epochOf(state, clusterId), version: state.version, hash };
    const witness = contradicted ?? remembered ?? stored ?? read;
    if (witness !== undefined) this.#rememberHead(clusterId, witness);
  }

  #rememberHead(clusterId: string, witness: LogHead): void {
    this.#remembered.set(clusterId, witness);
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= REMEMBERED) break;
      this.#remembered.delete(oldest);
    }
  }

  /** A read that began before the call may miss what was committed before it, so callers wait for one that begins after. */
  #catchUp(clusterId: string, entry: Entry): Promise<void> {
    if (entry.next !== undefined) return entry.next;
    if (entry.reading !== undefined && entry.isYetToRead) return entry.reading;
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
    const beganAt = performance.now();
    // What is stored while this reads it may not find.
    const { stored } = entry;
    if (entry.state.version === 0) Object.assign(entry, await this.#snapshots.load(clusterId));
    entry.isYetToRead = entry.state.version > 0;
    let next = entry.isYetToRead ? await this.#goOn(clusterId, entry) : 'unread';
    if (next === 'more') {
      const askedAt = performance.now();
      // Where the stream grows as fast as it is folded, its end would never be met: what was there by now is enough for all who ask by now.
      const upTo = (await this.store.head(clusterId))?.version ?? 0;
      while (next === 'more' && entry.state.version < upTo) {
        this.#snapshots.saveIfDue(clusterId, entry);
        next = await this.#goOn(clusterId, entry);
      }
      if (next === 'more') entry.readAt = askedAt;
    }
    if (next === 'gone') Object.assign(entry, nothingRead());
    if (next === 'gone' || next === 'unread') {
      for await (const event of this.store.streamEvents(clusterId, { fromVersion: entry.state.version + 1 })) {
        await foldBitByBit(entry, event);
        // So that the past of a log that is read anew can be had as quickly as that of one that was followed.
        this.#snapshots.saveIfDue(clusterId, entry);
      }
      entry.readAt = beganAt;
    }
    const { remembered } = entry;
    for (const known of [remembered, stored]) {
      if (known === undefined) continue;
      const hash = entry.recent.get(known.version) ?? (await this.store.hashAt(clusterId, known.version));
      if (hash !== known.hash) entry.contradicted ??= known;
    }
    entry.remembered = undefined;
    if (entry.stored === stored) entry.stored = undefined;
    this.#entries.settle(clusterId, entry);
    this.#snapshots.saveIfDue(clusterId, entry);
  }

  /**
   * Folds what follows on the state. This process is a witness of the log: where the state ends, the log has to hold what was read there.
   *
   * @returns `head`: the state is at the head; `more`: it may not be; `gone`: the log does not hold what the state ends with: begin anew
   */
  async #goOn(clusterId: string, entry: Entry): Promise<'head' | 'more' | 'gone'> {
    // Whoever holds the stream may carry the entry on meanwhile.
    const { state, hash: known } = entry;
    const { version } = state;
    const askedAt = performance.now();
    const { hash, events } = await this.store.readOn(clusterId, version, () => {
      entry.isYetToRead = false;
    });
    if (hash === undefined || (known !== undefined && hash !== known)) {
      if (known !== undefined) entry.contradicted ??= { epoch: epochOf(state, clusterId), version, hash: known };
      return 'gone';
    }
    entry.hash ??= hash;
    for (const event of events) await foldBitByBit(entry, event);
    if (events.length >= READ_ON_AT_ONCE) return 'more';
    entry.readAt = askedAt;
    return 'head';
  }
}

/** Hashes remembered of each cluster: agents show the head that they were told last. */
const RECENT = 256;

const DEFAULT_CACHED_BYTES = 384 * 1024 * 1024;

/** Agents ask for theirs every few seconds, and whoever looks at one asks again soon. */
const UNUSED_FOR_MS = 60_000;

/** So much is kept though nobody asks for it: one large cluster, or hundreds of small ones, whose states take longer to fold than to keep. */
const KEPT_UNUSED_BYTES = 32 * 1024 * 1024;

/** Clusters of which it is remembered what was read last; some 200 bytes each. */
const REMEMBERED = 100_000;

function nothingRead(): Pick<Entry, 'state' | 'weight' | 'hash' | 'recent' | 'snapshotVersion' | 'snapshotLength'> {
  return { state: initialState(), weight: 0, hash: undefined, recent: new RecentHashes(RECENT), snapshotVersion: 0, snapshotLength: 0 };
}

/** Each event once, whoever read it. */
function fold(entry: Pick<Entry, 'state' | 'hash' | 'weight' | 'recent'>, event: RecordedEvent<ClusterEvent>): void {
  if (event.version <= entry.state.version) return;
  entry.weight += weightOf(event);
  entry.state = evolve(entry.state, recordedClusterEvent(event));
  entry.hash = event.hash;
  entry.recent.set(event.version, event.hash);
}

/** The same, without holding up everything else for as long as a long one takes. Meanwhile somebody else may carry the entry on. */
async function foldBitByBit(entry: Pick<Entry, 'state' | 'hash' | 'weight' | 'recent'>, event: RecordedEvent<ClusterEvent>): Promise<void> {
  if (event.version > entry.state.version) await inSlices(evolveAhead(entry.state, recordedClusterEvent(event)));
  fold(entry, event);
}

/** What an event adds to a state at most, roughly: its document, parsed, or what an operation leaves behind, which may be long texts. */
function weightOf({ type, data }: RecordedEvent<ClusterEvent>): number {
  const weight = jsonWeight(data, 1_000_000);
  return type === 'ClusterCreated' || type === 'ConfigurationChanged' ? 3 * weight : Math.max(50, weight);
}

/** The event as `evolve` takes it. */
export function recordedClusterEvent(recorded: RecordedEvent<ClusterEvent>): RecordedClusterEvent {
  const { version, occurredAt, actor, correlationId, type, data } = recorded;
  return { version, occurredAt, actor, correlationId, event: { type, data } as ClusterEvent };
}
