import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CandidateTable, ProbeMode } from './candidates.js';
import { addScores, INFINITY } from './score.js';
import { ScoreShifts } from './score-shifts.js';
import { NODE_SCORE } from './score-trail.js';

const score = fc.oneof(
  fc.integer({ min: -INFINITY, max: INFINITY }),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(-INFINITY, 1 - INFINITY, INFINITY - 1, INFINITY),
);

/** One node's shifts, made of parts that are appended to one another. */
function shiftsOf(parts: readonly (readonly number[])[]): ScoreShifts {
  const all = new ScoreShifts(1);
  for (const part of parts) {
    const shifts = new ScoreShifts(1);
    for (const amount of part) shifts.add(0, amount);
    all.append(shifts);
  }
  return all;
}

function shifted(shifts: ScoreShifts, before: number): number {
  const table = new CandidateTable(1);
  table.put(0, before, ProbeMode.Always, NODE_SCORE);
  shifts.applyTo(table);
  return table.score(0);
}

describe('shifts of scores', () => {
  it('come to the same as all additions one by one', () => {
    fc.assert(
      fc.property(score, fc.array(fc.array(score, { maxLength: 6 }), { maxLength: 6 }), (before, parts) => {
        const shifts = shiftsOf(parts);
        expect(shifted(shifts, before)).toBe(parts.flat().reduce(addScores, before));
      }),
      { numRuns: 2_000 },
    );
  });

  it('know which scores stay at 0 or above after each addition', () => {
    fc.assert(
      fc.property(score, fc.array(fc.array(score, { maxLength: 4 }), { maxLength: 4 }), (before, parts) => {
        let sum = before;
        const stays = parts.flat().every((amount) => (sum = addScores(sum, amount)) >= 0);
        expect(shiftsOf(parts).keeps(0, before)).toBe(stays);
      }),
      { numRuns: 2_000 },
    );
  });

  it('know where every score is lost', () => {
    fc.assert(
      fc.property(fc.array(score, { maxLength: 6 }), (amounts) => {
        const ends = [-INFINITY, 0, INFINITY].map((before) => amounts.reduce(addScores, before));
        if (amounts.includes(-INFINITY)) expect(shiftsOf([amounts]).losesAll(0)).toBe(true);
        if (ends.some((end) => end > -INFINITY)) expect(shiftsOf([amounts]).losesAll(0)).toBe(false);
      }),
    );
  });
});
