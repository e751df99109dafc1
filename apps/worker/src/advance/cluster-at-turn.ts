import type { ClusterState } from '@systole/cluster';

/** One cluster as a turn finds it. */
export interface ClusterAtTurn {
  readonly clusterId: string;
  /** Folded to the head, a moment ago. */
  readonly state: ClusterState;
  /** Epoch ms, by the database's clock: the one that leases and dispatches are dated by. */
  readonly now: number;
  /** How long ago, ms, something happened that the database dated: by this process's own clock as far as it saw it. */
  readonly elapsed: (cause: string, momentMs: number) => number;
  /** Aborts when this worker has lost the right to act on the cluster. */
  readonly signal: AbortSignal;
}
