import type { SchedulerRun } from '@systole/scheduler';
import type { SimulationObserver } from '../simulation/run-simulation.js';
import type { StatusOptions } from '../status/status-options.js';

/** What a report shows beside the plain course of a simulation (specification 08 §10.1). */
export interface ReportOptions extends StatusOptions {
  /** Score lines. */
  readonly scores: boolean;
  /** Utilization lines. */
  readonly utilization: boolean;
  /** Only what was asked for expressly. */
  readonly quiet: boolean;
}

/** Most lines of a score listing: they are gathered before the first is written. */
export const MOST_SCORE_LINES = 2_000_000;

/** A piece of output; pieces keep their order across both streams. */
export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

export type WriteChunk = (chunk: OutputChunk) => void;

/** How a simulation ended. */
export interface ReportEnd {
  /** Exit code of the program. */
  readonly exitCode: number;
  /** The code in words. */
  readonly message: string;
  /** What went wrong outside the simulation itself. */
  readonly errors: readonly string[];
}

/** Turns a simulation into output. */
export interface Reporter extends SimulationObserver {
  /** Score lines, if they are wanted; they precede whatever is saved to files. */
  scored(run: SchedulerRun): void;
  /** The last word, also after an error. */
  finish(end: ReportEnd): void;
}
