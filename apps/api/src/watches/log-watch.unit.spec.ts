import type { ApiBeats } from '@systole/control-plane';
import { describe, expect, it } from 'vitest';
import { LogWatch, unwritableText } from './log-watch.js';

function watched() {
  let now = 1_000;
  const rows: { worker: ApiBeats } = { worker: { apiId: 'w', beats: 1 } };
  const own: { trouble: { reason: string; forMs: number } | undefined } = { trouble: undefined };
  const watch = new LogWatch(own, [{ all: () => Promise.resolve([]) }, { all: () => Promise.resolve([rows.worker]) }], () => now);
  const look = async (beats: number, trouble?: string): Promise<void> => {
    now += 1_000;
    rows.worker = { apiId: 'w', beats, ...(trouble === undefined ? {} : { trouble }) };
    await watch.look();
  };
  return { watch, own, look };
}

describe('whether events can be stored', () => {
  it('is what a process says that beats, for as long as it says so', async () => {
    const { watch, look } = watched();
    await look(1, 'full');
    expect(watch.trouble).toBeUndefined();
    await look(3, 'full');
    expect(watch.trouble).toEqual({ reason: 'full', forMs: 1_000 });
    await look(5, 'full');
    expect(watch.trouble).toEqual({ reason: 'full', forMs: 2_000 });
    await look(7);
    expect(watch.trouble).toBeUndefined();
  });

  it('is not what one said that is gone', async () => {
    const { watch, look } = watched();
    await look(1, 'full');
    await look(3, 'full');
    for (let second = 0; second < 4; second++) await look(3, 'full');
    expect(watch.trouble).toBeUndefined();
  });

  it('is what this process meets itself', () => {
    const { watch, own } = watched();
    own.trouble = { reason: 'the disk of PostgreSQL is full', forMs: 2_900 };
    const { trouble } = watch;
    expect(trouble && unwritableText(trouble)).toBe(
      'events can not be stored for 2 s, so nothing is planned, fenced or recovered: the disk of PostgreSQL is full',
    );
  });
});
