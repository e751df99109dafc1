import { LOOP_RESOLUTION_MS, LoopPauses } from '@systole/control-plane';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import { Gauge, Histogram, type Registry } from 'prom-client';

/** Bounds of what is counted, s; as an api has them. */
const COUNTED = [0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10];
const LOOP = { loop: 'worker' };

/** Shows for how long a worker that runs alone did one thing and came to nothing else, until the function that is returned is called. Where a worker is part of an api's process, that shows its loop. */
export function showEventLoop(registry: Registry): () => void {
  const counted = new Histogram({
    name: 'systole_event_loop_pauses_seconds',
    help: 'How often a thread did one thing for so long and came to nothing else.',
    labelNames: ['loop'],
    buckets: COUNTED,
    registers: [registry],
  });
  const pauses = new LoopPauses(SYSTEM_CLOCK, (pauseMs) => {
    counted.observe(LOOP, pauseMs / 1_000);
  });
  const looking = setInterval(() => {
    pauses.look();
  }, LOOP_RESOLUTION_MS).unref();
  new Gauge({
    name: 'systole_event_loop_longest_pause_seconds',
    help: 'The longest time for which a thread did one thing and came to nothing else, of the last 60 to 70 seconds; leases are judged in `worker`.',
    labelNames: ['loop'],
    registers: [registry],
    collect() {
      pauses.look();
      this.set(LOOP, pauses.longestMs / 1_000);
    },
  });
  return () => {
    clearInterval(looking);
  };
}
