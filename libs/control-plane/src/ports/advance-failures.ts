/** A cluster that could not be moved or planned when it was tried last. */
export interface AdvanceFailure {
  readonly clusterId: string;
  /** ISO 8601: the first of the tries that failed in a row. */
  readonly since: string;
  /** How many there were. */
  readonly tries: number;
  /** Of the last one, for people. */
  readonly reason: string;
}

/** What is said of clusters that are stuck, for status, readiness and metrics. */
export interface AdvanceFailures {
  /** One more try failed. */
  note(clusterId: string, reason: string): Promise<void>;
  /** It goes again. */
  clear(clusterId: string): Promise<void>;
  of(clusterId: string): Promise<AdvanceFailure | undefined>;
  all(): Promise<readonly AdvanceFailure[]>;
}
