import { describe, expect, it } from 'vitest';
import { slotOrder } from './slot-order.js';

const walk = (keys: readonly string[]): string => slotOrder(keys, (key) => key).join(' ');

describe('slotOrder', () => {
  it('walks a small table by slot, not in the order in which it was filled', () => {
    expect(walk(['1', '2', '3'])).toBe('1 3 2');
  });

  it('moves entries to other slots as the table grows, as the reference does (compared with its output)', () => {
    const names = 'cpu memory disk gpu net io slots licences cores threads swap cache bandwidth ports tokens shares weight'.split(' ');
    expect(walk(names)).toBe('cache tokens licences net bandwidth weight io cpu gpu swap shares ports cores threads slots memory disk');
  });

  it('keeps every item, however many there are', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `n${index}`);
    expect(slotOrder(keys, (key) => key).sort()).toEqual(keys.sort());
  });
});
