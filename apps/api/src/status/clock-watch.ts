import { ClockSteps, type DatabaseClock } from '@systole/control-plane';

/** For how long a step is told, ms: at least; as long as dates stand still for it; at most. */
const TOLD_MS = 3_600_000;
const TOLD_AT_MOST_MS = 24 * 3_600_000;

/** A step of the database's clock. */
export interface ClockStep {
  /** Forwards when positive, ms. */
  readonly stepMs: number;
  /** How long ago, ms. */
  readonly agoMs: number;
}

/** Whether the clock that dates all events steps, by comparison with this process's monotonic one. Nothing is decided by it; people who read dates have to know. */
export class ClockWatch {
  readonly #steps = new ClockSteps();
  #newest: { readonly stepMs: number; readonly at: number } | undefined;
  #count = 0;

  constructor(
    private readonly databaseClock: DatabaseClock,
    private readonly monotonic: () => number,
  ) {}

  /** @throws when the database is away */
  async look(): Promise<void> {
    const asked = this.monotonic();
    const time = await this.databaseClock.now();
    const answered = this.monotonic();
    const stepMs = this.#steps.see(time, { asked, answered });
    if (stepMs === 0) return;
    this.#newest = { stepMs, at: answered };
    this.#count += 1;
  }

  /** Steps that this process has seen. */
  get count(): number {
    return this.#count;
  }

  /** The newest step; undefined when there was none, or none that matters still. */
  get newest(): ClockStep | undefined {
    if (this.#newest === undefined) return undefined;
    const { stepMs, at } = this.#newest;
    const agoMs = this.monotonic() - at;
    return agoMs > Math.min(Math.max(TOLD_MS, -stepMs), TOLD_AT_MOST_MS) ? undefined : { stepMs, agoMs };
  }
}

/** By less, ms, the clocks of a database and of its replica may differ. */
const LEAST_AHEAD_MS = 3_000;

/**
 * What is to be said of the dates of one cluster's events, for people; undefined when nothing is.
 *
 * @param step that this process saw
 * @param aheadMs by which its newest event is dated later than now: known also to a process that saw no step
 */
export function clockText(step: ClockStep | undefined, aheadMs: number): string | undefined {
  const texts = [...(step === undefined ? [] : [clockStepText(step)]), ...(aheadMs > LEAST_AHEAD_MS ? [aheadText(aheadMs)] : [])];
  return texts.length === 0 ? undefined : texts.join('; ');
}

function aheadText(aheadMs: number): string {
  return `the newest event is dated ${seconds(aheadMs)} s ahead of the clock of the database, which was ahead then: until it has caught up, further events bear that date`;
}

/** For people. */
export function clockStepText({ stepMs, agoMs }: ClockStep): string {
  const by = `${seconds(Math.abs(stepMs))} s`;
  const ago = `${seconds(agoMs)} s ago`;
  return stepMs > 0
    ? `the clock of the database went ${by} forward ${ago} (or this server's machine slept); nothing is decided by it, but dates may be ahead`
    : `the clock of the database went ${by} back ${ago}; nothing is decided by it, but until it has caught up events bear the date of the newest one before`;
}

function seconds(ms: number): string {
  return String(Math.round(ms / 1_000));
}
