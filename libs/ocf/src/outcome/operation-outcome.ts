/**
 * How the execution of an operation ended, as opposed to what its exit code says. The names are those of the cluster's events and map
 * one to one to Pacemaker's `op-status`.
 * - `done`: the agent ran and exited by itself; its exit code is the result, good or bad
 * - `timeout`: it was killed because its time was up
 * - `not-installed`: there is no such agent here
 * - `error`: it could not be run, or was killed by a signal from outside
 * - `not-supported`: it was not run, as a fence device can't do that to its target
 * - `cancelled`: it was killed because nobody wants the result any more
 */
export type ExecutionStatus = 'done' | 'timeout' | 'not-installed' | 'not-supported' | 'error' | 'cancelled';

/** The result of one operation of a resource agent or a fence agent, whatever its standard. */
export interface OperationOutcome {
  readonly status: ExecutionStatus;
  /** OCF exit code; for other standards mapped to it. */
  readonly rc: number;
  /** The agent's own words (last `ocf-exit-reason:` line), or why it could not be run. */
  readonly exitReason?: string;
  /** End of standard output and standard error, bounded. */
  readonly output: string;
  /** Wall-clock time at which the process was started, ms since the epoch. */
  readonly startedAtMs: number;
  /** How long it ran, ms, on a monotonic clock. */
  readonly execMs: number;
}
