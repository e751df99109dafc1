import { describe, expect, it } from 'vitest';
import { warmUp } from './warm-up.js';

describe('what a scheduling thread makes itself quick with', () => {
  it('is plans for a cluster that starts, and for one that is settled but for a failure', () => {
    const sizes = [...warmUp()];
    expect(sizes).toHaveLength(60);
    const [first = 0, ...others] = sizes;
    expect(first).toBeGreaterThan(400);
    expect(others.filter((size) => size === first)).toHaveLength(5);
    for (const size of others.filter((each) => each !== first)) {
      expect(size).toBeGreaterThanOrEqual(2);
      expect(size).toBeLessThan(40);
    }
  });
});
