import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cibToJson, writingCibJson } from '../json/cib-json.js';
import { element } from './element.js';
import { serializeXml, serializingXml } from './serialize-xml.js';
import { anyTree } from './trees.fixture.js';

function finished(steps: Iterator<unknown, string, undefined>): { readonly text: string; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return { text: step.value, pauses };
  }
}

/** Some of them so wide that they are written in parts. */
const tree = fc.tuple(anyTree, fc.boolean()).map(([one, wide]) =>
  wide
    ? element(
        'cib',
        { a: '<' },
        Array.from({ length: 500 }, () => one),
      )
    : one,
);

describe('a tree that is written bit by bit', () => {
  it('is the text that is written in one go, as XML and as JSON', () => {
    fc.assert(
      fc.property(tree, (one) => {
        expect(finished(serializingXml(one)).text).toBe(serializeXml(one));
        expect(finished(writingCibJson(one)).text).toBe(JSON.stringify(cibToJson(one)));
      }),
      { numRuns: 60 },
    );
  });

  it('leaves room for something else every few hundred elements', () => {
    const wide = element(
      'status',
      {},
      Array.from({ length: 5_000 }, (_, index) => element('node_state', { id: String(index) })),
    );
    expect(finished(serializingXml(wide)).pauses).toBe(5_000);
    expect(finished(writingCibJson(wide)).pauses).toBe(5_000);
  });
});
