/** What a status shows beside nodes and resources (specification 08 §6.8). */
export interface StatusOptions {
  /** Node attributes. */
  readonly attributes?: boolean;
  /** Fail counts and failed operations. */
  readonly failCounts?: boolean;
  /** Seconds east of UTC, for dates; default 0. */
  readonly localOffsetSeconds?: number;
}
