import type { CibProblem } from '@systole/cib';
import type { Schedule } from '@systole/scheduler';

/** What the scheduling thread is asked. */
export interface ScheduleRequest {
  readonly id: number;
  /** A CIB as XML text. */
  readonly cib: string;
  /** Effective time, epoch seconds. */
  readonly now: number;
  /** Also draw the graph. */
  readonly dot: boolean;
  /** Also list all scores; they are many. */
  readonly scores: boolean;
}

/** What is wrong with a CIB that is not taken in. */
export interface CibRefusal {
  readonly message: string;
  /** Line of the first mistake, from 1. */
  readonly line?: number;
  readonly problems: readonly CibProblem[];
}

/** A schedule, and its graph in the dot language when that was asked for. */
export interface Computed {
  readonly schedule: Schedule;
  readonly dot?: string;
}

export type ScheduleReply =
  | { readonly id: number; readonly outcome: 'scheduled'; readonly computed: Computed }
  | { readonly id: number; readonly outcome: 'refused'; readonly refusal: CibRefusal }
  | { readonly id: number; readonly outcome: 'broken'; readonly error: string };
