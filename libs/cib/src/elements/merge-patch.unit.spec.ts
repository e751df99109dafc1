import { expect, it } from 'vitest';
import { mergePatch } from './merge-patch.js';

/** RFC 7396, appendix A. */
it.each<[original: unknown, patch: unknown, result: unknown]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j, patched with %j, is %j', (original, patch, result) => {
  expect(mergePatch(original, patch)).toEqual(result);
});

it('takes names of the language for fields like all others', () => {
  const merged = mergePatch({ a: '1' }, JSON.parse('{"__proto__":{"polluted":"yes"},"constructor":"x"}'));
  expect(JSON.stringify(merged)).toBe('{"a":"1","__proto__":{"polluted":"yes"},"constructor":"x"}');
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
});
