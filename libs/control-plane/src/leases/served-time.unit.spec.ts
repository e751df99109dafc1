import { describe, expect, it } from 'vitest';
import { ActionTimes } from '../turns/action-times.js';
import { AGENT_PAUSE_MS, ServedTime } from './served-time.js';

const HOUR_MS = 3_600_000;

describe('the time in which agents could report', () => {
  it('is what apis were there for, after the pause in which agents find back', () => {
    const served = new ServedTime();
    served.see({ since: 0, until: AGENT_PAUSE_MS });
    expect(served.ms).toBe(0);
    served.see({ since: 0, until: AGENT_PAUSE_MS + 2_000 });
    expect(served.ms).toBe(2_000);
    served.see(undefined);
    served.see({ since: HOUR_MS, until: HOUR_MS + AGENT_PAUSE_MS + 3_000 });
    expect(served.ms).toBe(5_000);
  });

  it('counts nothing twice where it is found to have begun earlier, and nothing of what turns out to be a break', () => {
    const served = new ServedTime();
    served.see({ since: 10_000, until: 20_000 });
    served.see({ since: 0, until: 21_000 });
    expect(served.ms).toBe(6_000);
    served.see({ since: 22_000, until: 26_000 });
    expect(served.ms).toBe(6_000);
  });
});

describe('the time of an action', () => {
  const at = { now: 0 };
  const served = new ServedTime();
  const times = new ActionTimes(served, () => at.now);
  /** Apis are there without a break since `since`; that is known a second late. */
  const go = (now: number, since: number): number => {
    at.now = now;
    served.see({ since, until: now - 1_000 });
    return times.sinceSeen('c', 1, 'a');
  };

  it('is never more than has passed since it was seen, and stands still while nobody could be told of its end', () => {
    expect(go(20_000, 0)).toBe(0);
    expect(go(20_500, 0)).toBe(0);
    expect(go(31_000, 0)).toBe(10_000);
    served.see(undefined);
    at.now = HOUR_MS;
    expect(times.sinceSeen('c', 1, 'a')).toBe(10_000);
    expect(go(HOUR_MS + 5_000, HOUR_MS)).toBe(10_000);
    expect(go(HOUR_MS + 8_000, HOUR_MS)).toBe(12_000);
  });

  it('begins when it is seen, also while no api is there, and is forgotten with its transition', () => {
    served.see(undefined);
    at.now = 2 * HOUR_MS;
    expect(times.sinceSeen('c', 2, 'a')).toBe(0);
    at.now = 3 * HOUR_MS;
    served.see({ since: at.now - 10_000, until: at.now });
    expect(times.sinceSeen('c', 2, 'a')).toBe(5_000);
    expect(times.sinceSeen('c', 3, 'a')).toBe(0);
    expect(times.sinceSeen('c', 2, 'a')).toBe(0);
  });

  it('is known of by nobody who was busy elsewhere: what comes right after is not counted before it is seen', () => {
    at.now = 4 * HOUR_MS;
    served.see({ since: 3 * HOUR_MS, until: at.now - 1_000 });
    expect(times.sinceSeen('d', 1, 'a')).toBe(0);
    served.see({ since: 3 * HOUR_MS, until: at.now });
    expect(times.sinceSeen('d', 1, 'a')).toBe(0);
  });
});
