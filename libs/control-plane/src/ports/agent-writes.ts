/** A request of an agent that writes, by its place among those of the agent. */
export interface NumberedWrite {
  readonly clusterId: string;
  /** The node whose agent asks. */
  readonly node: string;
  /** The life in which it is asked for. */
  readonly incarnation: number;
  /** Counts up within that life with each request that the agent has stopped waiting for. */
  readonly number: number;
}

/**
 * The newest number that was written for each node: whatever bears a lower one nobody waits for any more, and something newer may stand in its place
 * (docs/decisions/0096-what-is-carried-out-late.md).
 */
export interface AgentWrites {
  /**
   * Puts down that requests of this number are written now. From then on none of a lower one is; one that is being written is waited for.
   *
   * @returns false when a later one, or one of a later life, was written: this one must not be
   */
  begin(write: NumberedWrite): Promise<boolean>;
}
