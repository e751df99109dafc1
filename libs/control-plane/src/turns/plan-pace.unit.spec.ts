import { beforeEach, describe, expect, it } from 'vitest';
import { PlanPace } from './plan-pace.js';

describe('the pace at which a cluster is planned', () => {
  let now = 0;
  let pace: PlanPace;

  /** Plans as soon as it may, for so long. @returns how many plans were made */
  function planFor(ms: number, tookMs: number): number {
    let plans = 0;
    for (const end = now + ms; now < end; now += Math.max(tookMs, pace.pauseOf('c'))) {
      pace.planned('c', tookMs);
      plans += 1;
    }
    return plans;
  }

  beforeEach(() => {
    now = 0;
    pace = new PlanPace(() => now);
  });

  it('lets eight follow one another at once', () => {
    for (let plan = 1; plan <= 8; plan++) {
      expect(pace.pauseOf('c')).toBe(0);
      pace.planned('c', 20);
    }
    expect(pace.pauseOf('c')).toBe(200);
    expect(pace.pauseOf('other')).toBe(0);
  });

  it('then takes a tenth of the time, but plans not more than ten times a second nor less than once', () => {
    expect(planFor(10_000, 20)).toBeLessThanOrEqual(58);
    pace.forget('c');
    expect(planFor(10_000, 1)).toBeLessThanOrEqual(108);
    pace.forget('c');
    expect(planFor(20_000, 500)).toBeGreaterThanOrEqual(20);
  });

  it('is free again after a while', () => {
    planFor(2_000, 20);
    now += 1_700;
    expect(pace.pauseOf('c')).toBeLessThanOrEqual(0);
  });
});
