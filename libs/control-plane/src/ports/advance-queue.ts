/** Where it is noted that a cluster is to be moved. What it holds is a hint: losing all of it costs time, never work. */
export interface AdvanceQueue {
  /** Rejects when the queue does not take it soon. */
  enqueueAdvance(clusterId: string): Promise<void>;
  /** The one timer of a cluster: replaces the one before. */
  wakeIn(clusterId: string, ms: number): Promise<void>;
  /** Undefined when the queue is there, else what is wrong. Never rejects. */
  trouble(): Promise<string | undefined>;
}
