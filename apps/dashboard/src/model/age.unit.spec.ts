import { describe, expect, it } from 'vitest';
import { ageOf } from './age.js';

describe('ageOf', () => {
  it('is a quiet word while the picture is refreshed', () => {
    const { stale, text } = ageOf(1_000_000, 1_005_000);
    expect(stale).toBe(false);
    expect(text).toMatch(/^As of /);
  });

  it('says how old a picture is that nobody refreshed', () => {
    expect(ageOf(1_000_000, 1_060_000).stale).toBe(true);
    expect(ageOf(1_000_000, 1_060_000).text).toContain('60 s old');
    expect(ageOf(1_000_000, 1_000_000 + 600_000).stale).toBe(true);
    expect(ageOf(1_000_000, 1_000_000 + 600_000).text).toContain('10 min old');
  });

  it('does not call a picture fresh when the clock was set back', () => {
    expect(ageOf(5_000_000, 1_000_000).stale).toBe(true);
    expect(ageOf(5_000_000, 1_000_000).text).toContain('unknown age');
  });
});
