import type { ClusterState, TransitionGraph } from '@systole/cluster';

/** What one run of the scheduler came to, made ready for the event. */
export interface PlannedSchedule {
  readonly graph: TransitionGraph;
  /** sha256 of the graph's canonical JSON. */
  readonly digest: string;
  /** The graph as it is stored; it may come later than the rest. Rejects when whoever was to make it is gone. */
  readonly stored: Promise<Uint8Array>;
  readonly counts: { readonly actions: number; readonly pseudo: number; readonly fencing: number };
  /** How many primitives are active before anything of this is done. */
  readonly active: number;
  /** One line for each resource action: what and why. */
  readonly summary: readonly string[];
  /** How long the scheduler itself took, without any wait for it, ms. */
  readonly schedulerMs: number;
}

/** Runs the scheduler, somewhere where it holds up nothing else. */
export interface Scheduling {
  /** Of the scheduler that runs here; stands with each plan. */
  readonly version: string;
  /**
   * @param clusterId whose CIB it is: what changed since it was planned for last is quickly told
   * @param now effective time, epoch seconds
   * @throws when the scheduler breaks, or takes too long
   */
  schedule(clusterId: string, cib: ClusterState['cib'], now: number): Promise<PlannedSchedule>;
  /** Reads a graph in its stored form. @throws when it is none */
  graphFrom(stored: Uint8Array): Promise<TransitionGraph>;
}
