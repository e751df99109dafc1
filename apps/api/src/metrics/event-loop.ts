import { LOOP_RESOLUTION_MS, LoopPauses } from '@systole/control-plane';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import { Gauge, Histogram } from 'prom-client';
import type { HttpMetrics } from './http-metrics.js';

/** Which of a process's event loops: `main` serves agents (and moves clusters, where worker and api are one process), `operators` the thread for operators. */
export type LoopName = 'main' | 'operators';

/** Bounds of what is counted, s. */
const COUNTED = [0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10];

/**
 * Shows for how long this thread's event loop came to nothing else, until the function that is returned is called.
 */
export function showEventLoop(metrics: HttpMetrics, loop: LoopName): () => void {
  const counted = new Histogram({
    name: 'systole_event_loop_pauses_seconds',
    help: 'How often a thread did one thing for so long and came to nothing else.',
    labelNames: ['loop'],
    buckets: COUNTED,
    registers: [],
  });
  const pauses = new LoopPauses(SYSTEM_CLOCK, (pauseMs) => {
    counted.observe({ loop }, pauseMs / 1_000);
  });
  const looking = setInterval(() => {
    pauses.look();
  }, LOOP_RESOLUTION_MS).unref();
  metrics.register(counted);
  metrics.register(
    new Gauge({
      name: 'systole_event_loop_longest_pause_seconds',
      help: 'The longest time for which a thread did one thing and came to nothing else, of the last 60 to 70 seconds; leases are renewed in `main`.',
      labelNames: ['loop'],
      registers: [],
      aggregator: 'max',
      collect() {
        pauses.look();
        this.set({ loop }, pauses.longestMs / 1_000);
      },
    }),
  );
  return () => {
    clearInterval(looking);
  };
}
