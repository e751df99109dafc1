import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonAssembly, jsonPieces, jsonWeight } from './json-pieces.js';

function assembled(pieces: Iterable<string>): unknown {
  const [first = '', ...rest] = pieces;
  const assembly = new JsonAssembly(first);
  for (const piece of rest) assembly.add(piece);
  return assembly.value;
}

/** Any JSON, made large: some of its parts many times over, in lists and by names. */
const large = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 2 }), fc.nat(600), fc.nat(600))
  .map(([one, other, many, more]): unknown => ({
    one,
    list: Array.from({ length: many }, (_, at) => [other, at, { deep: Array.from({ length: at }, () => at) }]),
    record: Object.fromEntries<unknown>([
      ...Array.from({ length: more }, (_, at) => [`n${String(at)}`, [one, other]] as const),
      ['__proto__', other],
    ]),
    last: '',
  }));

describe('a value in pieces', () => {
  it('is put together again as it was, the order of its members included', () => {
    fc.assert(
      fc.property(large, (value) => {
        expect(JSON.stringify(assembled(jsonPieces(value)))).toBe(JSON.stringify(value));
      }),
      { numRuns: 50 },
    );
  });

  it('that is small is its JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), (value) => {
        fc.pre(jsonWeight(value, 2_000) <= 2_000);
        expect([...jsonPieces(value)]).toEqual([JSON.stringify(value)]);
      }),
    );
  });

  it('has none that takes long, and not many that are tiny', () => {
    const entry = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`attribute-${String(at)}`, 'a value of some length']));
    const node = { name: 'node_state', children: [{ name: 'lrm', children: Array.from({ length: 300 }, () => entry) }] };
    const pieces = [...jsonPieces({ cib: { status: Array.from({ length: 20 }, () => node) }, more: 'x' })];
    const lengths = pieces.map((piece) => piece.length);
    expect(Math.max(...lengths)).toBeLessThan(100_000);
    expect(Math.min(...lengths.slice(1, -1))).toBeGreaterThan(20_000);
  });

  it('takes nothing in that is no piece of it', () => {
    const assembly = new JsonAssembly('{"list":[1]}');
    for (const foreign of [
      '1',
      '[1]',
      '[[["list"],{"a":1}]]',
      '[[["other"],[1]]]',
      '[[["__proto__"],{"a":1}]]',
      '[[["list",0],[1]]]',
      '{',
    ]) {
      expect(() => {
        assembly.add(foreign);
      }, foreign).toThrow(SyntaxError);
    }
    expect(assembly.value).toEqual({ list: [1] });
  });
});
