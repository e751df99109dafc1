import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** How long steps may go on one after the other before everything else has the thread for itself, ms. */
const SLICE_MS = 3;
/** How long it has it then: so many times what the steps took. */
const REST_SHARE = 2;
const LEAST_REST_MS = 5;
/** At most so long, ms: steps that took longer than half of it were kept waiting for a processor, and took nothing of it meanwhile. */
const MOST_REST_MS = 30;
/** A thread that had more to do than this while nothing was done here has work of its own. */
const BUSY_ABOVE = 0.5;
/** Until it is looked again whether it still has, ms: twice as long each time. */
const FIRST_LOOK_MS = 20;
const LAST_LOOK_MS = 320;
/** Who had to stand back for so long in all is not needed: what works has become quick by that. ms */
const GIVES_UP_AFTER_MS = 30_000;

/** There is no time to spare any more. */
export class NoSpareTime extends Error {
  override readonly name = 'NoSpareTime';
}

/**
 * The time of this thread that nobody needs, in steps of some milliseconds: one at a time, with pauses in which everything else has its turn. As long as the thread has work of its own there is none.
 */
export class SpareTime {
  private readonly waiting: { readonly begin: () => void; readonly refuse: (reason: Error) => void }[] = [];
  private over: NoSpareTime | undefined;
  private giving = false;
  private stoodBackMs = 0;

  /** @param givesUpAfterMs how long it stands back in all before there is no further step */
  constructor(private readonly givesUpAfterMs = GIVES_UP_AFTER_MS) {}

  /** Resolves when the next step may be made. @throws {NoSpareTime} (rejects) when there is to be no further one */
  readonly turn = (): Promise<void> =>
    new Promise((begin, refuse) => {
      if (this.over !== undefined) {
        refuse(this.over);
        return;
      }
      this.waiting.push({ begin, refuse });
      if (this.giving) return;
      this.giving = true;
      void this.give();
    });

  /** No further step is made. */
  end(why = 'the process ends'): void {
    this.over ??= new NoSpareTime(why);
    for (const { refuse } of this.waiting.splice(0)) refuse(this.over);
  }

  /** Never rejects. */
  private async give(): Promise<void> {
    let usedMs = 0;
    await nextTurn();
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      const begunAt = performance.now();
      next.begin();
      // What the step begins comes before this goes on.
      await Promise.resolve();
      await nextTurn();
      usedMs += performance.now() - begunAt;
      if (usedMs < SLICE_MS) continue;
      await this.rest(usedMs);
      usedMs = 0;
    }
    this.giving = false;
  }

  private async rest(usedMs: number): Promise<void> {
    let restMs = Math.min(MOST_REST_MS, Math.max(LEAST_REST_MS, usedMs * REST_SHARE));
    for (let lookMs = FIRST_LOOK_MS; (await busyShareIn(restMs)) > BUSY_ABOVE; lookMs = Math.min(LAST_LOOK_MS, lookMs * 2)) {
      this.stoodBackMs += restMs;
      if (this.stoodBackMs > this.givesUpAfterMs) this.end('the thread has work of its own all the time');
      if (this.over !== undefined) return;
      restMs = lookMs;
    }
  }
}

/** What share of the next so many ms this thread is at work. */
async function busyShareIn(ms: number): Promise<number> {
  const before = performance.eventLoopUtilization();
  await sleep(ms, undefined, { ref: false });
  return performance.eventLoopUtilization(before).utilization;
}
