import { describe, expect, it } from 'vitest';
import { FairLine } from './fair-line.js';

describe('a fair line', () => {
  it('lets owners take turns, each in the order of what it asked', () => {
    const line = new FairLine<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) line.add(item.charAt(0), item);
    expect(line.length).toBe(6);
    expect(Array.from({ length: 7 }, () => line.next())).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined]);
    expect(line.length).toBe(0);
  });

  it('gives an item back before its turn, once', () => {
    const line = new FairLine<string>();
    line.add('a', 'a1');
    line.add('a', 'a2');
    expect([line.remove('a', 'a1'), line.remove('a', 'a1'), line.remove('b', 'a2')]).toEqual([true, false, false]);
    expect([line.length, line.lengthOf('a'), line.next(), line.lengthOf('a')]).toEqual([1, 1, 'a2', 0]);
  });
});
