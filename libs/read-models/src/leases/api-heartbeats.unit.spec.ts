import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_SILENCE_MS, servedSpan, type ApiPresence } from './api-heartbeats.js';

describe('when leases could be renewed', () => {
  const up = (upSince: number, beatAt: number): ApiPresence => ({ upSince, beatAt });

  it('is since the api is up, until its newest beat', () => {
    expect(servedSpan([up(10_000, 20_000)], 20_400)).toEqual({ since: 10_000, until: 20_000 });
  });

  it('is not now when no api was heard of lately', () => {
    expect(servedSpan([], 20_000)).toBeUndefined();
    expect(servedSpan([up(10_000, 20_000)], 20_001 + LONGEST_SILENCE_MS)).toBeUndefined();
  });

  it('reaches back over apis that took over from one another', () => {
    expect(servedSpan([up(50_000, 90_000), up(10_000, 60_000)], 90_000)).toEqual({ since: 10_000, until: 90_000 });
    expect(servedSpan([up(61_000, 90_000), up(10_000, 60_000)], 90_000)).toEqual({ since: 10_000, until: 90_000 });
  });

  it('begins after the last time in which no api was up', () => {
    expect(servedSpan([up(70_000, 90_000), up(10_000, 60_000)], 90_000)).toEqual({ since: 70_000, until: 90_000 });
  });

  it('is covered by presences without a gap, whatever their order', () => {
    const presence = fc.tuple(fc.nat(60_000), fc.nat(30_000)).map(([upSince, length]) => up(upSince, upSince + length));
    fc.assert(
      fc.property(fc.array(presence, { minLength: 1, maxLength: 6 }), (presences) => {
        const now = Math.max(...presences.map(({ beatAt }) => beatAt));
        const span = servedSpan(presences, now);
        expect(span).toEqual(servedSpan(presences.toReversed(), now));
        for (let at = span?.since ?? now; at <= now; at += 500) {
          expect(presences.some(({ upSince, beatAt }) => upSince <= at && at <= beatAt + LONGEST_SILENCE_MS)).toBe(true);
        }
      }),
    );
  });
});
