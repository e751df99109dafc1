import fc from 'fast-check';

/** A place in a tree: the kind of element first, so that rare kinds are met as often as common ones; both are taken modulo what there is. */
export interface Place {
  readonly kind: number;
  readonly index: number;
}

/** One change of a document, as data that can be made smaller. Numbers pick from what the document has. */
export type Mutation =
  | { readonly type: 'delete' | 'duplicate' | 'reverse-children' | 'hollow'; readonly at: Place }
  /** To be the last child of another element, to be replaced by it, or both to change places. */
  | { readonly type: 'move' | 'replace' | 'swap'; readonly at: Place; readonly other: Place }
  /** An attribute that is there gets another value: from the pools, a strange name, or what another attribute of the document holds. */
  | { readonly type: 'set' | 'set-strange' | 'set-existing'; readonly at: Place; readonly attribute: number; readonly pick: number }
  | { readonly type: 'unset'; readonly at: Place; readonly attribute: number }
  /** An attribute that an element of the same kind elsewhere has. */
  | { readonly type: 'borrow'; readonly at: Place; readonly other: Place; readonly attribute: number }
  /** A name-value pair that the scheduler knows, added to a set of the document. */
  | { readonly type: 'setting'; readonly at: Place; readonly name: number; readonly pick: number }
  /** An id that is changed here and in every reference to it; or a reference that is led to an id of the document. */
  | { readonly type: 'rename' | 'retarget'; readonly at: Place; readonly pick: number }
  /** An element in itself, many times over. */
  | { readonly type: 'nest'; readonly at: Place; readonly depth: number }
  /** Many copies: at most 1,000 with ids of their own, or references to the resources in turn. */
  | { readonly type: 'multiply'; readonly at: Place; readonly times: number; readonly fresh: boolean }
  /** A part of another sample. */
  | { readonly type: 'splice'; readonly at: Place; readonly sample: number; readonly from: Place };

/** One change of the text itself. */
export interface TextMutation {
  readonly type: 'cut' | 'repeat' | 'insert' | 'truncate';
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

/** Everything that decides one input. */
export interface Plan {
  /** Modulo the number of samples. */
  readonly sample: number;
  readonly mutations: readonly Mutation[];
  readonly text: readonly TextMutation[];
  /** What to inject before planning and which operation to let fail; undefined for nothing. */
  readonly injection: number | undefined;
}

const pick = fc.nat(100_000);
const place = fc.record({ kind: fc.nat(1000), index: pick });

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('delete', 'duplicate', 'reverse-children', 'hollow'), at: place }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('move', 'replace', 'swap'), at: place, other: place }) },
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constantFrom('set', 'set', 'set-strange', 'set-existing'), at: place, attribute: pick, pick }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('unset'), at: place, attribute: pick }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('borrow'), at: place, other: place, attribute: pick }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('setting'), at: place, name: pick, pick }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('rename', 'retarget', 'retarget', 'retarget'), at: place, pick }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('nest'), at: place, depth: fc.integer({ min: 1, max: 300 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('multiply'),
      at: place,
      times: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: 1, max: 30 }) },
        { weight: 1, arbitrary: fc.integer({ min: 31, max: 10_000 }) },
      ),
      fresh: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('splice'), at: place, sample: pick, from: place }) },
);

const FRAGMENTS = [
  '<',
  '>',
  '&',
  '"',
  "'",
  '/>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?xml',
  '<!DOCTYPE x [',
  '&lt;',
  '&x;',
  '&#0;',
  '&#x110000;',
  '</cib>',
  '<cib>',
];

const textMutation: fc.Arbitrary<TextMutation> = fc.record({
  type: fc.constantFrom('cut', 'repeat', 'insert', 'truncate'),
  at: fc.nat(1_000_000),
  length: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2000 })),
  text: fc.oneof(
    fc.constantFrom(...FRAGMENTS),
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.constantFrom('\ud800', '\0', '\ufffe', '\u0085'),
  ),
});

/** Plans for inputs: mostly a few changes of the tree, now and then of the text, or none but an injection. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  sample: fc.noShrink(fc.nat(1_000_000)),
  mutations: fc.array(mutation, { maxLength: 8, size: 'max' }),
  text: fc.oneof(
    { weight: 14, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(textMutation, { minLength: 1, maxLength: 3, size: 'max' }) },
  ),
  injection: fc.option(pick, { freq: 4, nil: undefined }),
});
