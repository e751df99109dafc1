import type { Clock } from '../ports/clock.js';

/** How finely pauses are seen, ms; shorter ones are none. Whoever watches a loop looks so often. */
export const LOOP_RESOLUTION_MS = 10;
/** For how long a pause is shown at least, and by how much longer at most, ms. */
const SHOWN_MS = 60_000;
const BUCKET_MS = 10_000;

/** The longest pause of the last minute, whoever asks how often. */
export class LongestPause {
  /** Of each piece of time its number, and its longest pause. */
  #pieces: readonly (readonly [piece: number, longestMs: number])[] = [];

  /** @param now when it ended, ms of one clock */
  note(pauseMs: number, now: number): void {
    const piece = Math.floor(now / BUCKET_MS);
    const longest = Math.max(pauseMs, this.#pieces.find(([each]) => each === piece)?.[1] ?? 0);
    this.#pieces = [...this.#shown(now).filter(([each]) => each !== piece), [piece, longest]];
  }

  /** ms; 0 when there was none. */
  at(now: number): number {
    return Math.max(0, ...this.#shown(now).map(([, longest]) => longest));
  }

  #shown(now: number): readonly (readonly [piece: number, longestMs: number])[] {
    return this.#pieces.filter(([piece]) => (piece + 1) * BUCKET_MS > now - SHOWN_MS);
  }
}

/**
 * For how long a thread's event loop came to nothing else, as whoever calls {@link LoopPauses.look} every LOOP_RESOLUTION_MS finds out.
 *
 * Node's own `monitorEventLoopDelay` forgets with each reset when it was last at work, so that a
 * pause which begins before its next turn is never seen; and what is reset by whoever asks is hidden
 * from all others who ask.
 */
export class LoopPauses {
  readonly #longest = new LongestPause();
  #turnedAt: number;

  /** @param onPause hears of each pause, ms. Must not throw */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly onPause: (pauseMs: number) => void,
  ) {
    this.#turnedAt = clock.monotonic();
  }

  look(): void {
    const now = this.clock.monotonic();
    const pauseMs = now - this.#turnedAt - LOOP_RESOLUTION_MS;
    this.#turnedAt = now;
    if (pauseMs < LOOP_RESOLUTION_MS) return;
    this.#longest.note(pauseMs, now);
    this.onPause(pauseMs);
  }

  /** Of the last 60 to 70 seconds, ms; 0 when there was none. */
  get longestMs(): number {
    return this.#longest.at(this.clock.monotonic());
  }
}
