/** A binary min-heap of numbers. */
export class MinHeap {
  private readonly items: number[] = [];

  constructor(items: Iterable<number> = []) {
    for (const item of items) this.push(item);
  }

  get size(): number {
    return this.items.length;
  }

  /** Undefined when it is empty. */
  get least(): number | undefined {
    return this.items[0];
  }

  clear(): void {
    this.items.length = 0;
  }

  /** In no particular order. */
  toArray(): readonly number[] {
    return this.items.slice();
  }

  push(item: number): void {
    const { items } = this;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((items[parent] ?? 0) <= item) break;
      items[at] = items[parent] ?? 0;
      at = parent;
    }
    items[at] = item;
  }

  pop(): number | undefined {
    const { items } = this;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= items.length) break;
      const right = left + 1;
      const child = right < items.length && (items[right] ?? 0) < (items[left] ?? 0) ? right : left;
      if ((items[child] ?? 0) >= last) break;
      items[at] = items[child] ?? 0;
      at = child;
    }
    items[at] = last;
    return top;
  }
}
