import { describe, expect, it } from 'vitest';
import { Deadline } from './deadline.js';

describe('a deadline', () => {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  let now = 0;
  const clock = {
    monotonic: () => now,
    after: (ms: number, run: () => void) => {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const passTo = async (ms: number): Promise<void> => {
    now = ms;
    for (const timer of [...timers]) if (timer.at <= now) timer.run();
    await new Promise(setImmediate);
  };

  it('gives what comes in time, and throws what is thrown in time', async () => {
    const deadline = new Deadline(clock, now + 100);
    expect(await deadline.by(Promise.resolve('there'))).toBe('there');
    await expect(deadline.by(Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(timers.size).toBe(0);
  });

  it('does not wait any longer, and hears nothing of what comes later', async () => {
    const deadline = new Deadline(clock, now + 100);
    let fail: (error: Error) => void = () => undefined;
    const hanging = new Promise<string>((_, reject) => (fail = reject));
    const waited = deadline.by(hanging);
    await passTo(now + 99);
    expect(deadline.isOver).toBe(false);
    await passTo(now + 1);
    expect([deadline.isOver, await waited]).toEqual([true, undefined]);
    // An unhandled rejection would fail the run.
    fail(new Error('late'));
    await passTo(now + 1);
    expect(timers.size).toBe(0);
  });

  it('that is over still gives what is there', async () => {
    expect(await new Deadline(clock, now - 1).by(Promise.resolve('there'))).toBe('there');
  });
});
