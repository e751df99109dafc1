import { Gauge, Histogram } from 'prom-client';
import type { HttpMetrics } from './http-metrics.js';

/** Which of a process's event loops: `main` serves agents (and moves clusters, where worker and api are one process), `operators` the thread for operators. */
export type LoopName = 'main' | 'operators';

/** How finely pauses are seen, ms; shorter ones are none. */
const RESOLUTION_MS = 10;
/** For how long a pause is shown at least, and by how much longer at most, ms. */
const SHOWN_MS = 60_000;
const BUCKET_MS = 10_000;
/** Bounds of what is counted, s. */
const COUNTED = [0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10];

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
 * Shows for how long this thread's event loop came to nothing else, until the function that is returned is called.
 *
 * Node's own `monitorEventLoopDelay` forgets with each reset when it was last at work, so that a
 * pause which begins before its next turn is never seen; and what is reset by whoever asks is hidden
 * from all others who ask.
 */
export function showEventLoop(metrics: HttpMetrics, loop: LoopName): () => void {
  let turnedAt = performance.now();
  const longest = new LongestPause();
  const counted = new Histogram({
    name: 'systole_event_loop_pauses_seconds',
    help: 'How often a thread did one thing for so long and came to nothing else.',
    labelNames: ['loop'],
    buckets: COUNTED,
    registers: [],
  });
  const look = () => {
    const now = performance.now();
    const pauseMs = now - turnedAt - RESOLUTION_MS;
    turnedAt = now;
    if (pauseMs < RESOLUTION_MS) return;
    longest.note(pauseMs, now);
    counted.observe({ loop }, pauseMs / 1_000);
  };
  const looking = setInterval(look, RESOLUTION_MS).unref();
  metrics.register(counted);
  metrics.register(
    new Gauge({
      name: 'systole_event_loop_longest_pause_seconds',
      help: 'The longest time for which a thread did one thing and came to nothing else, of the last 60 to 70 seconds; leases are renewed in `main`.',
      labelNames: ['loop'],
      registers: [],
      aggregator: 'max',
      collect() {
        look();
        this.set({ loop }, longest.at(performance.now()) / 1_000);
      },
    }),
  );
  return () => {
    clearInterval(looking);
  };
}
