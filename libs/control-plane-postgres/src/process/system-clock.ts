import { randomUUID } from 'node:crypto';
import type { Chance, Clock } from '@systole/control-plane';

/** The clocks and timers of this process. */
export const SYSTEM_CLOCK: Clock = {
  timeOfDay: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

export const SYSTEM_CHANCE: Chance = { uuid: () => randomUUID(), fraction: () => Math.random() };
