import { describe, expect, it } from 'vitest';
import { RateLimit } from './rate-limit.js';

describe('a rate limit', () => {
  it('lets a burst pass, then so many in a second, and says when to come again', () => {
    const limit = new RateLimit({ perSecond: 2, burst: 3 });
    expect([1, 2, 3, 4].map(() => limit.take('a', 0))).toEqual([0, 0, 0, 500]);
    expect(limit.take('b', 0)).toBe(0);
    expect(limit.take('a', 499)).toBe(1);
    expect(limit.take('a', 500)).toBe(0);
    expect(limit.take('a', 500)).toBe(500);
  });

  it('never saves up more than its burst', () => {
    const limit = new RateLimit({ perSecond: 2, burst: 3 });
    limit.take('a', 0);
    expect([1, 2, 3, 4].map(() => limit.take('a', 1_000_000))).toEqual([0, 0, 0, 500]);
  });

  it('makes those wait longer and longer who go on all the same, up to ten minutes', () => {
    const limit = new RateLimit({ perSecond: 2, burst: 1 });
    limit.charge('a', 0);
    expect(limit.waitOf('a', 0)).toBe(500);
    limit.charge('a', 0, 4);
    expect(limit.waitOf('a', 0)).toBe(2_500);
    limit.charge('a', 0, 1_000_000);
    expect(limit.waitOf('a', 0)).toBe(600_000);
    expect(limit.waitOf('b', 0)).toBe(0);
  });

  it('lets nobody wait for longer than it is told, however much was used', () => {
    const limit = new RateLimit({ perSecond: 2, burst: 1 }, 2_000);
    limit.charge('a', 0, 1_000_000);
    expect([limit.waitOf('a', 0), limit.waitOf('a', 2_000)]).toEqual([2_000, 0]);
  });

  it('forgets keys that have been idle', () => {
    const limit = new RateLimit({ perSecond: 1, burst: 1 });
    for (let key = 0; key < 20_000; key++) limit.take(`k${key}`, key);
    // Those within the last second are remembered.
    expect([limit.take('k19999', 20_000), limit.take('k0', 20_000)]).toEqual([999, 0]);
  });
});
