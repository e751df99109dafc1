import type { ClusterEvent } from '@systole/cluster';
import type { Report } from '@systole/control-plane';
import { AppendReports, EventStore, limitedPool, type EventStoreOptions } from '@systole/event-store';
import { ClusterStates, letUnusedLeave, type ClusterStatesOptions } from '@systole/read-models';
import { openInstallation } from '../installation/installation.js';
import { KeptInstallation } from '../installation/kept-installation.js';

/** For reading states: what waits for streams or tables never has them, so that nobody who reads for one part waits for what another part holds up. */
const CONNECTIONS = 3;

/** What is heard of the states and of what they are read with. Must not throw. */
export interface StatesListener
  extends Required<Pick<EventStoreOptions, 'onSnapshotRefused'>>, Required<Pick<ClusterStatesOptions, 'onSnapshotError'>> {
  /** A connection was lost. */
  readonly onLost: (reason: string) => void;
  /** There was no connection to read with. */
  readonly onRefused: () => void;
}

export interface SharedStatesOptions extends Pick<ClusterStatesOptions, 'cachedBytes'> {
  readonly databaseUrl: string;
  readonly report: Pick<Report, 'warn'>;
}

/**
 * The states of clusters for several parts of one thread, which would each keep and carry on the same ones: an api and a worker. They are read over connections of their own. What one part appends
 * the others hear of without a notification of the database.
 */
export class SharedStates {
  readonly states: ClusterStates;
  /** For the stores of these parts: what one of them appends the others hear of at once. */
  readonly appends = new AppendReports();
  readonly #listeners = new Set<StatesListener>();
  readonly #pool: ReturnType<typeof limitedPool>;
  readonly #store: EventStore<ClusterEvent>;
  readonly #keepAll: () => void;

  private constructor({ databaseUrl, cachedBytes }: SharedStatesOptions) {
    this.#pool = limitedPool({
      databaseUrl,
      applicationName: 'systole states',
      connections: CONNECTIONS,
      pipeline: true,
      onLost: (reason) => {
        for (const { onLost } of this.#listeners) onLost(reason);
      },
      onRefused: () => {
        for (const { onRefused } of this.#listeners) onRefused();
      },
    });
    this.#store = new EventStore<ClusterEvent>(this.#pool, {
      onSnapshotRefused: (refused) => {
        for (const { onSnapshotRefused } of this.#listeners) onSnapshotRefused(refused);
      },
    });
    this.states = new ClusterStates(this.#store, {
      ...(cachedBytes === undefined ? {} : { cachedBytes }),
      onSnapshotError: (error, clusterId) => {
        for (const { onSnapshotError } of this.#listeners) onSnapshotError(error, clusterId);
      },
    });
    this.#keepAll = letUnusedLeave(this.states);
  }

  /** @throws what `pg` says when the database can't be reached, or its schema is not there; nothing is left open then */
  static async open(options: SharedStatesOptions): Promise<SharedStates> {
    const shared = new SharedStates(options);
    try {
      const { id } = await openInstallation(shared.#pool);
      new KeptInstallation(id, options.report).keep(shared.#pool);
      return shared;
    } catch (error) {
      await shared.close();
      throw error;
    }
  }

  /** @returns what ends it */
  hear(listener: StatesListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** When nobody uses the states any more. */
  async close(): Promise<void> {
    this.#keepAll();
    await this.#store.close();
    await this.#pool.end();
  }
}
