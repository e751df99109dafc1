import type { ClusterState } from '@systole/cluster';

/** One cluster as a turn finds it. */
export interface ClusterAtTurn {
  readonly clusterId: string;
  /** Folded to the head, a moment ago. */
  readonly state: ClusterState;
  /** Epoch ms, by the database's clock: the one that leases and dispatches are dated by. */
  readonly now: number;
  /** Aborts when this worker has lost the right to act on the cluster. */
  readonly signal: AbortSignal;
}
