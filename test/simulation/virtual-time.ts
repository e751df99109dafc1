interface Entry {
  readonly at: number;
  /** Order among entries of the same moment. */
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

/** Virtual time: what is due is run in the order of time, then of scheduling. Nothing else makes time pass. */
export class VirtualTime {
  /** Ms since the run began. */
  now = 0;
  private order = 0;
  private readonly heap: Entry[] = [];

  /** @returns what calls it off */
  after(ms: number, run: () => void): () => void {
    const entry: Entry = { at: this.now + Math.max(0, ms), order: this.order++, run, cancelled: false };
    this.push(entry);
    return () => {
      entry.cancelled = true;
    };
  }

  /** Lets everything happen that is due up to a moment, each with all that follows from it at once. */
  async runUntil(moment: number, isOver: () => boolean = () => false): Promise<void> {
    while (!isOver()) {
      await settled();
      const next = this.heap[0];
      if (next === undefined || next.at > moment) break;
      this.pop();
      if (next.cancelled) continue;
      this.now = next.at;
      next.run();
    }
    if (!isOver()) this.now = moment;
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

/** Resolves when no promise has anything left to do at this moment: whatever goes on by promises alone is done before the next macrotask. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
