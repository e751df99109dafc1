import { ComputingLane, type LaneLimits } from './computing-lane.js';

/**
 * Threads for what costs too much for the one that answers requests, kept apart by what must not wait for what: the present status of clusters, the documents
 * that operators put in force, everything of a cluster that is merely tried or explained, and documents that belong to no cluster.
 */
export class ComputingLanes {
  readonly status: ComputingLane;
  readonly writes: ComputingLane;
  readonly trials: ComputingLane;
  /** Whoever may only read brings them, as large as bodies may be: no dry run waits for one. */
  readonly documents: ComputingLane;

  constructor(limits: LaneLimits) {
    const { places } = limits;
    // Its owners are the clusters, and nobody asks for more than one present of each.
    this.status = new ComputingLane('status', { ...limits, places: { ...places, each: places.total } });
    this.writes = new ComputingLane('writes', limits);
    this.trials = new ComputingLane('trials', limits);
    this.documents = new ComputingLane('documents', limits);
  }

  get all(): readonly ComputingLane[] {
    return [this.status, this.writes, this.trials, this.documents];
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((lane) => lane.close()));
  }
}
