interface Entry {
  readonly at: number;
  /** Order among entries of the same moment. */
  readonly order: number;
  readonly run: () => void;
}

/** The virtual clock: what is due is run in the order of time, then of scheduling. Nothing else makes time pass. */
export class Timeline {
  /** Epoch ms. */
  now = Date.UTC(2026, 0, 1);
  private order = 0;
  private readonly heap: Entry[] = [];

  after(ms: number, run: () => void): void {
    this.push({ at: this.now + Math.max(0, ms), order: this.order++, run });
  }

  /** Runs the next entry; false when there is none before `until`. */
  step(until: number): boolean {
    const next = this.heap[0];
    if (next === undefined || next.at > until) return false;
    this.pop();
    this.now = next.at;
    next.run();
    return true;
  }

  private push(entry: Entry): void {
    const { heap } = this;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !before(entry, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      if (left === undefined) break;
      const child = right !== undefined && before(right, left) ? 2 * at + 2 : 2 * at + 1;
      const below = heap[child];
      if (below === undefined || !before(below, last)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}

function before(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
