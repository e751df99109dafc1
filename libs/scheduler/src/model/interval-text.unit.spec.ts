import { expect, it } from 'vitest';
import { intervalText } from './interval-text.js';

it.each([
  [0, '0s'],
  [999, '999ms'],
  [1000, '1000ms'],
  [1001, '1.001s'],
  [10_000, '10s'],
  [60_000, '60s'],
  [60_001, '1m1ms'],
  [61_000, '1m1000ms'],
  [90_500, '1m30.500s'],
  [3_600_000, '60m'],
  [5_400_000, '1h30m'],
  [86_400_000, '24h'],
  [90_061_001, '1d1h1m1.001s'],
])('writes %i ms as %s', (interval, text) => {
  expect(intervalText(interval)).toBe(text);
});
