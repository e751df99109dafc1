import type { Clock } from '../ports/clock.js';
import { pause } from './pause.js';

/** Something that runs again and again until stopped; never twice at the same time. */
export interface Repeating {
  /** Waits for the run that is under way. */
  stop(): Promise<void>;
}

/** Runs `task` now and then every `everyMs`, counted from the end of the run before. A run that fails is reported, and the next one tries again. */
export function repeat(clock: Clock, everyMs: number, task: () => Promise<void>, onError: (error: unknown) => void): Repeating {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await task();
      } catch (error) {
        onError(error);
      }
      await pause(clock, everyMs, stopping.signal);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
