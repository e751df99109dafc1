import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge } from 'prom-client';
import type { HttpMetrics } from './http-metrics.js';

/** Which of a process's event loops: `main` serves agents (and moves clusters, where worker and api are one process), `operators` the thread for operators. */
export type LoopName = 'main' | 'operators';

/** How finely pauses are seen, ms; shorter ones are none. */
const RESOLUTION_MS = 10;

/** Shows for how long this thread's event loop came to nothing else. */
export function showEventLoop(metrics: HttpMetrics, loop: LoopName): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  metrics.register(
    new Gauge({
      name: 'systole_event_loop_longest_pause_seconds',
      help: 'The longest time for which a thread did one thing and came to nothing else, since metrics were asked for last; leases are renewed in `main`.',
      labelNames: ['loop'],
      registers: [],
      aggregator: 'max',
      collect() {
        // What is measured is the time from one turn to the next, of which so much is the measuring's own.
        const longestMs = delays.max / 1_000_000 - RESOLUTION_MS;
        this.set({ loop }, Math.max(0, longestMs) / 1_000);
        delays.reset();
      },
    }),
  );
}
