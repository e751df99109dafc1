import { describe, expect, it } from 'vitest';
import { LONGEST_WAIT_MS, waitAfter } from './back-off.js';

describe('the wait before an event is tried again', () => {
  it('grows to an hour, and by chance a quarter more', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 1_000].map((attempts) => waitAfter(attempts, 0) / 1_000);
    expect(waits).toEqual([5, 30, 120, 600, 1_800, 3_600, 3_600, 3_600]);
    expect(waitAfter(1, 0.5)).toBe(5_625);
    expect(waitAfter(1_000, 0.999)).toBeLessThan(LONGEST_WAIT_MS);
  });
});
