import { describe, expect, it } from 'vitest';
import { compressedTag, etagOf, expectedVersions, knownTag, newMaking, unwantedVersions } from './etag.js';

const statusOf = (ifMatch: string): unknown => {
  try {
    return expectedVersions(ifMatch);
  } catch (error) {
    return error instanceof Error && 'status' in error ? { status: error.status } : error;
  }
};

describe('If-Match', () => {
  it('asks for the version of an ETag', () => {
    expect(etagOf({ version: 17 })).toBe('"17"');
    expect(expectedVersions(etagOf({ version: 17 }))).toEqual([{ version: 17 }]);
    expect(expectedVersions('"3", "17" ,"4"')).toEqual([{ version: 3 }, { version: 17 }, { version: 4 }]);
    expect(expectedVersions(' , ,"3",,"17", ')).toEqual([{ version: 3 }, { version: 17 }]);
    const later = { version: 17, epoch: '3f2a8b1c' };
    expect(etagOf(later)).toBe('"17-3f2a8b1c"');
    expect(expectedVersions(`W/"3", ${etagOf(later)}, "x"`)).toEqual([later]);
  });

  it('asks for a version, whatever that was written as and compressed with', () => {
    const version = { version: 17, epoch: '3f2a8b1c' };
    for (const form of ['json', 'xml'] as const) {
      const plain = etagOf(version, form);
      const tags = [plain, compressedTag(plain, 'gzip'), compressedTag(plain, 'br')];
      expect(new Set(tags).size).toBe(3);
      for (const tag of tags) expect(expectedVersions(tag)).toEqual([version]);
    }
    expect(compressedTag(etagOf({ version: 17 }, 'xml'), 'gzip')).toBe('"17_xml_gzip"');
    // As older command lines take them out of what they exported.
    expect(compressedTag(etagOf(version, 'xml'), 'gzip')).toMatch(/^"[\w-]{1,40}"$/);
    for (const tag of ['"17_gzip_xml"', '"17_yaml"', '"17_"', '"17_xml_xml"']) expect(statusOf(tag)).toEqual({ status: 412 });
  });

  it('asks for a version, whichever making of an answer its tag is of, and two makings have two tags', () => {
    const [one, other] = [etagOf({ version: 17 }, 'json', newMaking()), etagOf({ version: 17 }, 'json', newMaking())];
    expect(one).not.toBe(other);
    for (const tag of [one, other, compressedTag(one, 'gzip'), etagOf({ version: 17 }, 'xml', newMaking())]) {
      expect(expectedVersions(tag)).toEqual([{ version: 17 }]);
      expect(tag).toMatch(/^"[\w-]{1,40}"$/);
    }
  });

  it('asks for nothing when it is missing or *', () => {
    expect(expectedVersions(undefined)).toBeUndefined();
    expect(expectedVersions('*')).toBeUndefined();
  });

  it('matches nothing with a weak tag or one of another server', () => {
    for (const tag of ['W/"17"', '"abc"', '""', '"0"', '"-1"', '"99999999999999999999"']) expect(statusOf(tag)).toEqual({ status: 412 });
  });

  it('is refused when it is no list of tags', () => {
    for (const text of ['17', '"17', 'W/17', '"1" "2"', '', ' , ,', ',"1" x']) expect(statusOf(text)).toEqual({ status: 400 });
  });

  it('decides quickly about long nonsense', () => {
    const start = performance.now();
    statusOf(`${'"1",'.repeat(20_000)}x`);
    statusOf(`${'"1", ,'.repeat(5_000)}x`);
    statusOf(`"1"${', '.repeat(20_000)}x`);
    statusOf(`${', '.repeat(20_000)}x`);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('If-None-Match', () => {
  it.each([
    ['"17"', true],
    ['W/"17"', true],
    ['"3", W/"17" ,"4"', true],
    ['*', true],
    [', ,"17",', true],
    ['"170"', false],
    ['17', false],
    ['"17', false],
    ['', false],
    [undefined, false],
  ])('of %s knows version 17: %s', (ifNoneMatch, known) => {
    expect(knownTag({ version: 17 }, 'json', ifNoneMatch, () => true)).toBe(known ? '"17"' : undefined);
    if (ifNoneMatch !== '*') expect(knownTag({ version: 17, epoch: 'e2' }, 'json', ifNoneMatch, () => true)).toBeUndefined();
  });

  it.each([
    ['json', '"17_xml"', true, undefined],
    ['xml', '"17"', true, undefined],
    ['xml', '"17", W/"17_xml"', true, '"17_xml"'],
    ['xml', '"17_xml_gzip"', true, '"17_xml_gzip"'],
    // Who gives it on to somebody who does not take that has to have another one.
    ['xml', '"17_xml_gzip"', false, undefined],
    ['json', '"17_gzip", "17"', false, '"17"'],
    // Of one making nobody knows whether the answer would be the same.
    ['json', '"17_m0a1b2c", "17_m0a1b2c_gzip"', true, undefined],
  ] as const)('as %s knows of %s (compressed: %s) %s', (form, ifNoneMatch, takes, known) => {
    expect(knownTag({ version: 17 }, form, ifNoneMatch, () => takes)).toBe(known);
  });

  it('of a write names the versions at which it is not wanted', () => {
    expect([unwantedVersions(undefined), unwantedVersions(' * '), unwantedVersions('"x"')]).toEqual([undefined, 'any', []]);
    expect(unwantedVersions('W/"3", ,"17-e2"')).toEqual([{ version: 3 }, { version: 17, epoch: 'e2' }]);
    expect(() => unwantedVersions('17')).toThrow(expect.objectContaining({ status: 400 }) as Error);
  });
});
