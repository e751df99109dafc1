import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long one piece of work holds the event loop, ms: timers, leases and answers wait for it. */
const SLICE_MS = 8;

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
