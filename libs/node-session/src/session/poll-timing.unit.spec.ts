import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pollTiming } from './poll-timing.js';

const LEASE_MS = 12_000;
const ACTS_AT = 0.75 * LEASE_MS;

/** Polls one after another; `late` says by how much each answer is late, `lost` that it never comes. Answers the least time that was ever left. */
function leastLeft(answers: readonly (number | 'lost')[]): number {
  let now = 0;
  let renewedFrom = 0;
  let least = ACTS_AT;
  let failures = 0;
  for (const answer of answers) {
    const sentAt = now;
    const { waitMs, timeoutMs } = pollTiming(LEASE_MS, LEASE_MS, renewedFrom + ACTS_AT - now, failures);
    failures = answer === 'lost' ? failures + 1 : 0;
    now += answer === 'lost' ? timeoutMs : waitMs + answer;
    least = Math.min(least, renewedFrom + ACTS_AT - now);
    if (answer !== 'lost') renewedFrom = sentAt;
  }
  return least;
}

describe('polls', () => {
  it('renew the lease in time although every answer is late', () => {
    const late = fc.integer({ min: 0, max: LEASE_MS / 6 });
    fc.assert(
      fc.property(fc.array(late, { maxLength: 50 }), (answers) => {
        // At worst 0.75 - 1/5 - 1/6 of the lease is left when a poll is sent; a third of that is waited, and the answer is late by a sixth: 0.089.
        expect(leastLeft(answers)).toBeGreaterThan(LEASE_MS / 12);
      }),
    );
  });

  it('renew the lease in time although an answer is lost now and then', () => {
    const quick = fc.integer({ min: 0, max: LEASE_MS / 20 });
    fc.assert(
      fc.property(fc.array(fc.tuple(quick, quick), { maxLength: 20 }), (pairs) => {
        expect(leastLeft(pairs.flatMap(([one, other]) => [one, 'lost' as const, other]))).toBeGreaterThan(0);
      }),
    );
  });

  it('renew the lease in time although two servers in turn hang', () => {
    const quick = LEASE_MS / 20;
    expect(leastLeft([quick, 'lost', 'lost', quick, quick, 'lost', 'lost', quick])).toBeGreaterThan(0);
  });

  it('are given up later and later when no lease is left to save', () => {
    const graces = [1, 2, 3, 4, 5, 9].map((failures) => pollTiming(LEASE_MS, LEASE_MS, 0, failures).timeoutMs);
    expect(graces).toEqual([2_000, 4_000, 8_000, LEASE_MS, LEASE_MS, LEASE_MS]);
  });

  it('wait no longer than the server grants', () => {
    expect(pollTiming(LEASE_MS, 500, ACTS_AT, 0).waitMs).toBe(500);
    expect(pollTiming(LEASE_MS, 500, 0, 0).waitMs).toBe(0);
  });
});
