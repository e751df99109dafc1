import { OrderedMap } from './ordered-map.js';

/** Texts in the order in which they came in, with versions: see {@link OrderedMap}. */
export class OrderedSet implements Iterable<string> {
  private static readonly EMPTY = new OrderedSet(OrderedMap.empty());

  readonly #items: OrderedMap<true>;

  private constructor(items: OrderedMap<true>) {
    this.#items = items;
  }

  static empty(): OrderedSet {
    return OrderedSet.EMPTY;
  }

  static of(items: Iterable<string>): OrderedSet {
    let set = OrderedSet.EMPTY;
    for (const item of items) set = set.with(item);
    return set;
  }

  get size(): number {
    return this.#items.size;
  }

  with(item: string): OrderedSet {
    return this.#items.has(item) ? this : new OrderedSet(this.#items.with(item, true));
  }

  without(item: string): OrderedSet {
    return this.#items.has(item) ? new OrderedSet(this.#items.without(item)) : this;
  }

  has(item: string): boolean {
    return this.#items.has(item);
  }

  /** What came in first. */
  first(): string | undefined {
    return this.#items.firstKey();
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#items.keys();
  }
}
