import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { element } from '../xml/element.js';
import { calendarDate, epochDay, epochDayOfWeek, weekDate } from './calendar.js';
import { matchesDateSpec, parseDateRange } from './date-spec.js';
import { addDuration, parseDateTime, utc } from './date-time.js';
import type { DurationComponents } from './date-time.js';

const iso = (text: string): number => Date.parse(text) / 1000;

describe('the calendar', () => {
  const day = fc.integer({ min: -719_162, max: 2_000_000 });

  it('agrees with the platform on every day, both ways', () => {
    fc.assert(
      fc.property(day, (count) => {
        const date = calendarDate(count);
        const platform = new Date(count * 86_400_000);
        expect(date).toEqual({ year: platform.getUTCFullYear(), month: platform.getUTCMonth() + 1, day: platform.getUTCDate() });
        expect(epochDay(date)).toBe(count);
        expect(epochDayOfWeek(weekDate(count))).toBe(count);
      }),
    );
  });

  it('knows the weeks at the turn of a year', () => {
    expect(weekDate(iso('2021-01-03T00:00:00Z') / 86_400)).toEqual({ weekYear: 2020, week: 53, weekday: 7 });
    expect(weekDate(iso('2024-12-30T00:00:00Z') / 86_400)).toEqual({ weekYear: 2025, week: 1, weekday: 1 });
  });
});

describe('dates and times', () => {
  it.each([
    ['2005-01-20', '2005-01-20T00:00:00Z'],
    ['20050120', '2005-01-20T00:00:00Z'],
    ['2005-020', '2005-01-20T00:00:00Z'],
    ['2021-W53-7', undefined],
    ['2020-W53-7', '2021-01-03T00:00:00Z'],
    ['2019-09-23 18:00:00 -05:00', '2019-09-23T23:00:00Z'],
    ['2019-09-23T18:00:00Z', '2019-09-23T18:00:00Z'],
    ['2019-09-23T180000+0200', '2019-09-23T16:00:00Z'],
    ['2019-09-23T18', '2019-09-23T18:00:00Z'],
    ['2019-09-23T24:00:00Z', '2019-09-24T00:00:00Z'],
    ['epoch', '1970-01-01T00:00:00Z'],
    ['2019-02-29', undefined],
    ['2019-13-01', undefined],
    ['2005020', undefined],
    ['2019-09-23T24:00:01Z', undefined],
    ['2019-09-23T12:60:00Z', undefined],
    ['2019-09-23T12:00:00.5Z', undefined],
    ['2019-09-23 x', undefined],
    ['', undefined],
    ['yesterday', undefined],
  ])('reads %j as %s', (text, expected) => {
    expect(parseDateTime(text)?.epochSeconds).toBe(expected === undefined ? undefined : iso(expected));
  });

  it('takes a time without offset as local, a date without time as UTC', () => {
    const context = { localOffsetSeconds: 3600 };
    expect(parseDateTime('2019-09-23 12:00', context)).toEqual({ epochSeconds: iso('2019-09-23T11:00:00Z'), offsetSeconds: 3600 });
    expect(parseDateTime('2019-09-23', context)).toEqual(utc(iso('2019-09-23T00:00:00Z')));
  });

  it('reads a time alone as today', () => {
    const context = { today: utc(iso('2024-05-06T23:59:00Z')) };
    expect(parseDateTime('10:30', context)?.epochSeconds).toBe(iso('2024-05-06T10:30:00Z'));
    expect(parseDateTime('T103000Z', context)?.epochSeconds).toBe(iso('2024-05-06T10:30:00Z'));
    expect(parseDateTime('10:30')).toBeUndefined();
  });

  it.each<[string, DurationComponents, string]>([
    ['2004-03-01T00:00:00Z', { years: 1 }, '2005-03-01T00:00:00Z'],
    ['2004-02-29T00:00:00Z', { years: 1 }, '2005-02-28T00:00:00Z'],
    ['2024-01-31T10:00:00Z', { months: 1 }, '2024-02-29T10:00:00Z'],
    ['2024-01-31T10:00:00Z', { months: -2 }, '2023-11-30T10:00:00Z'],
    ['2024-01-01T12:00:00Z', { hours: 12 }, '2024-01-02T00:00:00Z'],
    ['2024-12-31T23:59:59Z', { weeks: 1, days: 1, minutes: 1, seconds: -60 }, '2025-01-08T23:59:59Z'],
  ])('%s and %j make %s', (start, duration, end) => {
    expect(addDuration(utc(iso(start)), duration).epochSeconds).toBe(iso(end));
  });
});

describe('date specifications', () => {
  it.each([
    ['9', { low: 9, high: 9 }],
    ['9-16', { low: 9, high: 16 }],
    ['9-', { low: 9, high: Infinity }],
    ['-16', { low: -Infinity, high: 16 }],
    ['', undefined],
    ['-', undefined],
    ['12x', undefined],
    ['1 2', undefined],
    ['1,2', undefined],
    ['1-2-3', undefined],
  ])('read the range %j', (text, range) => {
    expect(parseDateRange(text)).toEqual(range);
  });

  it('match in the offset of the moment', () => {
    const now = { epochSeconds: iso('2024-05-06T23:30:00Z'), offsetSeconds: 3600 };
    expect(matchesDateSpec(element('date_spec', { hours: '0', weekdays: '2', monthdays: '7', yeardays: '128' }), now)).toBe(true);
    expect(matchesDateSpec(element('date_spec', { hours: '23' }), now)).toBe(false);
    expect(matchesDateSpec(element('date_spec', { weeks: '12-9' }), now)).toBe(false);
    expect(matchesDateSpec(element('date_spec'), now)).toBe(true);
  });
});
