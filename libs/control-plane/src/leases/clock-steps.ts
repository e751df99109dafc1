import type { Look } from './look.js';

/** Less than this is the noise of measuring, ms. */
const SMALLEST_STEP_MS = 3_000;

/** Tells steps of the database's clock, by comparison with this process's monotonic one. A clock that only runs fast or slow does not step. */
export class ClockSteps {
  private last: (Look & { readonly time: number }) | undefined;

  /**
   * @param time epoch ms, as the database told it during this look
   * @returns by how many ms the clock stepped since the look before, forwards when positive; 0: it did not
   */
  see(time: number, look: Look): number {
    const { last } = this;
    this.last = { ...look, time };
    if (!last) return 0;
    const passed = time - last.time;
    const most = look.answered - last.asked;
    const least = look.asked - last.answered;
    if (passed - most > SMALLEST_STEP_MS) return Math.round(passed - most);
    return least - passed > SMALLEST_STEP_MS ? Math.round(passed - least) : 0;
  }
}
