import { describe, expect, it } from 'vitest';
import { LargeBodies } from './large-bodies.js';

describe('large bodies', () => {
  it('of one owner take turns, and do not wait for those of another', async () => {
    const bodies = new LargeBodies();
    const order: string[] = [];
    const work = async (owner: string, name: string): Promise<() => void> => {
      const end = await bodies.turn(owner);
      order.push(name);
      return end;
    };
    const end = await work('a', 'a1');
    const second = work('a', 'a2');
    const third = work('a', 'a3');
    (await work('b', 'b1'))();
    expect(order).toEqual(['a1', 'b1']);
    end();
    end();
    const endSecond = await second;
    expect(order).toEqual(['a1', 'b1', 'a2']);
    endSecond();
    (await third)();
    (await work('a', 'a4'))();
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  });

  it('are refused when too many of one owner wait', async () => {
    const bodies = new LargeBodies();
    const end = await bodies.turn('a');
    const waiting = Array.from({ length: 8 }, () => bodies.turn('a'));
    await expect(bodies.turn('a')).rejects.toMatchObject({ status: 429, code: 'too-many-bodies' });
    end();
    for (const turn of waiting) (await turn)();
    (await bodies.turn('a'))();
  });

  it('of different owners are read in different turns of the event loop', async () => {
    const bodies = new LargeBodies();
    let turns = 0;
    let counting = true;
    const count = (): void => {
      turns += 1;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const readAt = await Promise.all(
      Array.from({ length: 6 }, async (_, owner) => {
        const end = await bodies.turn(String(owner));
        const at = turns;
        end();
        return at;
      }),
    );
    counting = false;
    expect(new Set(readAt).size).toBe(6);
  });
});
