const MINUTE_MS = 60_000;

/** Between attempts with one event, ms; the last one from then on. */
const WAITS_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS];

/** No wait is longer, ms. */
export const LONGEST_WAIT_MS = 75 * MINUTE_MS;

/**
 * How long to wait after so many attempts in vain, ms. Up to a quarter longer by chance, so that receivers that come back are not asked by everybody at once.
 *
 * @param attempts from 1
 * @param chance from 0 to below 1
 */
export function waitAfter(attempts: number, chance: number): number {
  const wait = WAITS_MS[Math.min(attempts, WAITS_MS.length) - 1] ?? MINUTE_MS;
  return Math.round(wait * (1 + chance / 4));
}
