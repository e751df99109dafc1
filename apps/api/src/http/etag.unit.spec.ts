import { describe, expect, it } from 'vitest';
import { etagOf, expectedVersion, isKnown } from './etag.js';

const statusOf = (ifMatch: string): unknown => {
  try {
    return expectedVersion(ifMatch);
  } catch (error) {
    return error instanceof Error && 'status' in error ? { status: error.status } : error;
  }
};

describe('If-Match', () => {
  it('asks for the version of an ETag', () => {
    expect(etagOf(17)).toBe('"17"');
    expect(expectedVersion(etagOf(17))).toBe(17);
    expect(expectedVersion('"3", "17" ,"4"')).toBe(17);
  });

  it('asks for nothing when it is missing or *', () => {
    expect(expectedVersion(undefined)).toBeUndefined();
    expect(expectedVersion('*')).toBeUndefined();
  });

  it('matches nothing with a weak tag or one of another server', () => {
    for (const tag of ['W/"17"', '"abc"', '""', '"0"', '"-1"', '"99999999999999999999"']) expect(statusOf(tag)).toEqual({ status: 412 });
  });

  it('is refused when it is no list of tags', () => {
    for (const text of ['17', '"17', 'W/17', '"1" "2"', '']) expect(statusOf(text)).toEqual({ status: 400 });
  });

  it('decides quickly about long nonsense', () => {
    const start = performance.now();
    statusOf(`${'"1",'.repeat(20_000)}x`);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('If-None-Match', () => {
  it.each([
    ['"17"', true],
    ['W/"17"', true],
    ['"3", W/"17" ,"4"', true],
    ['*', true],
    ['"170"', false],
    ['17', false],
    ['"17', false],
    ['', false],
    [undefined, false],
  ])('of %s knows version 17: %s', (ifNoneMatch, known) => {
    expect(isKnown(17, ifNoneMatch)).toBe(known);
  });
});
