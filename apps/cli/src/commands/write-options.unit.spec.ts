import { describe, expect, it } from 'vitest';
import { milliseconds } from './write-options.js';

describe('a duration on the command line', () => {
  it('has a unit, or is in milliseconds', () => {
    expect(['10s', '2min', '200ms', 'PT1M', '10000'].map(milliseconds)).toEqual([10_000, 120_000, 200, 60_000, 10_000]);
  });

  it('is refused where it is none', () => {
    for (const text of ['', 'soon', '-5s', '0']) expect(() => milliseconds(text)).toThrow(/Give a duration/);
  });
});
