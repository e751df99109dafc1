import { describe, expect, it } from 'vitest';
import { Elapsed } from './elapsed.js';

const HOUR_MS = 3_600_000;
const AT = 1_700_000_000_000;

describe('the time since something', () => {
  it('is what the database says at first sight, and goes on by the own clock whatever the database says then', () => {
    let monotonic = 50;
    const elapsed = new Elapsed(() => monotonic);
    expect(elapsed.since('c', 'planned', AT, AT + 2_000)).toBe(2_000);
    monotonic += 1_000;
    expect(elapsed.since('c', 'planned', AT, AT + HOUR_MS)).toBe(3_000);
    expect(elapsed.since('c', 'planned', AT, AT - HOUR_MS)).toBe(3_000);
  });

  it('is none for what is dated in the future, and begins anew with each moment and cluster', () => {
    let monotonic = 50;
    const elapsed = new Elapsed(() => monotonic);
    expect(elapsed.since('c', 'planned', AT + HOUR_MS, AT)).toBe(0);
    monotonic += 700;
    expect(elapsed.since('c', 'planned', AT + HOUR_MS, AT)).toBe(700);
    expect(elapsed.since('c', 'planned', AT + HOUR_MS + 1, AT)).toBe(0);
    expect(elapsed.since('d', 'planned', AT + HOUR_MS, AT)).toBe(0);
  });

  it('begins anew with each event, though both bear one date: that of a log stands still after its clock was put back', () => {
    let monotonic = 50;
    const elapsed = new Elapsed(() => monotonic);
    expect(elapsed.witnessed('c', 'loss of n1', AT, 7)).toBe(0);
    monotonic += 50_000;
    expect(elapsed.witnessed('c', 'loss of n1', AT, 7)).toBe(50_000);
    expect(elapsed.witnessed('c', 'loss of n1', AT, 19)).toBe(0);
  });

  it('as far as this process saw it knows no clock but its own: a step before the first sight ends no wait', () => {
    let monotonic = 50;
    const elapsed = new Elapsed(() => monotonic);
    expect(elapsed.witnessed('c', 'loss of n1', AT)).toBe(0);
    monotonic += 700;
    expect(elapsed.witnessed('c', 'loss of n1', AT)).toBe(700);
    expect(elapsed.witnessed('c', 'loss of n1', AT + 1)).toBe(0);
    expect(elapsed.since('c', 'loss of n1', AT + 1, AT + 1 + HOUR_MS)).toBe(HOUR_MS);
    expect(elapsed.witnessed('c', 'loss of n1', AT + 1)).toBe(0);
    elapsed.forget('c');
    monotonic += 700;
    expect(elapsed.witnessed('c', 'loss of n1', AT + 1)).toBe(0);
  });
});
