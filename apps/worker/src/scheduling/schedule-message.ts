import type { TransitionGraph } from '@systole/scheduler';

/** What a scheduling thread is asked. */
export interface ScheduleRequest {
  readonly id: number;
  /** The CIB as XML text. */
  readonly cib: string;
  /** Effective time, epoch seconds. */
  readonly now: number;
}

/** What one run of the scheduler came to, made ready for the event and for the table `transitions` off the event loop. */
export interface PlannedSchedule {
  readonly graph: TransitionGraph;
  /** sha256 of the graph's canonical JSON. */
  readonly digest: string;
  readonly graphJson: string;
  /** The schedule without its graph. */
  readonly scheduleJson: string;
  readonly counts: { readonly actions: number; readonly pseudo: number; readonly fencing: number };
  /** One line for each resource action: what and why. */
  readonly summary: readonly string[];
}

export type ScheduleReply =
  | { readonly id: number; readonly ok: true; readonly planned: PlannedSchedule }
  | { readonly id: number; readonly ok: false; readonly error: string };
