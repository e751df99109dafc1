import { describe, expect, it } from 'vitest';
import { ClockWatch } from '../watches/clock-watch.js';
import { ClusterMoments } from './cluster-moments.js';

describe('the moment for which a cluster is computed', () => {
  it('is the same for some seconds at one version, and never one to come', () => {
    let now = 100_000;
    const clock = new ClockWatch(
      { now: () => Promise.reject(new Error('away')) },
      () => 0,
      () => now,
    );
    const moments = new ClusterMoments(clock);
    expect(moments.of('c', 1)).toBe(100);
    now += 3_000;
    expect([moments.of('c', 1), moments.of('c', 2)]).toEqual([100, 103]);
    // Another moment at another version; and the clock went back from a wrong time.
    now += 86_400_000;
    expect(moments.of('c', 2)).toBe(86_503);
    now = 104_000;
    expect(moments.of('c', 2)).toBe(104);
  });
});
