import { describe, expect, it } from 'vitest';
import { momentIn } from './moment-in.js';

describe('a moment', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T23:59:59.999999Z', '2000-02-29T23:59:59.999Z'],
    ['2026-01-31T12:00:00+01:30', '2026-01-31T10:30:00.000Z'],
    ['2026-01-31T12:00:00-0100', '2026-01-31T13:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60.5Z', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T00:59:60+01:00', '2017-01-01T00:00:00.000Z'],
    ['1990-12-31T15:59:60-08:00', '1991-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, at) => {
    expect(new Date(momentIn(text) ?? NaN).toISOString()).toBe(at);
  });

  it('is in UTC without an offset, wherever the server is', () => {
    const zone = process.env['TZ'];
    try {
      for (const place of ['Asia/Tokyo', 'America/New_York', 'UTC']) {
        process.env['TZ'] = place;
        for (const text of ['2026-11-27T06:47:00', '2026-11-27T06:47', '2026-11-27T06:47:00.000'])
          expect(momentIn(text), place).toBe(Date.UTC(2026, 10, 27, 6, 47));
        expect(momentIn('2026-11-27')).toBe(Date.UTC(2026, 10, 27));
      }
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it.each([
    ...['2026-02-29', '2026-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2026-11-31T00:00:00Z', '2026-13-01', '2026-00-10', '2026-04-00'],
    ...['2026-01-31T25:00:00Z', '2026-01-31T12:60:00Z', '2026-01-31T12:00:61Z', '2026-01-31T12:00:00+24:00', '2026-01-31T12:00:00+01:60'],
    ...['2026-03-15T23:59:60Z', '2016-12-31T23:59:60+01:00', '2016-12-31T23:58:60Z', 'soon', ''],
  ])('%s is none', (text) => {
    expect(momentIn(text)).toBeUndefined();
  });
});
