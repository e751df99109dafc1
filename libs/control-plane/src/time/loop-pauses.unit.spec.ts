import { describe, expect, it } from 'vitest';
import { LongestPause, LoopPauses } from './loop-pauses.js';

describe('the longest pause of the last minute', () => {
  it('is shown to all who ask, for a minute and a little more', () => {
    const longest = new LongestPause();
    expect(longest.at(0)).toBe(0);
    longest.note(200, 5_000);
    longest.note(300, 6_000);
    longest.note(250, 7_000);
    longest.note(100, 40_000);
    for (const now of [7_000, 30_000, 66_000]) expect([longest.at(now), longest.at(now)]).toEqual([300, 300]);
    expect(longest.at(71_000)).toBe(100);
    expect(longest.at(111_000)).toBe(0);
  });
});

describe('the pauses of an event loop', () => {
  it('are what a look comes later than it should, where that is long enough', () => {
    let now = 0;
    const told: number[] = [];
    const pauses = new LoopPauses({ monotonic: () => now }, (pauseMs) => told.push(pauseMs));
    for (now of [10, 20, 35, 135, 145]) pauses.look();
    expect(told).toEqual([90]);
    expect(pauses.longestMs).toBe(90);
  });
});
