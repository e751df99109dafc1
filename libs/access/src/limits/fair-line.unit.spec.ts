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

  it('lets whoever comes go before one who has just had a turn, however much that one asked before', () => {
    const line = new FairLine<string>();
    for (const item of ['a1', 'a2', 'a3']) line.add('a', item);
    expect(line.next()).toBe('a1');
    line.add('b', 'b1');
    line.add('c', 'c1');
    line.add('b', 'b2');
    expect(Array.from({ length: 5 }, () => line.next())).toEqual(['b1', 'c1', 'a2', 'b2', 'a3']);
    // Nobody keeps a place by having asked long ago.
    line.add('a', 'a4');
    line.add('b', 'b3');
    expect([line.next(), line.next()]).toEqual(['b3', 'a4']);
  });

  it('gives an item back before its turn, once', () => {
    const line = new FairLine<string>();
    line.add('a', 'a1');
    line.add('a', 'a2');
    expect([line.remove('a', 'a1'), line.remove('a', 'a1'), line.remove('b', 'a2')]).toEqual([true, false, false]);
    expect([line.length, line.lengthOf('a'), line.next(), line.lengthOf('a')]).toEqual([1, 1, 'a2', 0]);
  });
});
