import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBoolean } from './boolean.js';
import { parseInteger, readInteger } from './integer.js';
import { DEFAULT_TIMEOUT_MS, intervalMs, parseInterval, startDelayMs, timeoutMs } from './interval.js';
import { parseRole, ROLES } from './role.js';
import { addScores, formatScore, INFINITY_SCORE, parseScore } from './score.js';
import { compareVersions } from './version.js';

describe('integers', () => {
  it.each([
    ['12', 12],
    ['  -7 apples', -7],
    ['+3', 3],
    ['1.0', 1],
    ['-0', 0],
    ['', undefined],
    ['x1', undefined],
    ['-', undefined],
    [undefined, undefined],
  ])('reads %j as %s', (text, value) => {
    expect(parseInteger(text)).toBe(value);
  });

  it('clips to 64 bits and says so', () => {
    expect(readInteger('9223372036854775807')).toMatchObject({ outOfRange: false });
    expect(readInteger('9223372036854775808')).toMatchObject({ value: 2 ** 63, outOfRange: true });
    expect(readInteger('-99999999999999999999x')).toMatchObject({ value: -(2 ** 63), end: 21, outOfRange: true });
  });
});

describe('booleans', () => {
  it('ignore case and know ten words', () => {
    for (const text of ['true', 'On', 'YES', 'y', '1']) expect(parseBoolean(text)).toBe(true);
    for (const text of ['False', 'off', 'no', 'N', '0']) expect(parseBoolean(text)).toBe(false);
    for (const text of ['', ' true', '2', undefined]) expect(parseBoolean(text)).toBeUndefined();
  });
});

describe('scores', () => {
  it.each([
    ['INFINITY', INFINITY_SCORE],
    ['+INFINITY', INFINITY_SCORE],
    ['-INFINITY', -INFINITY_SCORE],
    ['1.0', 1],
    ['5abc', 5],
    ['99999999999999999999', INFINITY_SCORE],
    ['-1000001', -INFINITY_SCORE],
    ['Red', 0],
    ['infinity', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j as %s', (text, score) => {
    expect(parseScore(text)).toBe(score);
  });

  it('give health words the worth they are told', () => {
    expect(parseScore('RED', { red: -INFINITY_SCORE, yellow: -10, green: 5 })).toBe(-INFINITY_SCORE);
    expect(parseScore('yellow', { red: 0, yellow: -10, green: 5 })).toBe(-10);
  });

  const score = fc.integer({ min: -INFINITY_SCORE, max: INFINITY_SCORE });

  it('add within bounds, whatever is added, in either order', () => {
    fc.assert(
      fc.property(score, score, (a, b) => {
        const sum = addScores(a, b);
        expect(Math.abs(sum)).toBeLessThanOrEqual(INFINITY_SCORE);
        expect(addScores(b, a)).toBe(sum);
        expect(parseScore(formatScore(sum))).toBe(sum);
      }),
    );
  });

  it('let minus infinity beat infinity, and infinity every number', () => {
    fc.assert(
      fc.property(score, (a) => {
        expect(addScores(a, -INFINITY_SCORE)).toBe(-INFINITY_SCORE);
        expect(addScores(a, INFINITY_SCORE)).toBe(a <= -INFINITY_SCORE ? -INFINITY_SCORE : INFINITY_SCORE);
      }),
    );
  });
});

describe('intervals', () => {
  it.each([
    [undefined, 0],
    ['10', 10_000],
    [' 7 ', 7000],
    ['1.9s', 1000],
    ['3.1.4ms', 3],
    ['5 seconds', 5000],
    ['1msx', 1],
    ['2hr', 7_200_000],
    ['5MIN', 300_000],
    ['1500us', 1],
    ['99999999999', 4_294_967_295],
    ['P10S', 10_000],
    ['P40S', 40_000],
    ['PT1M', 60_000],
    ['P1M', 2_592_000_000],
    ['P1DT2H', 93_600_000],
    ['PT5M3S/x', 303_000],
    ['P9999999999Y', 4_294_967_000],
    ['P', undefined],
    ['PT', undefined],
    ['P1.5S', undefined],
    ['1d', undefined],
    ['-5s', undefined],
    ['abc', undefined],
    ['', undefined],
  ])('read %j as %s ms', (text, ms) => {
    expect(parseInterval(text)).toBe(ms);
    expect(intervalMs(text)).toBe(ms ?? 0);
  });

  it('are never negative and never fail on any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(intervalMs(text)).toBeGreaterThanOrEqual(0);
        expect(timeoutMs(text)).toBeGreaterThan(0);
      }),
    );
  });

  it('read what they are written as', () => {
    const units = fc.constantFrom(['ms', 1], ['s', 1000], ['min', 60_000], ['h', 3_600_000]) as fc.Arbitrary<[string, number]>;
    fc.assert(
      fc.property(fc.nat(1000), units, fc.constantFrom('', ' '), (amount, [unit, factor], blank) => {
        expect(parseInterval(`${amount}${blank}${unit}`)).toBe(amount * factor);
      }),
    );
  });
});

describe('timeouts and start delays', () => {
  it.each([
    ['PT1M', DEFAULT_TIMEOUT_MS],
    ['1d', DEFAULT_TIMEOUT_MS],
    ['bad', DEFAULT_TIMEOUT_MS],
    ['0', DEFAULT_TIMEOUT_MS],
    ['-1', DEFAULT_TIMEOUT_MS],
    ['99999999999999999999', DEFAULT_TIMEOUT_MS],
    ['1.5s', 1000],
    ['30', 30_000],
    ['9999999999', 2_147_483_647],
  ])('a timeout of %j is %s ms', (text, ms) => {
    expect(timeoutMs(text)).toBe(ms);
  });

  it('a start delay that makes no sense is none', () => {
    expect(startDelayMs('5s')).toBe(5000);
    expect(startDelayMs('-5s')).toBe(0);
    expect(startDelayMs('soon')).toBe(0);
  });
});

describe('roles', () => {
  it('are read with their legacy names and ordered', () => {
    expect(parseRole('MASTER')).toBe('Promoted');
    expect(parseRole('slave')).toBe('Unpromoted');
    expect(parseRole('nonsense')).toBeUndefined();
    expect(ROLES.indexOf('Started')).toBeLessThan(ROLES.indexOf('Unpromoted'));
  });
});

describe('versions', () => {
  it.each([
    ['3.1', '3.1.0', 0],
    ['2.0', '3.0.1', -1],
    ['2.10', '2.9', 1],
    ['', '0', 0],
    [' 1.2rc3', '1.2', 0],
    ['3.20.5', '3.19.0', 1],
    ['1..2', '1', 0],
    ['99999999999999999999', '99999999999999999998', 1],
  ])('%j compared with %j', (a, b, order) => {
    expect(Math.sign(compareVersions(a, b))).toBe(order);
    expect(Math.sign(compareVersions(b, a))).toBe(order === 0 ? 0 : -order);
  });
});
