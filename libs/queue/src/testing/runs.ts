import type { JobRun, QueueHandlers } from '../consumer.js';
import type { AdvanceJob, TimerJob } from '../jobs.js';

/** One run of a handler, times in epoch ms. */
export interface RecordedRun {
  /** The cluster of an advance, the key of a timer. */
  readonly of: string;
  readonly attempt: number;
  readonly startedAt: number;
  endedAt?: number;
}

/** Handlers that remember their runs; `during` may wait or throw. */
export class RecordedRuns implements QueueHandlers {
  readonly advances: RecordedRun[] = [];
  readonly timers: RecordedRun[] = [];

  constructor(private readonly during: (of: string, run: JobRun) => Promise<void> | void = () => undefined) {}

  advance(job: AdvanceJob, run: JobRun): Promise<void> {
    return this.record(this.advances, job.clusterId, run);
  }

  timer(job: TimerJob, run: JobRun): Promise<void> {
    return this.record(this.timers, job.key, run);
  }

  private async record(runs: RecordedRun[], of: string, run: JobRun): Promise<void> {
    const recorded: RecordedRun = { of, attempt: run.attempt, startedAt: Date.now() };
    runs.push(recorded);
    try {
      await this.during(of, run);
    } finally {
      recorded.endedAt = Date.now();
    }
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until the condition holds; rejects after `withinMs`. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await pause(20);
  }
}

/** A promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
