import type { ClusterState, TransitionGraph } from '@systole/cluster';

/** What one run of the scheduler came to, made ready for the event and for the table of graphs. */
export interface PlannedSchedule {
  readonly graph: TransitionGraph;
  /** sha256 of the graph's canonical JSON. */
  readonly digest: string;
  readonly graphJson: string;
  /** The schedule without its graph. */
  readonly scheduleJson: string;
  readonly counts: { readonly actions: number; readonly pseudo: number; readonly fencing: number };
  /** Ids of the primitives that are active before anything of this is done. */
  readonly active: readonly string[];
  /** One line for each resource action: what and why. */
  readonly summary: readonly string[];
}

/** Runs the scheduler, somewhere where it holds up nothing else. */
export interface Scheduling {
  /** Of the scheduler that runs here; stands with each plan. */
  readonly version: string;
  /** @param now effective time, epoch seconds @throws when the scheduler breaks, or takes too long */
  schedule(cib: ClusterState['cib'], now: number): Promise<PlannedSchedule>;
}
