import { ComputingLane, type LaneLimits } from './computing-lane.js';

/**
 * Threads for what costs too much for the one that answers requests, kept apart by what must not wait for what: the present status of clusters, the documents
 * that operators put in force, and everything that is merely tried or explained.
 */
export class ComputingLanes {
  readonly status: ComputingLane;
  readonly writes: ComputingLane;
  readonly trials: ComputingLane;

  constructor(limits: LaneLimits) {
    const { places } = limits;
    // Its owners are the clusters, and nobody asks for more than one present of each.
    this.status = new ComputingLane('status', { ...limits, places: { ...places, each: places.total } });
    this.writes = new ComputingLane('writes', limits);
    this.trials = new ComputingLane('trials', limits);
  }

  get all(): readonly ComputingLane[] {
    return [this.status, this.writes, this.trials];
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((lane) => lane.close()));
  }
}
