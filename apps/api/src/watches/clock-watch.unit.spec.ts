import { describe, expect, it } from 'vitest';
import { clockStepText, clockText, ClockWatch } from './clock-watch.js';

const HOUR_MS = 3_600_000;

/** A watch that looks every second at a clock that the test sets. */
function watched() {
  let now = 5_000;
  let time = 1_800_000_000_000;
  const watch = new ClockWatch({ now: () => Promise.resolve(time) }, () => now);
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      now += 1_000;
      time += 1_000;
      await watch.look();
    }
  };
  const step = (ms: number): void => {
    time += ms;
  };
  const jump = (ms: number): void => {
    now += ms;
    time += ms;
  };
  return { watch, pass, step, jump };
}

describe('the watch over the clock of the database', () => {
  it('says nothing of a clock that goes, also after a freeze of this process', async () => {
    const { watch, pass, jump } = watched();
    await pass(10);
    jump(60_000);
    await pass(10);
    expect([watch.newest, watch.count]).toEqual([undefined, 0]);
  });

  it('tells the newest step for an hour', async () => {
    const { watch, pass, step, jump } = watched();
    await pass(2);
    step(HOUR_MS);
    await pass(1);
    step(-300_000);
    await pass(11);
    expect(watch.newest).toEqual({ stepMs: -300_000, agoMs: 10_000 });
    expect(watch.count).toBe(2);
    jump(HOUR_MS);
    expect(watch.newest).toBeUndefined();
  });

  it('tells a step back for as long as dates may stand still for it, but no longer than a day', async () => {
    const { watch, pass, step, jump } = watched();
    await pass(2);
    step(-3 * HOUR_MS);
    await pass(1);
    jump(2 * HOUR_MS);
    expect(watch.newest?.stepMs).toBe(-3 * HOUR_MS);
    jump(2 * HOUR_MS);
    expect(watch.newest).toBeUndefined();
    await pass(1);
    step(-1_000 * HOUR_MS);
    await pass(1);
    jump(25 * HOUR_MS);
    expect(watch.newest).toBeUndefined();
  });

  it('tells of a newest event that is dated ahead, whether or not this process saw the step', () => {
    expect(clockText(undefined, 2_900)).toBeUndefined();
    expect(clockText(undefined, HOUR_MS)).toMatch(/^the newest event is dated 3600 s ahead of the clock of the database/);
    expect(clockText({ stepMs: -HOUR_MS, agoMs: 1_000 }, HOUR_MS)).toMatch(
      /went 3600 s back 1 s ago; .*; the newest event is dated 3600 s ahead/,
    );
  });

  it('says what it means', () => {
    expect(clockStepText({ stepMs: HOUR_MS, agoMs: 10_400 })).toContain('went 3600 s forward 10 s ago');
    expect(clockStepText({ stepMs: -HOUR_MS, agoMs: 10_400 })).toContain('events bear the date of the newest one before');
  });
});

describe('the time that counts', () => {
  it('is that of the database and what has passed since it was looked at, whatever the clock of this machine says', async () => {
    let passed = 0;
    let own = 2_000_000;
    const watch = new ClockWatch(
      { now: () => Promise.resolve(1_000_000) },
      () => passed,
      () => own,
    );
    expect(watch.now()).toBe(2_000_000);
    await watch.look();
    passed += 250;
    expect(watch.now()).toBe(1_000_250);
    own -= 5_000_000;
    expect(watch.now()).toBe(1_000_250);
    expect(watch.ownAheadMs).toBe(-3_000_000 - 1_000_250);
  });

  it('is told where this machine has another one', () => {
    expect(clockText(undefined, 0, 1_000)).toBeUndefined();
    expect(clockText(undefined, 0, 86_400_000)).toMatch(/^the clock of this server's machine is 86400 s ahead of that of the database/);
    expect(clockText(undefined, 0, -60_000)).toMatch(/60 s behind/);
  });
});
