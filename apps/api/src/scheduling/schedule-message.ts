import type { CibProblem } from '@systole/cib';
import type { Schedule } from '@systole/scheduler';
import type { ExplanationOutcome, ExplanationSelection } from '../explanation/explanation-view.js';

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
  /** Also explain this; nothing when absent. */
  readonly explain?: ExplanationSelection;
}

/** What is wrong with a CIB that is not taken in. */
export interface CibRefusal {
  readonly message: string;
  /** Line of the first mistake, from 1. */
  readonly line?: number;
  readonly problems: readonly CibProblem[];
}

/** A schedule without the parts of its scores: those that were asked for are in an explanation of their own. */
export type BareSchedule = Omit<Schedule, 'explanation'>;

/** A schedule, and with it what was asked for: its graph in the dot language, an explanation. */
export interface Computed {
  readonly schedule: BareSchedule;
  readonly dot?: string;
  readonly explanation?: ExplanationOutcome;
}

export type ScheduleReply =
  | { readonly id: number; readonly outcome: 'scheduled'; readonly computed: Computed }
  | { readonly id: number; readonly outcome: 'refused'; readonly refusal: CibRefusal }
  | { readonly id: number; readonly outcome: 'broken'; readonly error: string };
