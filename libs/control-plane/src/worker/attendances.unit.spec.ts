import { describe, expect, it } from 'vitest';
import type { Clock } from '../ports/clock.js';
import type { AdvanceOutcome } from '../turns/cluster-advance.js';
import { ClusterBusy } from '../turns/cluster-locks.js';
import { Attendances, type AttendancesParts } from './attendances.js';

const RESTING: AdvanceOutcome = { type: 'resting', version: 1, moving: false };
const MOVING: AdvanceOutcome = { type: 'resting', version: 1, moving: true };

/** Time that goes on when it is told to. */
class Time implements Clock {
  private now = 0;
  private timers: { readonly at: number; readonly run: () => void }[] = [];

  readonly timeOfDay = (): number => this.now;
  readonly monotonic = (): number => this.now;
  readonly after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.now + ms, run };
    this.timers.push(timer);
    return () => (this.timers = this.timers.filter((other) => other !== timer));
  };

  async goesOn(ms: number): Promise<void> {
    await settled();
    const until = this.now + ms;
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.timers = this.timers.filter((other) => other !== next);
      this.now = next.at;
      next.run();
      await settled();
    }
    this.now = until;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Attendances whose moves, claims and rests are noted. */
function attendancesIn(
  time: Time,
  parts: Partial<AttendancesParts> = {},
  concurrency = 8,
): { readonly attendances: Attendances; readonly log: string[] } {
  const log: string[] = [];
  const attendances = new Attendances(
    {
      locks: {
        acquire: (clusterId) => {
          log.push(`claim ${clusterId}`);
          const release = () => Promise.resolve(void log.push(`release ${clusterId}`));
          return Promise.resolve({ signal: new AbortController().signal, assertHeld: () => undefined, release });
        },
      },
      advance: (clusterId) => Promise.resolve((log.push(`move ${clusterId}`), RESTING)),
      pauseOf: () => 0,
      atRest: () => undefined,
      stuck: (clusterId, error) => Promise.resolve(void log.push(`stuck ${clusterId}: ${String(error)}`)),
      turned: () => undefined,
      clock: time,
      ...parts,
    },
    concurrency,
  );
  return { attendances, log };
}

