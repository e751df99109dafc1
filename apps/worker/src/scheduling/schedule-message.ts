import type { PlannedSchedule } from '@systole/control-plane';

/** What a scheduling thread is asked. */
export interface ScheduleRequest {
  readonly id: number;
  /** The CIB as XML text. */
  readonly cib: string;
  /** Effective time, epoch seconds. */
  readonly now: number;
}

export type ScheduleReply =
  | { readonly id: number; readonly ok: true; readonly planned: PlannedSchedule }
  | { readonly id: number; readonly ok: false; readonly error: string };
