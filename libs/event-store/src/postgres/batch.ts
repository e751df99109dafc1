interface Entry<I, O> {
  readonly item: I;
  readonly begins: (() => void) | undefined;
  readonly resolve: (result: O) => void;
  readonly reject: (error: unknown) => void;
}

/** A run that takes so long, ms, is not waited for: its connection may be dead, and what came meanwhile must not share that. */
const PATIENCE_MS = 500;
/** Runs under way at a time, at most. */
const RUNS = 4;
/** Least time between the beginnings of two runs where many ask at once, ms: each run costs a round trip, however little it does. */
const INTERVAL_MS = 4;

/**
 * Does one piece of work for many items at a time: what comes in one turn of the event loop goes together, and what comes while a run is under way into the next, which
 * then takes its time to gather more. Whoever asks for one thing after the other never waits for anybody.
 */
export class Batch<I, O> {
  #waiting: Entry<I, O>[] = [];
  #running = 0;
  #scheduled = false;
  /** Something came while a run was under way. */
  #crowded = false;
  /** Monotonic ms. */
  #lastRunAt = Number.NEGATIVE_INFINITY;
  #impatience: NodeJS.Timeout | undefined;

  /** @param work gives one result for each item, in their order @param most items in one run */
  constructor(
    private readonly work: (items: readonly I[]) => Promise<readonly O[]>,
    private readonly most: number,
  ) {}

  /**
   * The item's result, of work that began after the call.
   *
   * @param begins told right before the work begins; who asks for the same until then can do with this result. Must not throw
   * @throws what the work throws, for every item of the run
   */
  add(item: I, begins?: () => void): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, begins, resolve, reject });
      if (this.#running === 0) {
        this.#schedule();
      } else {
        this.#crowded = true;
        this.#waitForRun();
      }
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const run = (): void => {
      this.#scheduled = false;
      void this.#run();
    };
    const waitMs = this.#crowded ? this.#lastRunAt + INTERVAL_MS - performance.now() : 0;
    if (waitMs > 0) setTimeout(run, waitMs);
    else setImmediate(run);
  }

  #waitForRun(): void {
    if (this.#running >= RUNS) return;
    this.#impatience ??= setTimeout(() => {
      this.#impatience = undefined;
      this.#schedule();
    }, PATIENCE_MS);
  }

  async #run(): Promise<void> {
    clearTimeout(this.#impatience);
    this.#impatience = undefined;
    const entries = this.#waiting.splice(0, this.most);
    if (entries.length === 0) return;
    this.#running += 1;
    this.#lastRunAt = performance.now();
    this.#crowded = this.#waiting.length > 0;
    if (this.#crowded) this.#waitForRun();
    for (const { begins } of entries) begins?.();
    try {
      const results = await this.work(entries.map(({ item }) => item));
      for (const [index, { resolve }] of entries.entries()) resolve(results[index] as O);
    } catch (error) {
      for (const { reject } of entries) reject(error);
    } finally {
      this.#running -= 1;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }
}
