import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long one piece of work holds the event loop, ms: timers, leases and answers wait for it. */
const SLICE_MS = 8;

/**
 * Begins long work whose steps may wait for something.
 *
 * @returns to be called between two steps: lets everything else have its turn when it is time
 */
export function slices(): () => Promise<void> {
  let until = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < until) return;
    await nextTurn();
    until = performance.now() + SLICE_MS;
  };
}

/** Does long work bit by bit, and lets everything else have its turn in between. The steps must be short. */
export async function inSlices<Result>(steps: Iterator<unknown, Result, undefined>): Promise<Result> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await nextTurn();
  }
}
