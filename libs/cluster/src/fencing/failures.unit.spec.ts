import { describe, expect, it } from 'vitest';
import { EPOCH, option, threeNodes } from '../testing/stream.js';
import { mostFencingFailures, recheckIntervalMs, retryPauseMs } from './failures.js';

describe('fencing that failed', () => {
  it('is tried again after 2, 4, 8 … s, at most a minute', () => {
    expect([0, 1, 2, 3, 5, 6, 60].map(retryPauseMs)).toEqual([0, 2_000, 4_000, 8_000, 32_000, 60_000, 60_000]);
  });

  it('is tried so often as the option says, without end for INFINITY', () => {
    const most = (text: string): number => mostFencingFailures(threeNodes({ options: option('stonith-max-attempts', text) }).cib, EPOCH);
    expect([most('3'), most('INFINITY')]).toEqual([3, Infinity]);
  });

  it('is not looked at again by itself where the interval is 0', () => {
    const interval = (text: string): number =>
      recheckIntervalMs(threeNodes({ options: option('cluster-recheck-interval', text) }).cib, EPOCH);
    expect([interval('5min'), interval('0')]).toEqual([300_000, Infinity]);
  });
});
