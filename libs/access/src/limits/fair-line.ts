/** A line in which owners take turns: whoever has asked for much waits behind what others asked for once. */
export class FairLine<T> {
  /** Owners in the order of their turns; each has at least one item. */
  readonly #items = new Map<string, T[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Items of one owner. */
  lengthOf(owner: string): number {
    return this.#items.get(owner)?.length ?? 0;
  }

  add(owner: string, item: T): void {
    const items = this.#items.get(owner);
    if (items === undefined) this.#items.set(owner, [item]);
    else items.push(item);
    this.#length += 1;
  }

  /** Takes out the oldest item of the owner whose turn it is; that owner goes to the end. */
  next(): T | undefined {
    for (const [owner, items] of this.#items) {
      const item = items.shift();
      this.#items.delete(owner);
      if (items.length > 0) this.#items.set(owner, items);
      this.#length -= 1;
      return item;
    }
    return undefined;
  }

  /** Takes out an item before its turn. @returns false when it is not there (any more) */
  remove(owner: string, item: T): boolean {
    const items = this.#items.get(owner);
    const at = items?.indexOf(item) ?? -1;
    if (items === undefined || at < 0) return false;
    items.splice(at, 1);
    if (items.length === 0) this.#items.delete(owner);
    this.#length -= 1;
    return true;
  }
}
