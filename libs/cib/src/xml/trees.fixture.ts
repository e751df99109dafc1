import fc from 'fast-check';
import { element } from './element.js';
import type { XmlElement, XmlNode } from './element.js';

/** Generators of XML trees for property tests. */

/** A few names, so that elements of one name meet. */
const name = fc.oneof(
  fc.constantFrom('primitive', 'nvpair', 'op', 'rule'),
  fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,8}$/).filter((text) => text !== '__proto__'),
);

/** Text that XML can hold: markup, white space and characters beyond the basic plane included. */
const value = fc
  .oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[<>&"'\n\r\t \u00e9\u{1F600}]*$/u))
  .map((text) => text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ''));

export const anyComment: fc.Arbitrary<XmlNode> = fc.stringMatching(/^[a-z <&>"\n]*$/).map((text) => ({ kind: 'comment', text }));

/** Any tree that has an XML form. */
export const anyTree: fc.Arbitrary<XmlElement> = fc.letrec<{ tree: XmlElement }>((tie) => ({
  tree: fc
    .tuple(
      name,
      fc.dictionary(name, value, { noNullPrototype: true }),
      fc.array(fc.oneof({ maxDepth: 4 }, anyComment, tie('tree')), { maxLength: 4 }),
    )
    .map(([tag, attributes, children]) => element(tag, attributes, children)),
})).tree;
