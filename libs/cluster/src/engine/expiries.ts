import { MinHeap } from './min-heap.js';

/** The moments at which what is in flight expires: the earliest of them costs what came and went since it was last asked for, not what is in flight. */
export class Expiries {
  /** How many expire at each moment. */
  private readonly counts = new Map<number, number>();
  /** All of those moments, and some at which nothing expires any more. */
  private readonly moments = new MinHeap();

  /** @param moment epoch ms */
  add(moment: number): void {
    const count = this.counts.get(moment) ?? 0;
    if (count === 0) this.moments.push(moment);
    this.counts.set(moment, count + 1);
  }

  /** @param moment epoch ms, as it was added */
  remove(moment: number): void {
    const count = this.counts.get(moment) ?? 0;
    if (count > 1) this.counts.set(moment, count - 1);
    else this.counts.delete(moment);
  }

  /** Epoch ms; undefined when nothing expires. */
  get earliest(): number | undefined {
    for (;;) {
      const moment = this.moments.least;
      if (moment === undefined || this.counts.has(moment)) return moment;
      this.moments.pop();
    }
  }
}
