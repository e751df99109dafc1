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

/**
 * The clock that dates all events, as this process last saw it and by how much time has passed since: whatever is asked for by a time, an age or a time to come is meant by that
 * one, for this machine's own may be wrong. And whether it steps, by comparison with this process's monotonic one: nothing is decided by it, but people who read dates have to know.
 */
export class ClockWatch {
  readonly #steps = new ClockSteps();
  #newest: { readonly stepMs: number; readonly at: number } | undefined;
  #count = 0;
  #seen: { readonly time: number; readonly at: number } | undefined;

  constructor(
    private readonly databaseClock: DatabaseClock,
    private readonly monotonic: () => number,
    private readonly ownTimeOfDay: () => number = Date.now,
  ) {}

  /** @throws when the database is away */
  async look(): Promise<void> {
    const asked = this.monotonic();
    const time = await this.databaseClock.now();
    const answered = this.monotonic();
    this.#seen = { time, at: (asked + answered) / 2 };
    const stepMs = this.#steps.see(time, { asked, answered });
    if (stepMs === 0) return;
    this.#newest = { stepMs, at: answered };
    this.#count += 1;
  }

  /** Epoch ms by the clock of the database; by this machine's own as long as nobody has looked. */
  now(): number {
    return this.#seen === undefined ? this.ownTimeOfDay() : Math.round(this.#seen.time + this.monotonic() - this.#seen.at);
  }

  /** By how many ms the clock of this server's machine is ahead of that of the database; negative: behind. */
  get ownAheadMs(): number {
    return this.ownTimeOfDay() - this.now();
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
 * @param ownAheadMs by which this server's own clock is ahead of that of the database
 */
export function clockText(step: ClockStep | undefined, aheadMs: number, ownAheadMs = 0): string | undefined {
  const texts = [
    ...(step === undefined ? [] : [clockStepText(step)]),
    ...(aheadMs > LEAST_AHEAD_MS ? [aheadText(aheadMs)] : []),
    ...(Math.abs(ownAheadMs) > LEAST_AHEAD_MS ? [ownText(ownAheadMs)] : []),
  ];
  return texts.length === 0 ? undefined : texts.join('; ');
}

function ownText(ownAheadMs: number): string {
  const where = ownAheadMs > 0 ? 'ahead of' : 'behind';
  return `the clock of this server's machine is ${seconds(Math.abs(ownAheadMs))} s ${where} that of the database, which counts: its log and its judgement of certificates and bearer tokens go wrong by it; set the clock (NTP)`;
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