describe('a worker that is told of a cluster', () => {
  it('tells how long that waited: from the first of what it had not heard of, and only where it heard of something', async () => {
    const time = new Time();
    const waits: number[] = [];
    const gates: (() => void)[] = [];
    const { attendances } = attendancesIn(time, {
      advance: () =>
        new Promise((resolve) =>
          gates.push(() => {
            resolve(RESTING);
          }),
        ),
      turned: (waitedMs) => waits.push(waitedMs),
    });
    attendances.want('a');
    await time.goesOn(0);
    expect(waits).toEqual([0]);
    await time.goesOn(100);
    attendances.want('a');
    await time.goesOn(50);
    attendances.want('a');
    await time.goesOn(50);
    gates.shift()?.();
    await settled();
    expect(waits).toEqual([0, 100]);
    gates.shift()?.();
    await time.goesOn(5_000);
    expect(waits).toEqual([0, 100]);
    await attendances.stop();
  });

  it('lets go of it at once as long as it has not heard of all nodes: another one that has can go on with it', async () => {
    const time = new Time();
    const rests: number[] = [];
    const { attendances, log } = attendancesIn(time, {
      advance: () => Promise.resolve({ type: 'unheard', version: 1, wakeInMs: 250 }),
      atRest: (_, { wakeInMs }) => rests.push(wakeInMs ?? Number.NaN),
    });
    attendances.want('a');
    await time.goesOn(10);
    expect(log).toEqual(['claim a', 'release a']);
    expect(rests).toEqual([250]);
    await time.goesOn(10_000);
    expect(log).toEqual(['claim a', 'release a']);
  });

  it('moves it, stays for a second, and lets go of it', async () => {
    const time = new Time();
    const { attendances, log } = attendancesIn(time);
    attendances.want('a');
    await time.goesOn(900);
    expect(log).toEqual(['claim a', 'move a']);
    attendances.want('a');
    await time.goesOn(900);
    expect(log).toEqual(['claim a', 'move a', 'move a']);
    await time.goesOn(200);
    expect(log).toEqual(['claim a', 'move a', 'move a', 'release a']);
  });

  it('says how many it has the claim of, and not how many another one has', async () => {
    const time = new Time();
    const busy: AttendancesParts['locks'] = {
      acquire: (clusterId) =>
        clusterId === 'b'
          ? Promise.reject(new ClusterBusy(clusterId))
          : Promise.resolve({ signal: new AbortController().signal, assertHeld: () => undefined, release: () => Promise.resolve() }),
    };
    const { attendances } = attendancesIn(time, { locks: busy });
    for (const clusterId of ['a', 'b', 'c']) attendances.want(clusterId);
    await time.goesOn(900);
    expect(attendances.size).toBe(2);
    await time.goesOn(200);
    expect(attendances.size).toBe(0);
    await attendances.stop();
  });

  it('stays as long as a transition is under way, and moves it at once whenever it is told', async () => {
    const time = new Time();
    const log: string[] = [];
    const { attendances } = attendancesIn(time, {
      advance: () => Promise.resolve((log.push(`move at ${String(time.monotonic())}`), MOVING)),
    });
    attendances.want('a');
    await time.goesOn(20_000);
    attendances.want('a');
    attendances.want('a');
    await time.goesOn(1);
    expect(log).toEqual(['move at 0', 'move at 20000']);
    // Whoever hears nothing looks all the same.
    await time.goesOn(30_000);
    expect(log).toEqual(['move at 0', 'move at 20000', 'move at 50000']);
    await attendances.stop();
  });

  it('moves it once more for what it is told of meanwhile, however often that is', async () => {
    const time = new Time();
    let finish = (): void => undefined;
    let moves = 0;
    const advance = async (): Promise<AdvanceOutcome> => {
      moves += 1;
      await new Promise<void>((resolve) => (finish = resolve));
      return RESTING;
    };
    const { attendances } = attendancesIn(time, { advance });
    let moved = 0;
    void attendances.move('a').then(() => (moved += 1));
    await settled();
    void attendances.move('a').then(() => (moved += 1));
    attendances.want('a');
    finish();
    await settled();
    expect([moves, moved]).toEqual([2, 1]);
    finish();
    await settled();
    expect([moves, moved]).toEqual([2, 2]);
  });

  it('looks again when something falls due', async () => {
    const time = new Time();
    let moves = 0;
    const { attendances } = attendancesIn(time, { advance: () => ((moves += 1), Promise.resolve({ ...RESTING, wakeInMs: 300 })) });
    attendances.want('a');
    await time.goesOn(700);
    expect(moves).toBe(3);
    await attendances.stop();
  });

  it('tries again after a while when another worker has it, and does nothing meanwhile', async () => {
    const time = new Time();
    let tries = 0;
    const acquire = () => Promise.reject(new ClusterBusy(String((tries += 1))));
    const { attendances, log } = attendancesIn(time, { locks: { acquire } });
    attendances.want('a');
    await time.goesOn(500);
    for (let news = 0; news < 10; news++) attendances.want('a');
    await time.goesOn(1_000);
    expect(tries).toBe(1);
    await time.goesOn(3_000);
    expect(tries).toBe(3);
    expect(log).toEqual([]);
    await attendances.stop();
    await time.goesOn(9_000);
    expect(tries).toBe(3);
  });

  it('says what it can not move, lets go of it, and does not try before its pause is over', async () => {
    const time = new Time();
    let pauseMs = 0;
    const { attendances, log } = attendancesIn(time, {
      advance: () => Promise.reject(new Error('no')),
      stuck: (clusterId) => Promise.resolve(void ((pauseMs = 2_000), log.push(`stuck ${clusterId}`))),
      pauseOf: () => pauseMs,
    });
    await attendances.move('a');
    attendances.want('a');
    await attendances.move('a');
    expect(log).toEqual(['claim a', 'stuck a', 'release a']);
    pauseMs = 0;
    await attendances.move('a');
    expect(log).toHaveLength(6);
  });

  it('moves only so many at a time, and stays with all of them', async () => {
    const time = new Time();
    const finish: (() => void)[] = [];
    const advance = async (): Promise<AdvanceOutcome> => {
      await new Promise<void>((resolve) => finish.push(resolve));
      return MOVING;
    };
    const { attendances, log } = attendancesIn(time, { advance }, 2);
    for (const id of ['a', 'b', 'c']) attendances.want(id);
    await time.goesOn(1);
    expect(finish).toHaveLength(2);
    finish[0]?.();
    await time.goesOn(1);
    expect(finish).toHaveLength(3);
    expect(log).toEqual(['claim a', 'claim b', 'claim c']);
  });

  it('interrupts what it moves when it stops, and lets go of everything', async () => {
    const time = new Time();
    const { attendances, log } = attendancesIn(time, {
      advance: async (_, assertHeld) => {
        assertHeld();
        await settled();
        assertHeld();
        return MOVING;
      },
    });
    attendances.want('a');
    await time.goesOn(1);
    attendances.want('a');
    const stopped = attendances.stop();
    attendances.want('b');
    await stopped;
    expect(log).toEqual(['claim a', 'release a']);
  });
});
