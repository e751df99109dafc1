import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson, RepeatedKey } from './read-json.js';

const pointerIn = (text: string): string | undefined => {
  try {
    readJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof RepeatedKey) return error.pointer;
    throw error;
  }
};

describe('JSON that somebody sends', () => {
  it.each<[text: string, pointer: string]>([
    ['{"a":1,"a":2}', '/a'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"a": {"b" : [0, {"c":1, "d":[], "c" :2}]}}', '/a/b/1/c'],
    ['[{}, [1, "x,{", {"":0,"":0}]]', '/1/2/'],
    ['{"a/b":[],"x":{"~":"a","~":"a"}}', '/x/~0'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{"a":{"b":1},"b":{"a":2},"a":3}', '/a'],
    ['{"\\"":1,"\\\\":2,"\\"":3}', '/"'],
  ])('%s has a key twice', (text, pointer) => {
    expect(pointerIn(text)).toBe(pointer);
  });

  it('is what it was written of, where no key is there twice', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(readJson(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 100 },
    );
  });

  it('is looked at down to a thousand levels, and says where by so many characters at most', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}{"a":1,"a":2}${']'.repeat(depth)}`;
    expect(pointerIn(nested(400))).toBe(`${'/0'.repeat(400)}/a`);
    expect(pointerIn(nested(999))).toBe(`${'/0'.repeat(500)}…`);
    expect(pointerIn(nested(5_000))).toBeUndefined();
    expect(pointerIn(`{"${'k'.repeat(5_000)}":1,"${'k'.repeat(5_000)}":2}`)).toBe(`/${'k'.repeat(999)}…`);
  });

  it('is refused as JSON.parse does for what is none', () => {
    for (const text of ['', '{', '{"a":1,"a":2', '{"a"}', 'nul']) expect(() => readJson(text)).toThrow(SyntaxError);
  });
});
