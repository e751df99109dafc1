import { describe, expect, it } from 'vitest';
import { eventually, gate, pause, RecordedRuns } from './testing/runs.js';
import { onEachBackend } from './testing/suite.js';

/** On a busy machine a timer may be this late. */
const LATE_MS = 1_500;

const timer = (key: string, at: number) => ({ clusterId: 'c1', kind: 'recheck', key, at });

await onEachBackend('timers', (bench) => {
  it('fire at their time and not before', async () => {
    const queues = await bench.open();
    const runs: RecordedRuns = new RecordedRuns();
    await bench.consume(queues, runs);
    const now = Date.now();
    const due = new Map([300, 600, 900, 1_200].map((delay) => [`t${delay}`, now + delay]));
    for (const [key, at] of due) await queues.scheduleTimer(timer(key, at));
    await eventually('all timers', () => runs.timers.length === due.size);
    for (const run of runs.timers) {
      expect(run.startedAt).toBeGreaterThanOrEqual(due.get(run.of) ?? Number.POSITIVE_INFINITY);
      expect(run.startedAt).toBeLessThan((due.get(run.of) ?? 0) + LATE_MS);
    }
  });

  it('tell for how long they waited since they were due', async () => {
    const waits: number[] = [];
    const queues = await bench.open({ onJobBegun: (waitedMs) => waits.push(waitedMs) });
    const runs: RecordedRuns = new RecordedRuns();
    await queues.scheduleTimer(timer('overdue', Date.now() - 60_000));
    await queues.scheduleTimer(timer('t', Date.now() + 100));
    await pause(1_000);
    await bench.consume(queues, runs);
    await eventually('the timers', () => runs.timers.length === 2);
    // In the queue for a second; since when it should have been there is not its wait.
    for (const waitedMs of waits) expect(waitedMs).toBeLessThan(1_000 + 2 * LATE_MS);
    expect(Math.max(...waits)).toBeGreaterThanOrEqual(990);
    expect(waits).toHaveLength(2);
  });

  it('fire at once when their time is past', async () => {
    const queues = await bench.open();
    const runs: RecordedRuns = new RecordedRuns();
    await bench.consume(queues, runs);
    await queues.scheduleTimer(timer('overdue', Date.now() - 60_000));
    await eventually('the timer', () => runs.timers.length === 1, LATE_MS);
  });

  it('fire while nothing else happens in an idle consumer', async () => {
    const queues = await bench.open();
    const runs: RecordedRuns = new RecordedRuns();
    await bench.consume(queues, runs);
    await pause(1_000);
    const at = Date.now() + 1_000;
    await queues.scheduleTimer(timer('t', at));
    await eventually('the timer', () => runs.timers.length === 1, 1_000 + LATE_MS);
    expect(runs.timers[0]?.startedAt).toBeGreaterThanOrEqual(at);
  });

  it.each([
    ['later', 400, 1_000],
    ['earlier', 60_000, 500],
  ])('are replaced by one of the same key that is %s', async (_which, first, second) => {
    const queues = await bench.open();
    const runs: RecordedRuns = new RecordedRuns();
    await bench.consume(queues, runs);
    const now = Date.now();
    await queues.scheduleTimer(timer('t', now + first));
    await queues.scheduleTimer(timer('other', now + 200));
    await queues.scheduleTimer(timer('t', now + second));
    await eventually('the timer', () => runs.timers.length === 2);
    await pause(700);
    expect(runs.timers.map((run) => run.of)).toEqual(['other', 't']);
    expect(runs.timers[1]?.startedAt).toBeGreaterThanOrEqual(now + second);
  });

  it('are replaced even when they are due and wait for a consumer', async () => {
    const queues = await bench.open();
    await queues.scheduleTimer(timer('t', Date.now() - 1));
    await queues.scheduleTimer(timer('t', Date.now() - 1));
    const at = Date.now() + 600;
    await queues.scheduleTimer(timer('t', at));
    const runs: RecordedRuns = new RecordedRuns();
    await bench.consume(queues, runs);
    await eventually('the timer', () => runs.timers.length === 1);
    await pause(300);
    expect(runs.timers).toHaveLength(1);
    expect(runs.timers[0]?.startedAt).toBeGreaterThanOrEqual(at);
  });

  it('can be set again by their own handler, to the millisecond', async () => {
    const queues = await bench.open();
    const dues = [Date.now() + 200];
    const runs: RecordedRuns = new RecordedRuns(async () => {
      if (runs.timers.length > 3) return;
      const next = Date.now() + 300;
      dues.push(next);
      await queues.scheduleTimer(timer('t', next));
      await pause(150);
    });
    await bench.consume(queues, runs);
    await queues.scheduleTimer(timer('t', dues[0] ?? 0));
    await eventually('four runs', () => runs.timers.length === 4);
    await pause(500);
    expect(runs.timers).toHaveLength(4);
    for (const [index, run] of runs.timers.entries()) {
      expect(run.startedAt).toBeGreaterThanOrEqual(dues[index] ?? Number.POSITIVE_INFINITY);
    }
  });

  it('can be cancelled, also twice, and when there are none', async () => {
    const queues = await bench.open();
    const runs: RecordedRuns = new RecordedRuns();
    await bench.consume(queues, runs);
    await queues.scheduleTimer(timer('gone', Date.now() + 300));
    await queues.scheduleTimer(timer('stays', Date.now() + 600));
    await queues.cancelTimer('gone');
    await queues.cancelTimer('gone');
    await queues.cancelTimer('never set');
    await eventually('the other', () => runs.timers.length === 1);
    await pause(300);
    expect(runs.timers.map((run) => run.of)).toEqual(['stays']);
    await queues.scheduleTimer(timer('gone', Date.now()));
    await eventually('the cancelled key, set anew', () => runs.timers.length === 2);
  });

  it('that run can be neither replaced nor cancelled', async () => {
    const queues = await bench.open();
    const first = gate();
    const runs: RecordedRuns = new RecordedRuns(() => (runs.timers.length === 1 ? first.opened : undefined));
    await bench.consume(queues, runs);
    await queues.scheduleTimer(timer('t', Date.now()));
    await eventually('the first run', () => runs.timers.length === 1);
    await queues.cancelTimer('t');
    await queues.scheduleTimer(timer('t', Date.now() + 200));
    await eventually('the second run', () => runs.timers.length === 2);
    first.open();
    await eventually('the end of the first', () => runs.timers[0]?.endedAt !== undefined);
    await pause(300);
    expect(runs.timers).toHaveLength(2);
  });

  describe('in great number, due at the same moments, with two consumers', () => {
    it('all fire, each once', async () => {
      const queues = [await bench.open(), await bench.open()] as const;
      const runs: RecordedRuns = new RecordedRuns();
      for (const each of queues) await bench.consume(each, runs, 16);
      const keys = Array.from({ length: 600 }, (_, index) => `t${index}`);
      const base = Date.now() + 1_500;
      for (let at = 0; at < keys.length; at += 100) {
        await Promise.all(keys.slice(at, at + 100).map((key, index) => queues[0].scheduleTimer(timer(key, base + (at + index) * 2))));
      }
      await eventually('all timers', () => runs.timers.length >= keys.length);
      await pause(1_000);
      expect(runs.timers.map((run) => run.of).sort()).toEqual([...keys].sort());
    });
  });
});
