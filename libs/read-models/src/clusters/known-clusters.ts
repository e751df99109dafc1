import type { ClusterCatalog } from './cluster-catalog.js';

/** A cluster that there is, or was. */
export interface KnownCluster {
  readonly id: string;
  readonly name: string;
  readonly deleted: boolean;
}

/** What is remembered may be so old, ms: a cluster that was deleted since still counts as one that is there. */
const GOOD_FOR_MS = 5_000;
/** For one that nobody knows it is not looked more often, ms. */
const LOOK_EVERY_MS = 500;

/** Clusters by id for whoever sees many events of many clusters: the whole list, read now and then. */
export class KnownClusters {
  #known: ReadonlyMap<string, KnownCluster> = new Map();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(
    private readonly catalog: Pick<ClusterCatalog, 'everything'>,
    private readonly monotonic: () => number = () => performance.now(),
  ) {}

  /** Undefined of what is no cluster, or none that the list has yet. */
  async find(id: string): Promise<KnownCluster | undefined> {
    const age = this.monotonic() - this.#readAt;
    if (age > GOOD_FOR_MS || (age > LOOK_EVERY_MS && !this.#known.has(id))) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    return this.#known.get(id);
  }

  async #read(): Promise<void> {
    this.#known = new Map((await this.catalog.everything()).map((cluster) => [cluster.id, cluster]));
    this.#readAt = this.monotonic();
  }
}
