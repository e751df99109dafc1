import { element } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { effectiveTime, InvalidTimeError } from './effective-time.js';

const CLOCK = 1_700_000_000;

describe('effectiveTime', () => {
  it('is the real time, without a word, when nothing else is known', () => {
    expect(effectiveTime(element('cib'), { clock: CLOCK })).toEqual({ now: CLOCK });
    expect(effectiveTime(element('cib', { 'execution-date': 'soon' }), { clock: CLOCK })).toEqual({ now: CLOCK });
  });

  it('is the date of the CIB, if it has one', () => {
    expect(effectiveTime(element('cib', { 'execution-date': '1505213519' }), { clock: CLOCK })).toEqual({
      now: 1_505_213_519,
      notice: 'Using the original execution date of: 2017-09-12 10:51:59Z',
    });
  });

  it('may be asked for in seconds since 1970, where that is no date', () => {
    const now = (wanted: string): number => effectiveTime(element('cib'), { wanted, clock: CLOCK }).now;
    expect(now('1505213519')).toBe(1_505_213_519);
    expect(now('20171231')).toBe(1_514_678_400);
    expect(() => now('-5')).toThrow(InvalidTimeError);
  });

  it('is what was asked for, repeated as it was written', () => {
    const cib = element('cib', { 'execution-date': '1' });
    expect(effectiveTime(cib, { wanted: '2023-11-14 22:13:20Z', clock: CLOCK })).toEqual({
      now: CLOCK,
      notice: 'Setting effective cluster time: 2023-11-14 22:13:20Z',
    });
  });

  it('takes a time without an offset as local', () => {
    expect(effectiveTime(element('cib'), { wanted: '2023-11-14 23:13:20', clock: 0, localOffsetSeconds: 3600 }).now).toBe(CLOCK);
  });

  it('refuses what is no time', () => {
    expect(() => effectiveTime(element('cib'), { wanted: 'tomorrow', clock: CLOCK })).toThrow(InvalidTimeError);
  });
});
