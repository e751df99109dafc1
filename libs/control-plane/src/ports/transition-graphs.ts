import type { PlannedTransition, TransitionGraph } from '@systole/cluster';
import type { PlannedSchedule } from './scheduling.js';

/** The graphs and schedules of transitions. Derived: what is missing is computed again from the stream. */
export interface StoredGraphs {
  /** The graph of a transition, when it is there and is the one that was planned. */
  graphOf(clusterId: string, plan: PlannedTransition): Promise<TransitionGraph | undefined>;
  store(clusterId: string, number: number, planned: PlannedSchedule): Promise<void>;
}
