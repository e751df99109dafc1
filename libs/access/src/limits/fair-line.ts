/** A line in which owners take turns: whoever has asked for much waits behind what others asked for once. */
export class FairLine<T> {
  /** Owners in the order of their turns; each has at least one item. */
  readonly #items = new Map<string, T[]>();
  /** Who had the last turn. */
  #last: string | undefined;
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

  /**
   * Takes out the oldest item of the owner whose turn it is. Whoever had the last turn comes behind all who wait by now: what has come meanwhile waits for
   * nothing more of the one whose turn it was.
   */
  next(): T | undefined {
    const last = this.#last === undefined ? undefined : this.#items.get(this.#last);
    if (this.#last !== undefined && last !== undefined) {
      this.#items.delete(this.#last);
      this.#items.set(this.#last, last);
    }
    for (const [owner, items] of this.#items) {
      const item = items.shift();
      if (items.length === 0) this.#items.delete(owner);
      this.#last = owner;
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
