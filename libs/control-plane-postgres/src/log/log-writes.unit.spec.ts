import { StoreUnavailable } from '@systole/event-store';
import { describe, expect, it } from 'vitest';
import { LogWrites } from './log-writes.js';

const FULL = new StoreUnavailable('none', 'disk-full', {});

function underTest() {
  const timers: (() => void)[] = [];
  const told: string[] = [];
  const disk = { full: true, tries: 0 };
  let now = 0;
  const tryOut = (): Promise<void> => {
    disk.tries += 1;
    return disk.full ? Promise.reject(FULL) : Promise.resolve();
  };
  const clock = { monotonic: () => now, after: (_: number, run: () => void) => (timers.push(run), () => undefined) };
  const writes = new LogWrites(tryOut, clock, { warn: (_, message) => told.push(message) });
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    for (const run of timers.splice(0)) run();
    await new Promise(setImmediate);
  };
  return { writes, disk, told, pass, timers };
}

describe('what is known of whether events can be stored', () => {
  it('is a trouble from the first failure until an attempt to find out succeeds, and is said once', async () => {
    const { writes, disk, told, pass, timers } = underTest();
    expect(writes.trouble).toBeUndefined();
    expect(timers).toHaveLength(0);
    writes.failed(FULL);
    await pass(1_000);
    writes.failed(FULL);
    await pass(1_000);
    expect(disk.tries).toBe(2);
    expect(writes.trouble).toEqual({ trouble: 'disk-full', reason: FULL.reason, forMs: 2_000 });
    disk.full = false;
    await pass(1_000);
    expect(writes.trouble).toBeUndefined();
    expect(timers).toHaveLength(0);
    writes.failed(FULL);
    writes.close();
    disk.full = true;
    await pass(1_000);
    expect(timers).toHaveLength(0);
    expect(told.slice(0, 2)).toEqual([`events can not be stored: ${FULL.reason}`, 'events can be stored again']);
  });
});
