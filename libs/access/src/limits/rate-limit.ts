/** How often something may be done. */
export interface Rate {
  /** In the long run. */
  readonly perSecond: number;
  /** At once, after a pause. */
  readonly burst: number;
}

/** Keys above which those that have been idle long enough to have everything again are forgotten. */
const TIDY_ABOVE = 10_000;
/** What sums of fractions are off by. */
const ROUNDING_MS = 1e-6;
/** Nobody has to wait for longer, however much they have used. */
const LONGEST_WAIT_MS = 600_000;

/** Lets each key do something so often (a token bucket for each). Times are milliseconds of one monotonic clock. */
export class RateLimit {
  #tidyAbove = TIDY_ABOVE;
  readonly #left = new Map<string, { readonly amount: number; readonly at: number }>();

  /** @param longestWaitMs for which anybody has to wait at most, however much they have used */
  constructor(
    readonly rate: Rate,
    private readonly longestWaitMs = LONGEST_WAIT_MS,
  ) {}

  /** @returns 0 when it may be done, otherwise after how many ms to try again */
  take(key: string, now: number): number {
    const wait = this.waitOf(key, now);
    if (wait === 0) this.charge(key, now);
    return wait;
  }

  /** What `take` would return; takes nothing. */
  waitOf(key: string, now: number): number {
    const left = this.#at(key, now);
    return left >= 1 ? 0 : Math.ceil(((1 - left) / this.rate.perSecond) * 1_000 - ROUNDING_MS);
  }

  /** Counts what was done, whether there was room for it or not: whoever goes on and on waits longer and longer. */
  charge(key: string, now: number, amount = 1): void {
    if (this.#left.size > this.#tidyAbove) this.#tidy(now);
    const least = 1 - (this.longestWaitMs / 1_000) * this.rate.perSecond;
    this.#left.set(key, { amount: Math.max(least, this.#at(key, now) - amount), at: now });
  }

  #at(key: string, now: number): number {
    const known = this.#left.get(key);
    if (known === undefined) return this.rate.burst;
    return Math.min(this.rate.burst, known.amount + ((now - known.at) / 1_000) * this.rate.perSecond);
  }

  #tidy(now: number): void {
    for (const key of this.#left.keys()) if (this.#at(key, now) >= this.rate.burst) this.#left.delete(key);
    // A look at all keys has to be paid for by as many new ones.
    this.#tidyAbove = Math.max(TIDY_ABOVE, 2 * this.#left.size);
  }
}
