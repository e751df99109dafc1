import { describe, expect, it } from 'vitest';
import { sectionOf } from './state-snapshots.js';

describe('the sections of which one snapshot is kept', () => {
  it.each([
    [200, 10_000, 1],
    [1_000_000, 10_000, 4_096],
    [1_000_000, 4 * 1024 * 1024, 16_384],
    [1_000_000, 1024 * 1024 * 1024, 131_072],
  ])('in %i versions of %i letters each have %i', (versions, length, section) => {
    expect(sectionOf(versions, length)).toBe(section);
  });

  it('hold shorter ones whole, so that what is kept once is kept as long as it may be', () => {
    for (let versions = 1_000; versions < 10_000_000; versions *= 3) {
      const [now, later] = [sectionOf(versions, 50_000), sectionOf(versions * 3, 50_000)];
      expect(later % now).toBe(0);
    }
  });
});
