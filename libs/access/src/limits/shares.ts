/** How much there is of something that requests use for a while: bytes, streams, places in a line. */
export interface ShareLimits {
  /** For everybody together. */
  readonly total: number;
  /** For one owner, e.g. one token. */
  readonly each: number;
}

/** Who has used up what: the one who asks, or all together. */
export type ShareRefusal = 'own' | 'total';

/** Counts what is in use, by owner. An amount that was taken has to be given back. */
export class Shares {
  readonly #used = new Map<string, number>();
  #total = 0;

  constructor(readonly limits: ShareLimits) {}

  /** In use by everybody. */
  get total(): number {
    return this.#total;
  }

  /** @returns what stands against it; nothing is taken then */
  take(owner: string, amount = 1): ShareRefusal | undefined {
    const own = (this.#used.get(owner) ?? 0) + amount;
    if (own > this.limits.each) return 'own';
    if (this.#total + amount > this.limits.total) return 'total';
    this.#used.set(owner, own);
    this.#total += amount;
    return undefined;
  }

  give(owner: string, amount = 1): void {
    const left = (this.#used.get(owner) ?? 0) - amount;
    if (left > 0) this.#used.set(owner, left);
    else this.#used.delete(owner);
    this.#total -= amount;
  }
}
