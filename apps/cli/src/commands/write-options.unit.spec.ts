import { describe, expect, it } from 'vitest';
import { uncoloured } from '../render/paint.js';
import { milliseconds, showWriteResult } from './write-options.js';

describe('a duration on the command line', () => {
  it('has a unit, or is in milliseconds', () => {
    expect(['10s', '2min', '200ms', 'PT1M', '10000'].map(milliseconds)).toEqual([10_000, 120_000, 200, 60_000, 10_000]);
  });

  it('is refused where it is none', () => {
    for (const text of ['', 'soon', '-5s', '0']) expect(() => milliseconds(text)).toThrow(/Give a duration/);
  });
});

describe('the exit code of a write that was waited for', () => {
  const codeOf = (settled: {
    readonly outcome: 'settled' | 'timed-out';
    readonly notRunning?: string[];
    readonly unseen?: string;
  }): number => {
    let code = 0;
    const session = {
      show: () => undefined,
      paint: uncoloured,
      end: (given: number) => {
        code = given;
      },
    };
    const waited = { version: 2, waitingFor: [], failures: [], notRunning: [], transitions: [], ...settled };
    showWriteResult(session, { dryRun: false, version: 2, events: [], changes: [], settled: waited });
    return code;
  };

  it('is 0 only where the cluster settled and it was seen that what is to run does', () => {
    expect(codeOf({ outcome: 'settled' })).toBe(0);
    expect(codeOf({ outcome: 'settled', notRunning: ['db'] })).toBe(7);
    expect(codeOf({ outcome: 'settled', unseen: 'not computed in time' })).toBe(6);
    expect(codeOf({ outcome: 'timed-out' })).toBe(6);
  });
});
