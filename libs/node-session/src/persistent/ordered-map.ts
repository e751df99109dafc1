import { entriesFrom, first, found, inserted, removed, type Order, type SortedTree } from './sorted-tree.js';

const byText: Order<string> = (one, other) => (one === other ? 0 : one < other ? -1 : 1);
const byPosition: Order<number> = (one, other) => one - other;
const anywhere = (): boolean => true;

type Entry<V> = readonly [key: string, value: V];

/**
 * What a `Map` by text is to read, with versions: {@link with} and {@link without} make another one at a cost that grows with the logarithm of the size, and leave this
 * one as it is. In the order in which the keys came in; a key that is set again keeps its place.
 */
export class OrderedMap<V> implements ReadonlyMap<string, V> {
  private static readonly EMPTY = new OrderedMap<never>(0, 0, undefined, undefined);

  /** The position of the next key that comes in. */
  readonly #next: number;
  readonly #positions: SortedTree<string, number>;
  readonly #list: SortedTree<number, Entry<V>>;

  private constructor(
    readonly size: number,
    next: number,
    positions: SortedTree<string, number>,
    list: SortedTree<number, Entry<V>>,
  ) {
    this.#next = next;
    this.#positions = positions;
    this.#list = list;
  }

  static empty<V>(): OrderedMap<V> {
    return OrderedMap.EMPTY;
  }

  static of<V>(entries: Iterable<Entry<V>>): OrderedMap<V> {
    let map = OrderedMap.empty<V>();
    for (const [key, value] of entries) map = map.with(key, value);
    return map;
  }

  with(key: string, value: V): OrderedMap<V> {
    const known = this.positionOf(key);
    const position = known ?? this.#next;
    const list = inserted(this.#list, position, [key, value] as const, byPosition);
    if (known !== undefined) return new OrderedMap(this.size, this.#next, this.#positions, list);
    return new OrderedMap(this.size + 1, position + 1, inserted(this.#positions, key, position, byText), list);
  }

  /** This one itself when it has no such key. */
  without(key: string): OrderedMap<V> {
    const position = this.positionOf(key);
    if (position === undefined) return this;
    return new OrderedMap(this.size - 1, this.#next, removed(this.#positions, key, byText), removed(this.#list, position, byPosition));
  }

  get(key: string): V | undefined {
    const position = this.positionOf(key);
    return position === undefined ? undefined : found(this.#list, position, byPosition)?.value[1];
  }

  has(key: string): boolean {
    return this.positionOf(key) !== undefined;
  }

  /** Grows with the order of the entries, and belongs to the key as long as that is there. */
  positionOf(key: string): number | undefined {
    return found(this.#positions, key, byText)?.value;
  }

  /** The key that came in first. */
  firstKey(): string | undefined {
    return first(this.#list)?.value[0];
  }

  /** The keys that begin with a text, in the order of the alphabet; the rest is not looked at. */
  *keysWithPrefix(prefix: string): Generator<string, undefined> {
    for (const { key } of entriesFrom(this.#positions, (one) => one >= prefix)) {
      if (!key.startsWith(prefix)) return undefined;
      yield key;
    }
    return undefined;
  }

  *entries(): Generator<[string, V], undefined> {
    for (const { value } of entriesFrom(this.#list, anywhere)) yield [value[0], value[1]];
    return undefined;
  }

  *keys(): Generator<string, undefined> {
    for (const { value } of entriesFrom(this.#list, anywhere)) yield value[0];
    return undefined;
  }

  *values(): Generator<V, undefined> {
    for (const { value } of entriesFrom(this.#list, anywhere)) yield value[1];
    return undefined;
  }

  [Symbol.iterator](): Generator<[string, V], undefined> {
    return this.entries();
  }

  forEach(each: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) each(value, key, this);
  }
}
