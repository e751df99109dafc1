import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ErrorReport } from './error-report.js';

describe('the error report', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('passes each message on once in 10 s, and says how many were left out', () => {
    const delivered: [string, number][] = [];
    const report = new ErrorReport((error, suppressed) => delivered.push([error.message, suppressed]));
    for (let i = 0; i < 5; i += 1) report.report(new Error('connect ECONNREFUSED'));
    report.report(new Error('another'));
    vi.advanceTimersByTime(10_000);
    report.report(new Error('connect ECONNREFUSED'));
    expect(delivered).toEqual([
      ['connect ECONNREFUSED', 0],
      ['another', 0],
      ['connect ECONNREFUSED', 4],
    ]);
  });
});
