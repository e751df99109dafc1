import { initialState, type ClusterState } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { nextPlanDue } from './next-plan.js';

const PLANNED_S = 1_700_000_000;
const HOUR_MS = 3_600_000;
const RECHECK_MS = 15 * 60_000;

describe('the next plan', () => {
  const state: ClusterState = { ...initialState(), lastPlanned: { now: PLANNED_S, digest: 'd' } as ClusterState['lastPlanned'] & object };
  const due = (of: ClusterState, passedMs: number, stepMs: number): ReturnType<typeof nextPlanDue> =>
    nextPlanDue({ state: of, now: PLANNED_S * 1000 + passedMs + stepMs, elapsed: () => passedMs });

  it.each([0, -HOUR_MS, HOUR_MS])('is due after the recheck interval although the clock stepped by %i ms', (stepMs) => {
    expect(due(state, 60_000, stepMs)).toEqual({ inMs: RECHECK_MS - 60_000, reason: 'cluster-recheck-interval' });
  });

  it('is due at a moment that the last plan named, and no later because the clock was set back', () => {
    const named = { ...state, recheckBy: PLANNED_S + 30 };
    expect(due(named, 10_000, 0).inMs).toBe(20_000);
    expect(due(named, 10_000, -HOUR_MS).inMs).toBe(20_000);
    expect(due(named, 10_000, HOUR_MS).inMs).toBeLessThanOrEqual(0);
  });
});
