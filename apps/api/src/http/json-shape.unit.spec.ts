import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excessOf } from './json-shape.js';

const BOUNDS = { values: 50, levels: 4, fields: 5 };

describe('what a text of JSON holds too much of', () => {
  it.each<[text: string, excess: string | undefined]>([
    ['{}', undefined],
    [JSON.stringify(Array(49).fill(0)), undefined],
    [JSON.stringify(Array(50).fill(0)), 'holds more than 50 values'],
    [`[${'[ ],'.repeat(48)}[]]`, undefined],
    ['[[[[]]]]', undefined],
    ['[[[[[]]]]]', 'is nested more than 4 levels deep'],
    ['{"a":1,"b":2,"c":3,"d":4,"e":[1,2,3,4,5,6,7]}', undefined],
    ['[{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}]', 'holds an object with more than 5 fields'],
    [JSON.stringify([',,,,,,'.repeat(10), '[[[[[[', '\\",\\\\', '"', '\\']), undefined],
  ])('%s: %s', (text, excess) => {
    expect(excessOf(text, BOUNDS)).toBe(excess);
  });

  it('is counted as the values that it stands for', () => {
    const count = (value: unknown): number =>
      typeof value === 'object' && value !== null ? Object.values(value).reduce<number>((sum, one) => sum + count(one), 1) : 1;
    const bounds = { levels: 1_000, fields: 1_000 };
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const values = count(value);
        expect(excessOf(text, { ...bounds, values })).toBeUndefined();
        expect(excessOf(text, { ...bounds, values: values - 1 })).toBe(`holds more than ${String(values - 1)} values`);
      }),
    );
  });

  it('is anything for what is no JSON', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        excessOf(text, BOUNDS);
      }),
    );
  });
});
