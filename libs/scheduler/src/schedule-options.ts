/** What `schedule()` needs beside the CIB. */
export interface ScheduleOptions {
  /** Effective time in epoch seconds. The scheduler has no clock. */
  readonly now: number;
  /** Keep the score listing: a line per resource, node and phase, which is much in a large cluster. Default true. */
  readonly scores?: boolean;
  /** Most lines of the score listing; `schedule()` throws rather than make more. Default 20,000,000. */
  readonly mostScores?: number;
  /** Say why: each score as the sum of its parts, each action with the chain of its reasons. Default false; it costs time and memory. */
  readonly explain?: boolean;
  /** Also say what of the configuration can't be read. Default true; false for callers that tell it themselves (`configurationFindings`). */
  readonly configurationWarnings?: boolean;
  /** Keep the utilization listing. Default false. */
  readonly utilization?: boolean;
}
