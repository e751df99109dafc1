import type { PlannedTransition } from '@systole/cluster';

/** The graphs of transitions, in their stored form. Derived: what is missing is computed again from the stream. */
export interface StoredGraphs {
  /** The graph of a transition, when it is there and is the one that was planned. */
  graphOf(clusterId: string, plan: Pick<PlannedTransition, 'number' | 'digest'>): Promise<Uint8Array | undefined>;
  /** Stores a graph beside the transition of that number, if it is the one that was planned. */
  store(clusterId: string, plan: Pick<PlannedTransition, 'number' | 'digest'>, graph: Uint8Array): Promise<void>;
}
