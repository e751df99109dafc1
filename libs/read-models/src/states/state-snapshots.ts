import { CLUSTER_STATE_SCHEMA, type ClusterEvent, type ClusterState } from '@systole/cluster';
import type { EventStore } from '@systole/event-store';

/** Name under which states are saved as snapshots. */
export const STATE_SNAPSHOT_SCHEMA = `cluster-state/${String(CLUSTER_STATE_SCHEMA)}`;

/** Text of a unit of weight (`jsonWeight`) of a state, UTF-16 code units; as measured. */
const TEXT = 15;

/** Length of the data of some 500 events. */
const LENGTH_OF_500_EVENTS = 500_000;

/** So many intervals of the newest history have all their snapshots. */
const SNAPSHOTS_KEPT = 10;

/**
 * Of the history before that so many are kept, at the same distance from one another, for states of the past to begin with; fewer of states that take more text than this.
 * In a stream of a million events some 8,000 are folded at most.
 */
const PAST_SNAPSHOTS = 256;
const PAST_TEXT = 256 * 1024 * 1024;
const LEAST_PAST_SNAPSHOTS = 8;

export interface StateSnapshotsOptions {
  /**
   * A snapshot is saved whenever so many events were folded since the last, or that many times what it was long in units of 500 KB: so snapshots are no longer
   * than the events that they are of. Default 500.
   */
  readonly snapshotEvery?: number;
  /** Hears of snapshots that could not be saved; they are only an economy. */
  readonly onSnapshotError?: (error: unknown, clusterId: string) => void;
}

/** A state that is carried on, and what is known of its snapshots. */
export interface Snapshotted {
  readonly state: ClusterState;
  /** Of the event at the state's version. */
  readonly hash: string | undefined;
  /** How heavy the state is at most, as far as it was counted (`jsonWeight`). */
  weight: number;
  /** Version of the newest snapshot that is known. */
  snapshotVersion: number;
  /** Length of its text, UTF-16 code units; 0 where that is not known. */
  snapshotLength: number;
  /** One is being saved. */
  saving: boolean;
}

/** What is to be known of a state that begins with a snapshot. */
export type FromSnapshot = Pick<Snapshotted, 'state' | 'weight' | 'snapshotVersion' | 'snapshotLength'>;

/** The states that are saved: what replaying begins with. */
export class StateSnapshots {
  readonly #every: number;

  constructor(
    private readonly store: EventStore<ClusterEvent>,
    private readonly options: StateSnapshotsOptions,
  ) {
    this.#every = options.snapshotEvery ?? 500;
  }

  /** The newest one, at most of that version. */
  async load(clusterId: string, atMostVersion?: number): Promise<FromSnapshot | undefined> {
    const snapshot = await this.store.loadSnapshot(clusterId, STATE_SNAPSHOT_SCHEMA, atMostVersion);
    if (snapshot === undefined || !isStateAt(snapshot.data, snapshot.version)) return undefined;
    const { version, data, length } = snapshot;
    return { state: data, weight: length / TEXT, snapshotVersion: version, snapshotLength: length };
  }

  /** Saves the state if that is due. Nobody waits for it. */
  saveIfDue(clusterId: string, of: Snapshotted): void {
    if (of.saving || !this.#isDue(of, of.state.version)) return;
    const { version } = of.state;
    of.saving = true;
    this.#save(clusterId, of)
      .catch((error: unknown) => {
        // The next one is due when it would have been after this one.
        of.snapshotVersion = version;
        this.options.onSnapshotError?.(error, clusterId);
      })
      .finally(() => {
        of.saving = false;
      });
  }

  /** Begins anew with one that holds this state. */
  async replace(clusterId: string, { state, hash }: Pick<Snapshotted, 'state' | 'hash'>): Promise<void> {
    await this.store.saveSnapshot(clusterId, STATE_SNAPSHOT_SCHEMA, snapshotOf(state, hash));
  }

  /** What several processes fold one of them saves, unless they come to it at once. */
  async #save(clusterId: string, of: Snapshotted): Promise<void> {
    const { state, hash, weight } = of;
    const newest = await this.store.newestSnapshot(clusterId, STATE_SNAPSHOT_SCHEMA, state.version);
    of.snapshotVersion = Math.max(of.snapshotVersion, newest);
    if (!this.#isDue(of, state.version)) return;
    const length = await this.store.saveSnapshot(clusterId, STATE_SNAPSHOT_SCHEMA, snapshotOf(state, hash));
    // Unless the log went back meanwhile, and the fold began anew.
    if (of.state.version >= state.version) {
      of.snapshotVersion = state.version;
      of.snapshotLength = length;
      // What was added up from events may be too much.
      of.weight += length / TEXT - weight;
    }
    const kept = Math.floor(state.version - SNAPSHOTS_KEPT * this.#interval(length));
    if (kept > 0) await this.store.thinSnapshots(clusterId, STATE_SNAPSHOT_SCHEMA, kept, sectionOf(kept, length)).catch(() => 0);
  }

  #isDue({ snapshotVersion, snapshotLength }: Snapshotted, version: number): boolean {
    return version - snapshotVersion >= this.#interval(snapshotLength);
  }

  /** Events between two snapshots. */
  #interval(length: number): number {
    return this.#every * Math.max(1, length / LENGTH_OF_500_EVENTS);
  }
}

/** Versions of which one past snapshot is kept: a power of two, so that longer sections hold shorter ones whole. @param length of a snapshot, UTF-16 code units */
export function sectionOf(versions: number, length: number): number {
  const most = Math.max(LEAST_PAST_SNAPSHOTS, Math.min(PAST_SNAPSHOTS, Math.floor(PAST_TEXT / Math.max(1, length))));
  return 2 ** Math.max(0, Math.ceil(Math.log2(versions / most)));
}

function snapshotOf(state: ClusterState, hash: string | undefined): { version: number; data: ClusterState; hash?: string } {
  return { version: state.version, data: state, ...(hash === undefined ? {} : { hash }) };
}

/** The schema's name warrants the shape; this only keeps out what is plainly something else. */
function isStateAt(data: unknown, version: number): data is ClusterState {
  return typeof data === 'object' && data !== null && 'version' in data && data.version === version && 'cib' in data && 'nodes' in data;
}
