import { describe, expect, it } from 'vitest';
import { DeadlineExceeded, retryWithin, within } from './deadline.js';

const never = new Promise<never>(() => undefined);
const forever = () => false;

describe('within', () => {
  it('gives the outcome that comes in time', async () => {
    await expect(within(1_000, Promise.resolve(7))).resolves.toBe(7);
    await expect(within(1_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('rejects when none comes', async () => {
    await expect(within(10, never)).rejects.toThrow(DeadlineExceeded);
  });
});

describe('retryWithin', () => {
  it('tries again until it succeeds', async () => {
    let tries = 0;
    const result = await retryWithin({ windowMs: 5_000, pauseMs: 1, abandoned: forever }, () => {
      tries += 1;
      return tries < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve('done');
    });
    expect({ result, tries }).toEqual({ result: 'done', tries: 3 });
  });

  it('gives the last error when the window is over', async () => {
    let tries = 0;
    // However slow the machine is, the second try ends when the window is over.
    const run = async () => {
      tries += 1;
      if (tries === 2) await new Promise((resolve) => setTimeout(resolve, 500));
      throw new Error(`try ${tries}`);
    };
    await expect(retryWithin({ windowMs: 500, pauseMs: 1, abandoned: forever }, run)).rejects.toThrow('try 2');
  });

  it('stops at once when abandoned', async () => {
    let tries = 0;
    const run = () => Promise.reject(new Error(`try ${++tries}`));
    await expect(retryWithin({ windowMs: 60_000, pauseMs: 10, abandoned: () => true }, run)).rejects.toThrow('try 1');
  });
});
