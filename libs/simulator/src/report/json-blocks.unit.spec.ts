import { describe, expect, it } from 'vitest';
import { jsonBlocks } from './json-blocks.js';

describe('jsonBlocks', () => {
  it.each([
    [null],
    ['a\nb'],
    [[]],
    [{}],
    [{ none: undefined }],
    [
      {
        now: 1,
        none: undefined,
        'a "b"': { list: [{ deep: { deeper: [1, { deepest: ['x', []] }] } }, 'two\nlines'], empty: [], nothing: {} },
      },
    ],
    [[[[[1, 2], [3]]]]],
  ])('makes of %j what JSON.stringify does', (value) => {
    expect([...jsonBlocks(value)].join('')).toBe(JSON.stringify(value, undefined, 2));
  });

  it('never holds more than one listed element at a time', () => {
    const synapses = Array.from({ length: 1000 }, (_, id) => ({ id, inputs: [id] }));
    const longest = Math.max(...[...jsonBlocks({ graph: { synapses } })].map(({ length }) => length));
    expect(longest).toBeLessThan(100);
  });
});
