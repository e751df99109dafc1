import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Batch } from './batch.js';

describe('work that is done for many at a time', () => {
  let runs: { readonly items: readonly number[]; readonly end: () => void }[];
  let batch: Batch<number, string>;

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const itemsOf = (): readonly (readonly number[])[] => runs.map(({ items }) => items);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    runs = [];
    batch = new Batch(async (items) => {
      await new Promise<void>((end) => runs.push({ items, end }));
      if (items.includes(13)) throw new Error('no');
      return items.map((item) => `of ${String(item)}`);
    }, 3);
  });
  afterEach(() => vi.useRealTimers());

  it('says when it begins with an item', async () => {
    const begun: number[] = [];
    const all = [1, 2, 3, 4].map((item) => batch.add(item, () => void begun.push(item)));
    expect(begun).toEqual([]);
    await turn();
    expect({ begun, runs: itemsOf() }).toEqual({ begun: [1, 2, 3], runs: [[1, 2, 3]] });
    runs[0]?.end();
    await all[0];
    vi.advanceTimersByTime(4);
    await turn();
    expect(begun).toEqual([1, 2, 3, 4]);
    runs[1]?.end();
    await Promise.all(all);
  });

  it('takes what comes in one turn together, and what comes meanwhile into the next run, each with its own result', async () => {
    const first = [1, 2].map((item) => batch.add(item));
    await turn();
    const second = [3, 4, 5, 6].map((item) => batch.add(item));
    await turn();
    expect(itemsOf()).toEqual([[1, 2]]);
    runs[0]?.end();
    expect(await Promise.all(first)).toEqual(['of 1', 'of 2']);
    await turn();
    expect(itemsOf()).toEqual([[1, 2]]);
    vi.advanceTimersByTime(4);
    await turn();
    expect(itemsOf()).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    runs[1]?.end();
    await turn();
    vi.advanceTimersByTime(4);
    await turn();
    runs[2]?.end();
    expect(await Promise.all(second)).toEqual(['of 3', 'of 4', 'of 5', 'of 6']);
  });

  it('keeps nobody waiting who asks for one thing after the other', async () => {
    for (const [index, item] of [1, 2, 3].entries()) {
      const done = batch.add(item);
      await turn();
      runs[index]?.end();
      expect(await done).toBe(`of ${String(item)}`);
    }
  });

  it('that fails, fails for those of the run', async () => {
    const failing = [1, 13].map((item) => batch.add(item).catch((error: unknown) => (error as Error).message));
    await turn();
    const later = batch.add(2);
    runs[0]?.end();
    expect(await Promise.all(failing)).toEqual(['no', 'no']);
    vi.advanceTimersByTime(4);
    await turn();
    runs[1]?.end();
    expect(await later).toBe('of 2');
  });

  it('that is stuck holds up what comes after it for half a second, and not for ever', async () => {
    void batch.add(1);
    await turn();
    const second = batch.add(2);
    await turn();
    expect(itemsOf()).toEqual([[1]]);
    vi.advanceTimersByTime(500);
    await turn();
    expect(itemsOf()).toEqual([[1], [2]]);
    runs[1]?.end();
    expect(await second).toBe('of 2');
  });
});
