/** Conflicts after which somebody else is expected to be faster the next time, too. */
const CONFLICTS = 3;
/** What takes so long to decide, ms, loses against whoever appends more often than that. */
const LONG_MS = 100;
/** What takes so long to decide, ms, does not share the hold of a stream with others. */
const ALONE_MS = 1_000;

/** How the attempts of a group fare against other processes that append to the same stream. */
export class Contention {
  #conflicts = 0;
  #longestMs = 0;
  #conflictedAt: number | undefined;

  /** Attempts that were lost. */
  get conflicts(): number {
    return this.#conflicts;
  }

  /** Highest version that an attempt was decided on which met a conflict; undefined when none did. */
  get conflictedAt(): number | undefined {
    return this.#conflictedAt;
  }

  /** Whether further attempts would be lost, too, unless the stream is held for them. */
  get isHopeless(): boolean {
    return this.#conflicts >= CONFLICTS || (this.#conflicts > 0 && this.#longestMs >= LONG_MS);
  }

  /** Whether deciding takes so long that it is better done for one after the other. */
  get isLong(): boolean {
    return this.#longestMs >= ALONE_MS;
  }

  decided(tookMs: number): void {
    this.#longestMs = Math.max(this.#longestMs, tookMs);
  }

  /** @param version that was judged; undefined when it did not come to that */
  conflict(version: number | undefined): void {
    this.#conflicts += 1;
    this.#conflictedAt = version ?? this.#conflictedAt;
  }
}
