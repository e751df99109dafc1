import { describe, expect, it } from 'vitest';
import { ServiceSpan } from '../leases/service-span.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import { beatsWhileServing, NotServing, ServiceLapses } from './service-lapses.js';

/** Of a clock that is set by hand, ms. */
function lapsesAt(): { readonly clock: { at: number }; readonly lapses: ServiceLapses } {
  const clock = { at: 0 };
  return { clock, lapses: new ServiceLapses({ monotonic: () => clock.at }) };
}

describe('an api', () => {
  it('serves agents until something fails that may befall any of them, and 3 s after', () => {
    const { clock, lapses } = lapsesAt();
    expect(lapses.isServing).toBe(true);
    lapses.note();
    expect(lapses.isServing).toBe(false);
    clock.at = 3_000;
    expect(lapses.isServing).toBe(false);
    clock.at = 3_001;
    expect(lapses.isServing).toBe(true);
  });

  it('does not serve them when it can not renew leases, or takes long for it', async () => {
    const { clock, lapses } = lapsesAt();
    await expect(lapses.hear(() => Promise.reject(new Error('no connection')))).rejects.toThrow('no connection');
    expect(lapses.isServing).toBe(false);
    clock.at = 10_000;
    let renewed = (): void => undefined;
    const renewal = lapses.hear(() => new Promise<void>((resolve) => (renewed = resolve)));
    clock.at = 12_000;
    expect(lapses.isServing).toBe(true);
    clock.at = 12_001;
    expect(lapses.isServing).toBe(false);
    renewed();
    await renewal;
    expect(lapses.isServing).toBe(true);
  });

  it('has beats that stand still meanwhile, for whoever judges leases, and says what troubles it', async () => {
    const { clock, lapses } = lapsesAt();
    const database = new MemoryDatabase({ timeOfDay: () => 0 });
    const heartbeats = beatsWhileServing(database.heartbeats, lapses);
    const span = new ServiceSpan(500);
    const served = async () => span.see(await heartbeats.all(), { asked: clock.at, answered: clock.at });
    const beat = async (unbroken = true): Promise<void> => {
      clock.at += 500;
      await heartbeats.beat('a', unbroken, 'too many connections');
    };
    for (let times = 0; times < 20; times++) {
      await beat();
      await served();
    }
    expect((await served())?.since).toBeLessThanOrEqual(1_000);
    for (let times = 0; times < 12; times++) {
      lapses.note();
      await expect(beat()).rejects.toThrow(NotServing);
      await served();
    }
    expect(await heartbeats.all()).toEqual([{ apiId: 'a', beats: 1, trouble: 'too many connections' }]);
    expect(await served()).toBeUndefined();
    clock.at += 3_000;
    for (const unbroken of [false, true, true]) {
      await beat(unbroken);
      await served();
    }
    expect((await served())?.since).toBeGreaterThan(clock.at - 1_500);
  });
});
