import { describe, expect, it } from 'vitest';
import { lsbAction, lsbToOcf } from './lsb.js';

describe('an init script', () => {
  it('is asked for its status by a monitor', () => {
    expect(lsbAction('monitor')).toBe('status');
    expect(lsbAction('start')).toBe('start');
  });

  it.each([
    ['monitor', 0, 0],
    ['monitor', 1, 7],
    ['monitor', 2, 7],
    ['monitor', 3, 7],
    ['monitor', 4, 1],
    ['monitor', 150, 1],
    ['start', 0, 0],
    ['start', 5, 5],
    ['start', 6, 6],
    ['stop', 1, 1],
    ['stop', 99, 1],
  ])('%s that exits with %d means %d', (operation, code, rc) => {
    expect(lsbToOcf(operation, code)).toBe(rc);
  });
});
