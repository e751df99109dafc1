import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { NoSpareTime, SpareTime } from './spare-time.js';

/** Works for so long without a pause. */
function busy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

/** Work that the thread has of its own, all the time, until it is ended. */
function ownWork(): () => void {
  let over = false;
  const work = (): void => {
    busy(5);
    if (!over) setImmediate(work);
  };
  setImmediate(work);
  return () => {
    over = true;
  };
}

describe('the time that a thread has to spare', () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  const spareTime = (...parameters: ConstructorParameters<typeof SpareTime>): SpareTime => {
    const time = new SpareTime(...parameters);
    ends.push(() => {
      time.end();
    });
    return time;
  };

  /** Makes steps of 4 ms. @returns how many there were so far */
  const stepping = (time: SpareTime): (() => number) => {
    let steps = 0;
    const step = async (): Promise<void> => {
      for (;;) {
        await time.turn();
        busy(4);
        steps++;
      }
    };
    step().catch(() => undefined);
    return () => steps;
  };

  it('is given for one step at a time, however many want one, and what else there is to do has its turn in between', async () => {
    const time = spareTime();
    const seen: string[] = [];
    const step = async (name: string): Promise<void> => {
      await time.turn();
      seen.push(name);
      setImmediate(() => seen.push('other'));
    };
    await Promise.all([step('a'), step('b'), step('c')]);
    expect(seen.filter((name) => name !== 'other')).toEqual(['a', 'b', 'c']);
    expect(seen.slice(0, 4)).toEqual(['a', 'other', 'b', 'other']);
  });

  it('leaves the thread to itself for longer than it took', async () => {
    const steps = stepping(spareTime());
    const begunAt = performance.now();
    await sleep(500);
    expect(steps()).toBeGreaterThan(0);
    expect(steps() * 4).toBeLessThan((performance.now() - begunAt) / 2);
  });

  it('is not there while the thread has work of its own, and there again after that', async () => {
    const time = spareTime();
    const endWork = ownWork();
    ends.push(endWork);
    const steps = stepping(time);
    await sleep(1_000);
    // One before it was looked whether there is any.
    expect(steps()).toBeLessThanOrEqual(1);
    endWork();
    await expect.poll(steps, { timeout: 10_000 }).toBeGreaterThan(3);
  });

  it('is given up where the thread has work of its own all the time', async () => {
    const time = spareTime(100);
    ends.push(ownWork());
    const steps = async (): Promise<void> => {
      for (;;) {
        await time.turn();
        busy(4);
      }
    };
    await expect(steps()).rejects.toThrow(NoSpareTime);
  });

  it('is over for those who wait and for those who come when it was ended', async () => {
    const time = spareTime();
    await time.turn();
    const waiting = [time.turn(), time.turn()];
    time.end('enough');
    expect(await Promise.allSettled([...waiting, time.turn()])).toMatchObject([
      { status: 'rejected', reason: { name: 'NoSpareTime', message: 'enough' } },
      { status: 'rejected', reason: { name: 'NoSpareTime' } },
      { status: 'rejected', reason: { name: 'NoSpareTime' } },
    ]);
  });
});
