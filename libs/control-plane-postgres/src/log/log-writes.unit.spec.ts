import { SchemaMissing, StoreUnavailable } from '@systole/event-store';
import { describe, expect, it } from 'vitest';
import { LogWrites } from './log-writes.js';

const FULL = new StoreUnavailable('none', 'disk-full', {});
const LATE = new StoreUnavailable('none', 'no-answer', {});

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
    writes.failed('a', FULL);
    await pass(1_000);
    writes.failed('a', FULL);
    await pass(1_000);
    expect(disk.tries).toBe(2);
    expect(writes.trouble).toEqual({ reason: FULL.reason, forMs: 2_000 });
    disk.full = false;
    await pass(1_000);
    expect(writes.trouble).toBeUndefined();
    expect(timers).toHaveLength(0);
    writes.failed('a', FULL);
    writes.close();
    disk.full = true;
    await pass(1_000);
    expect(timers).toHaveLength(0);
    expect(told.slice(0, 2)).toEqual([`events can not be stored: ${FULL.reason}`, 'events can be stored again']);
  });

  it('is a trouble after a wait in vain until that is stored, or nobody wants to store it any more, whatever else succeeds', async () => {
    const { writes, disk, pass } = underTest();
    disk.full = false;
    writes.failed('a', LATE);
    await pass(15_000);
    writes.failed('a', LATE);
    writes.stored('b');
    await pass(15_000);
    expect(writes.trouble).toEqual({ reason: LATE.reason, forMs: 30_000 });
    writes.stored('a');
    expect(writes.trouble).toBeDefined();
    await pass(1_000);
    expect(writes.trouble).toBeUndefined();
    writes.failed('a', LATE);
    await pass(20_000);
    expect(writes.trouble).toBeUndefined();
  });

  it('is a trouble when a table is not there, and none when a write was refused for what it is', async () => {
    const { writes } = underTest();
    await expect(writes.hear('a', () => Promise.reject(new TypeError('a defect')))).rejects.toThrow('a defect');
    expect(writes.trouble).toBeUndefined();
    const missing = Object.assign(new Error('relation "action_dispatches" does not exist'), { code: '42P01' });
    await expect(writes.hear('a', () => Promise.reject(missing))).rejects.toThrow(SchemaMissing);
    expect(writes.trouble?.reason).toContain('lacks the table action_dispatches');
  });
});
