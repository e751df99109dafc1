import { describe, expect, it } from 'vitest';
import { ShortestLease } from './shortest-lease.js';

describe('the shortest lease that is held', () => {
  let now = 0;
  const shortest = (setMs: number): ShortestLease => {
    now = 0;
    return new ShortestLease(setMs, () => now);
  };
  const renewFor = (lease: ShortestLease, ms: number, ...lengths: readonly number[]): void => {
    for (const end = now + ms; now < end; now += 2_000) for (const length of lengths) lease.renewed(length);
  };

  it('is what is set by default until enough was seen, and what is set from then on', () => {
    const lease = shortest(120_000);
    expect(lease.ms).toBe(10_000);
    renewFor(lease, 60_000, 120_000);
    expect(lease.ms).toBe(10_000);
    renewFor(lease, 240_000, 120_000);
    expect(lease.ms).toBe(120_000);
  });

  it('is that of a node that joined when less was set, as long as it renews it', () => {
    const lease = shortest(60_000);
    renewFor(lease, 600_000, 60_000, 5_000);
    expect(lease.ms).toBe(5_000);
    renewFor(lease, 240_000, 60_000);
    expect(lease.ms).toBe(60_000);
  });

  it('is not forgotten while nobody arrives', () => {
    const lease = shortest(60_000);
    renewFor(lease, 600_000, 60_000, 5_000);
    now += 3_600_000;
    expect(lease.ms).toBe(5_000);
  });

  it('is what is set where that is less than any', () => {
    expect(shortest(3_000).ms).toBe(3_000);
  });
});
