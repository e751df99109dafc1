import type { Clock } from '../ports/clock.js';

/** What nobody has asked for in so long may be forgotten, ms: twice the longest lease that a server grants, and the longest span between two notes of one kind. */
export const LINGERS_MS = 2 * 60 * 60_000;

/**
 * A map of what this process happens to know, by what it is about: forgets what was neither read nor written for some time, so that it is as large as what is active. Whoever
 * keeps something here must do as well without: it is gone with the process, too.
 *
 * An entry lives as long as the generation that it was last touched in, and the one after that: for once to twice the time. Reading and writing cost the same however much
 * is kept; nothing is ever looked through.
 */
export class LingeringMap<V> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();
  /** When the young generation began, monotonic ms. */
  private since: number;

  /** @param lingersMs for how long an entry is kept at least */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly lingersMs = LINGERS_MS,
  ) {
    this.since = clock.monotonic();
  }

  /** How many entries there are. */
  get size(): number {
    this.age();
    return this.young.size + this.old.size;
  }

  get(key: string): V | undefined {
    this.age();
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const old = this.old.get(key);
    if (old !== undefined) this.put(key, old);
    return old;
  }

  set(key: string, value: V): void {
    this.age();
    this.put(key, value);
  }

  delete(key: string): void {
    this.young.delete(key);
    this.old.delete(key);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }

  private put(key: string, value: V): void {
    this.young.set(key, value);
    this.old.delete(key);
  }

  private age(): void {
    const now = this.clock.monotonic();
    const generations = Math.floor((now - this.since) / this.lingersMs);
    if (generations < 1) return;
    this.old = generations === 1 ? this.young : new Map<string, V>();
    this.young = new Map();
    this.since = now;
  }
}
