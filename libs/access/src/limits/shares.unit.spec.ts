import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Shares } from './shares.js';

describe('shares', () => {
  it('refuse what is more than one owner may have, and what is more than there is', () => {
    const shares = new Shares({ total: 5, each: 3 });
    expect([shares.take('a', 3), shares.take('a'), shares.take('b', 2), shares.take('c')]).toEqual([undefined, 'own', undefined, 'total']);
    shares.give('a', 1);
    expect([shares.take('c'), shares.total]).toEqual([undefined, 5]);
  });

  it('are never above their limits, and empty when all was given back', () => {
    const step = fc.record({ owner: fc.constantFrom('a', 'b', 'c'), amount: fc.integer({ min: 1, max: 4 }), take: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const shares = new Shares({ total: 8, each: 5 });
        const held: { owner: string; amount: number }[] = [];
        for (const { owner, amount, take } of steps) {
          if (take && shares.take(owner, amount) === undefined) held.push({ owner, amount });
          const back = take ? undefined : held.pop();
          if (back !== undefined) shares.give(back.owner, back.amount);
          const own = (name: string): number => held.reduce((sum, one) => sum + (one.owner === name ? one.amount : 0), 0);
          expect(shares.total).toBe(held.reduce((sum, one) => sum + one.amount, 0));
          expect(shares.total).toBeLessThanOrEqual(8);
          for (const name of ['a', 'b', 'c']) expect(own(name)).toBeLessThanOrEqual(5);
        }
        for (const { owner, amount } of held.splice(0)) shares.give(owner, amount);
        expect(shares.take('a', 5)).toBeUndefined();
      }),
    );
  });
});
