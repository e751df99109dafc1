import type { ClusterState, ElapsedSince } from '@systole/cluster';

/** One cluster as a turn finds it. */
export interface ClusterAtTurn {
  readonly clusterId: string;
  /** Folded to the head, a moment ago. */
  readonly state: ClusterState;
  /** Epoch ms, by the database's clock: the one that leases and dispatches are dated by. */
  readonly now: number;
  /** How long ago, ms, something happened that the database dated: by this process's own clock as far as it saw it. */
  readonly elapsed: ElapsedSince;
  /** How long ago, ms, this process first saw it: for waits that must not end too early, whatever the database's clock did before. */
  readonly witnessed: ElapsedSince;
  /** For how long, ms, since this process first saw something of a transition, agents could report (`ActionTimes`). */
  readonly sinceSeen: (transition: number, cause: string) => number;
  /** Asked right before acting. @throws when this worker has lost the right to act on the cluster */
  readonly assertHeld: () => void;
  /** For how long, ms, agents have been able to reach the servers without a break; undefined while they can't, or nobody can tell. */
  readonly servedForMs: number | undefined;
  /** Nodes whose lease should have been renewed by now, and in how many ms it will be over. */
  readonly overdue: ReadonlyMap<string, number>;
}
