import { ReportBudgetSpent } from '@systole/control-plane';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../request-limits.js';
import { NodeReportBudgets } from './node-report-budgets.js';

const N1 = { clusterId: 'c', node: 'n1' };
const LIMITS = {
  ...DEFAULT_LIMITS.reports,
  results: { events: 60, bytes: 6_000 },
  attributes: { events: 6, bytes: 600 },
};
const N2 = { clusterId: 'c', node: 'n2' };

describe('budgets for what nodes report', () => {
  let now = 0;
  let budgets = new NodeReportBudgets(LIMITS, () => now);
  beforeEach(() => {
    now = 0;
    budgets = new NodeReportBudgets(LIMITS, () => now);
  });
  const report = (node: typeof N1, size: { events: number; bytes: number }, kind: 'results' | 'attributes' = 'results'): void => {
    budgets.open(node, kind, size)(size);
  };
  const spentBy = (attempt: () => void): ReportBudgetSpent => {
    try {
      attempt();
    } catch (error) {
      if (error instanceof ReportBudgetSpent) return error;
      throw error;
    }
    throw new Error('was not refused');
  };

  it('are of one node and one kind each, and name what was spent', () => {
    report(N1, { events: 60, bytes: 100 });
    expect(
      spentBy(() => {
        report(N1, { events: 1, bytes: 1 });
      }),
    ).toMatchObject({ node: 'n1', spent: { kind: 'results', of: 'events', perMinute: 60 } });
    report(N2, { events: 1, bytes: 1 });
    report(N1, { events: 1, bytes: 1 }, 'attributes');
    report(N2, { events: 1, bytes: 6_000 });
    expect(
      spentBy(() => {
        report(N2, { events: 1, bytes: 1 });
      }).spent.of,
    ).toBe('bytes');
    expect(budgets.waiting('c')).toMatchObject([
      { node: 'n1', kind: 'results', of: 'events' },
      { node: 'n2', kind: 'results', of: 'bytes' },
    ]);
    expect(budgets.waiting('another')).toEqual([]);
  });

  it('take a report of any size as long as anything is left, and have it paid back', () => {
    report(N1, { events: 120, bytes: 1 });
    const { retryAfterMs } = spentBy(() => {
      report(N1, { events: 1, bytes: 1 });
    });
    expect(retryAfterMs).toBe(61_000);
    now += retryAfterMs;
    report(N1, { events: 1, bytes: 1 });
  });

  it('count reports that arrive together before any of them is recorded, and give back what came to nothing', () => {
    const settle = budgets.open(N1, 'attributes', { events: 6, bytes: 1 });
    expect(() => budgets.open(N1, 'attributes', { events: 6, bytes: 1 })).toThrow(ReportBudgetSpent);
    settle({ events: 0, bytes: 0 });
    for (let repeated = 0; repeated < 100; repeated++) budgets.open(N1, 'attributes', { events: 6, bytes: 1 })({ events: 0, bytes: 0 });
  });

  it('take so many changes of the configuration at once and then at so many a minute, of each node; one that came to nothing is given back', () => {
    const { burst } = LIMITS.configurations;
    for (let count = 0; count < burst; count++) budgets.configure(N1);
    const spent = spentBy(() => budgets.configure(N1));
    expect(spent).toMatchObject({ spent: { kind: 'configurations', of: 'reports', perMinute: 6 }, retryAfterMs: 10_000 });
    expect(spent.message).toContain('n1 has changed the configuration more often than 6 times a minute');
    expect(budgets.waiting('c')).toMatchObject([{ node: 'n1', kind: 'configurations' }]);
    budgets.configure(N2);
    now += 10_000;
    budgets.configure(N1)();
    budgets.configure(N1);
    expect(() => budgets.configure(N1)).toThrow(ReportBudgetSpent);
  });

  it('take so many disturbances at once and then at so many a minute, however large; a report that came to nothing is given back', () => {
    const { burst } = LIMITS.disturbances;
    for (let taken = 0; taken < burst; taken++) budgets.disturb(N1, 'attributes');
    expect(budgets.calmIn(N1, 'attributes')).toBe(2_000);
    expect(spentBy(() => budgets.disturb(N1, 'attributes'))).toMatchObject({
      retryAfterMs: 2_000,
      spent: { kind: 'disturbances', of: 'reports', perMinute: 30 },
    });
    expect(budgets.calmIn(N2, 'attributes')).toBe(0);
    // What fails there is heard all the same.
    expect(budgets.calmIn(N1, 'results')).toBe(0);
    expect(budgets.waiting('c')).toMatchObject([{ node: 'n1', kind: 'disturbances', of: 'reports' }]);
    now += 2_000;
    budgets.disturb(N1, 'attributes')();
    budgets.disturb(N1, 'attributes');
    expect(budgets.calmIn(N1, 'attributes')).toBe(2_000);
  });

  it('say no more of a node once its reports were taken for a while', () => {
    report(N1, { events: 60, bytes: 1 });
    spentBy(() => {
      report(N1, { events: 1, bytes: 1 });
    });
    now += 12_000;
    expect(budgets.waiting('c')).toEqual([]);
  });
});
