import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, canonicalJsonOf } from './canonical-json.js';

describe('canonicalJson', () => {
  it('writes the example of RFC 8785 section 3.2.2 as section 3.2.3 says', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts keys by UTF-16 code units (RFC 8785 section 3.2.3)', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toEqual([4, 2, 6, 7, 1, 5, 3]);
  });

  it('writes numbers as ECMAScript does', () => {
    expect(canonicalJson([-0, 5e-324, -1.7976931348623157e308, 9007199254740992, 1e21, 1e20, 1e-7])).toBe(
      '[0,5e-324,-1.7976931348623157e+308,9007199254740992,1e+21,100000000000000000000,1e-7]',
    );
  });

  it('leaves out undefined properties and writes dates as their text', () => {
    expect(canonicalJson({ b: undefined, a: new Date(0) })).toBe('{"a":"1970-01-01T00:00:00.000Z"}');
  });

  it.each<[unknown, string]>([
    [Number.POSITIVE_INFINITY, ''],
    [{ a: [{ 'b~c/d': Number.NaN }] }, '/a/0/b~0c~1d'],
    [[undefined], '/0'],
    [{ a: 1n }, '/a'],
    [{ a: () => 1 }, '/a'],
    [{ '\ud800': 1 }, ''],
    [{ a: 'x\0' }, '/a'],
  ])('refuses %o at %s', (value, pointer) => {
    expect(refusal(value)).toMatchObject({ name: 'InvalidEvent', pointer });
  });

  it('keeps apart objects that are alike in number and length of keys, in turns', () => {
    for (let turn = 0; turn < 3; turn++) {
      expect(canonicalJson({ bb: 1, ax: 2, cc: 3 })).toBe('{"ax":2,"bb":1,"cc":3}');
      expect(canonicalJson({ bb: 1, zx: 2, cc: 3 })).toBe('{"bb":1,"cc":3,"zx":2}');
      expect(canonicalJson({ cc: 3, ax: 2, bb: 1 })).toBe('{"ax":2,"bb":1,"cc":3}');
      expect(canonicalJson({ bb: undefined, ax: undefined, cc: 3 })).toBe('{"cc":3}');
      expect(canonicalJson({ 10: 'x', 9: { b: 1, a: 2 } })).toBe('{"10":"x","9":{"a":2,"b":1}}');
      expect(canonicalJson({})).toBe('{}');
    }
  });

  it('refuses a cycle, not a value that occurs twice', () => {
    const twice = { x: 1 };
    expect(canonicalJson([twice, twice])).toBe('[{"x":1},{"x":1}]');
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    expect(refusal(cycle)).toMatchObject({ name: 'InvalidEvent', pointer: '/self' });
  });

  it('gives the same text whatever the order of keys, and a text that reads back as the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});

function refusal(value: unknown): unknown {
  try {
    return canonicalJson(value);
  } catch (error) {
    return error;
  }
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe('canonicalJsonOf', () => {
  it.each(['{"b": "x", "a": [1.0, 1e2, -0, {}]}', '{"b": "\\u00e9\\n\\"", "a": "é\u007f😀"}', '"x"', '[]', 'null'])(
    'writes %s as its value is written',
    (json) => {
      expect(canonicalJsonOf(json)).toBe(canonicalJson(JSON.parse(json)));
    },
  );

  it('writes any JSON, however it is spaced, as its value is written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const space of ['', ' ']) {
          const json = JSON.stringify(value, undefined, space);
          expect(canonicalJsonOf(json)).toBe(canonicalJson(JSON.parse(json)));
        }
      }),
    );
  });

  it('refuses what is no JSON, and numbers that no JSON has', () => {
    expect(() => canonicalJsonOf('{"a": }')).toThrow(SyntaxError);
    expect(() => canonicalJsonOf('{"a": 1e999}')).toThrow('is not a JSON number');
  });
});
