import { Gauge } from 'prom-client';
import type { HttpMetrics } from './http-metrics.js';

/** Which of a process's event loops: `main` serves agents (and moves clusters, where worker and api are one process), `operators` the thread for operators. */
export type LoopName = 'main' | 'operators';

/** How finely pauses are seen, ms; shorter ones are none. */
const RESOLUTION_MS = 10;

/**
 * Shows for how long this thread's event loop came to nothing else, until the function that is returned is called.
 *
 * Node's own `monitorEventLoopDelay` forgets with each reset when it was last at work, so that a
 * pause which begins before its next turn is never seen; here what is forgotten is the longest
 * pause alone.
 */
export function showEventLoop(metrics: HttpMetrics, loop: LoopName): () => void {
  let turnedAt = performance.now();
  let longestMs = 0;
  const look = () => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - turnedAt - RESOLUTION_MS);
    turnedAt = now;
  };
  const looking = setInterval(look, RESOLUTION_MS).unref();
  metrics.register(
    new Gauge({
      name: 'systole_event_loop_longest_pause_seconds',
      help: 'The longest time for which a thread did one thing and came to nothing else, since metrics were asked for last; leases are renewed in `main`.',
      labelNames: ['loop'],
      registers: [],
      aggregator: 'max',
      collect() {
        look();
        this.set({ loop }, longestMs / 1_000);
        longestMs = 0;
      },
    }),
  );
  return () => {
    clearInterval(looking);
  };
}
