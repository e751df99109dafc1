import fc from 'fast-check';

/** Texts that something on the way may choke on. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '\u0001\u001b[31m',
  '\ufeff',
  '\u202e',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  "'; DROP TABLE events; --",
  '<a b="c">&d;',
  '{{7*7}}',
  '%00',
  '-1',
  '1e999',
  'NaN',
  '9'.repeat(400),
  'x'.repeat(5_000),
  'ä'.repeat(300),
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '275760-09-14',
];

const NUMBERS: readonly number[] = [-1, 0, -0, 0.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e21, 1.7e308, -1.7e308, 5e-324];

/** As deep as a text of some size can be, and far deeper than anything that is meant. */
function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** What objects are thought to have; as own fields, as JSON makes them. */
const PROTOTYPE = ['{"__proto__":{"dryRun":true}}', '{"constructor":{"prototype":{"x":1}}}', '{"hasOwnProperty":1,"toString":2}'].map(
  (text): unknown => JSON.parse(text),
);

export const hostileText: fc.Arbitrary<string> = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 40 }));

/** Values that JSON can carry and no field asks for. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(...NUMBERS, null, true, false, [], {}, [[]], [null], ...PROTOTYPE),
  fc.constantFrom(5, 200, 3_000).map(nested),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Names that a field may be given. */
export const hostileName: fc.Arbitrary<string> = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'dryRun',
  '',
  '\u0000',
  '/',
  '~1',
  'ä',
);

/** Whole bodies that are no JSON, or no XML, or more than one should send. */
export const hostileBody: fc.Arbitrary<string> = fc.constantFrom(
  '',
  ' ',
  '{',
  '[',
  'null',
  '"',
  '{"a":1}{"b":2}',
  '\ufeff{}',
  '{"a":1,"a":2}',
  '{"a":1e999999}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
  '<',
  '<cib/>',
  '<cib><configuration/></cib>',
  '<cib a="1" a="2"/>',
  '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><cib>&b;</cib>',
  '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><cib x="&c;"/>',
  `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`,
  '<cib>\u0000</cib>',
  '<cib><configuration><resources><primitive id="&#0;"/></resources></configuration></cib>',
);
