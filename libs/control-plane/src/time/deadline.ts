import type { Clock } from '../ports/clock.js';

/** A moment by which something has to be said, with what is known by then. */
export class Deadline {
  /** @param at monotonic ms */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'after'>,
    private readonly at: number,
  ) {}

  get isOver(): boolean {
    return this.clock.monotonic() >= this.at;
  }

  /**
   * Waits for some work until then. What is there already is found even when it is over.
   *
   * @returns what the work comes to; undefined when it has come to nothing yet: it goes on, and what becomes of it, be it an error, nobody hears any more
   * @throws what the work throws until then
   */
  async by<T>(work: Promise<T>): Promise<T | undefined> {
    let cancel: () => void = () => undefined;
    const over = new Promise<undefined>((resolve) => {
      cancel = this.clock.after(Math.max(0, this.at - this.clock.monotonic()), () => {
        resolve(undefined);
      });
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      cancel();
    }
  }
}
