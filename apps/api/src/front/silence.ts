/**
 * For how long nothing was heard of another thread, counted in the time in which this one was awake and looked: when the whole process is frozen or its machine
 * suspended, neither says anything, and that says nothing of the other.
 */
export class Silence {
  #forMs = 0;

  /** @param everyMs how often it is looked @param lookedAt when the silence begins, monotonic ms */
  constructor(
    private readonly everyMs: number,
    private lookedAt: number,
  ) {}

  get forMs(): number {
    return this.#forMs;
  }

  /** Something was heard. */
  end(): void {
    this.#forMs = 0;
  }

  /** To be called every `everyMs`; what is more than twice of that was not awake. @param now monotonic ms @returns how long it is silent, ms */
  look(now: number): number {
    this.#forMs += Math.min(now - this.lookedAt, 2 * this.everyMs);
    this.lookedAt = now;
    return this.#forMs;
  }
}
