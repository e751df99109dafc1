import type { ClusterCatalog } from './cluster-catalog.js';

/** A cluster that there is, or was. */
export interface KnownCluster {
  readonly id: string;
  readonly name: string;
  readonly deleted: boolean;
}

/** What is remembered may be so old, ms: a cluster that was deleted since still counts as one that is there. */
const GOOD_FOR_MS = 5_000;
/** For one that was not there it is not looked again before, ms. */
const MISSING_FOR_MS = 500;

/** Clusters by id for whoever sees many events of many clusters: the whole list, read now and then. */
export class KnownClusters {
  #known: ReadonlyMap<string, KnownCluster> = new Map();
  /** When was looked in vain, by id: monotonic ms. */
  readonly #missing = new Map<string, number>();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(
    private readonly catalog: Pick<ClusterCatalog, 'everything'>,
    private readonly monotonic: () => number = () => performance.now(),
  ) {}

  /** Undefined of what is no cluster, or none that the list has yet. */
  async find(id: string): Promise<KnownCluster | undefined> {
    const now = this.monotonic();
    if (now - this.#readAt <= GOOD_FOR_MS && this.#known.has(id)) return this.#known.get(id);
    if (now - (this.#missing.get(id) ?? Number.NEGATIVE_INFINITY) <= MISSING_FOR_MS) return undefined;
    // A reading that is under way may have begun before it was there.
    await this.#reading;
    if (!this.#known.has(id) || this.monotonic() - this.#readAt > GOOD_FOR_MS) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    const found = this.#known.get(id);
    if (found === undefined) this.#missing.set(id, this.monotonic());
    return found;
  }

  async #read(): Promise<void> {
    this.#known = new Map((await this.catalog.everything()).map((cluster) => [cluster.id, cluster]));
    this.#readAt = this.monotonic();
    this.#missing.clear();
  }
}
