import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { element } from './element.js';
import { LongText } from './long-text.js';
import { parseXml } from './parse-xml.js';
import { serializeXml } from './serialize-xml.js';
import { sameXml } from './same-xml.js';
import { anyTree } from './trees.fixture.js';
import { XmlError } from './xml-error.js';

function thrown(action: () => unknown): XmlError {
  try {
    action();
  } catch (error) {
    if (error instanceof XmlError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function refusal(text: string, options: { maxBytes?: number; maxDepth?: number } = {}): XmlError {
  return thrown(() => parseXml(text, options));
}

describe('parseXml', () => {
  it('keeps elements, attributes, their order, comments and lines, and drops text', () => {
    const root = parseXml('<?xml version="1.0"?>\n<cib b="2" a="1">\n  text<!-- kept -->\n  <node id="1"/>\n</cib>');
    expect(root).toEqual({
      kind: 'element',
      name: 'cib',
      attributes: { b: '2', a: '1' },
      children: [
        { kind: 'comment', text: ' kept ' },
        { kind: 'element', name: 'node', attributes: { id: '1' }, children: [], line: 4 },
      ],
      line: 2,
    });
    expect(Object.keys(root.attributes)).toEqual(['b', 'a']);
  });

  it('gives the line of the tag, not of its attributes', () => {
    const root = parseXml('<a\n x="1">\n<b\n\n y="1"/></a>');
    expect(root.line).toBe(1);
    expect(root.children).toMatchObject([{ line: 3 }]);
  });

  it('reads predefined entities and character references', () => {
    expect(parseXml('<a x="&lt;&gt;&amp;&quot;&apos;&#10;&#x41;"/>').attributes['x']).toBe('<>&"\'\nA');
  });

  it('reads each value for itself, whatever the elements before had', () => {
    const values = [
      '',
      'a',
      'a',
      'ab',
      'a',
      '&lt;',
      '&lt;',
      '&amp;',
      'a\nb',
      'a b',
      'a&#10;b',
      'a b',
      "'",
      '',
      '-'.repeat(30),
      '-'.repeat(30),
    ];
    const root = parseXml(`<cib>${values.map((value) => `<node id="1" uname="${value}" type="t"/>`).join('')}</cib>`);
    const read = root.children.map((child) => (child.kind === 'element' ? child.attributes['uname'] : undefined));
    const dashes = '-'.repeat(30);
    expect(read).toEqual(['', 'a', 'a', 'ab', 'a', '<', '<', '&', 'a b', 'a b', 'a\nb', 'a b', "'", '', dashes, dashes]);
  });

  it.each(['<', '&', '\u0001'])('refuses a bare %j also after elements that have it by reference', (character) => {
    const reference = `<b x="${character === '\u0001' ? 'c' : `&#${character.charCodeAt(0)};`}"/>`;
    expect(refusal(`<a>${reference.repeat(3)}<b x="${character}"/></a>`).reason).toBe('not-well-formed');
  });

  it('reports the line and the open element of malformed input', () => {
    const error = refusal('<cib>\n  <configuration>\n    <nodes x=1/>\n  </configuration>\n</cib>');
    expect(error).toMatchObject({ reason: 'not-well-formed', line: 3, element: 'configuration' });
    expect(error.message).toContain('line 3');
  });

  it.each([
    ['', 'no-root-element'],
    ['<a/><b/>', 'not-well-formed'],
    ['<a x="1" x="2"/>', 'duplicate-attribute'],
    ['<a><b></a></b>', 'mismatched-tag'],
    ['<a><b>', 'mismatched-tag'],
    ['<a x="&foo;"/>', 'undefined-entity'],
    ['<a x="a & b"/>', 'not-well-formed'],
    ['<a x="<"/>', 'not-well-formed'],
    ['<a x="\u0001"/>', 'not-well-formed'],
    ['<?xml version="1.1"?><a x="&#1;"/>', 'bad-character'],
    ['<a x="&#0;"/>', 'bad-character'],
    ['<a><!-- a -- b --></a>', 'not-well-formed'],
    ['x<a/>', 'not-well-formed'],
    ['<a __proto__="x"/>', 'bad-name'],
    ['<a x="\ud800<b"/>', 'bad-character'],
    ['<!DOCTYPE a><a/>', 'doctype-not-allowed'],
    ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'doctype-not-allowed'],
    ['{"json": true}', 'not-well-formed'],
  ])('refuses %j as %s', (text, reason) => {
    expect(refusal(text).reason).toBe(reason);
  });

  it('refuses a billion laughs before expanding anything', () => {
    const entities = Array.from({ length: 30 }, (_, n) => `<!ENTITY l${n + 1} "&l${n};&l${n};">`).join('');
    expect(refusal(`<!DOCTYPE a [<!ENTITY l0 "lol">${entities}]><a x="&l30;"/>`).reason).toBe('doctype-not-allowed');
  });

  it('refuses deep nesting without exhausting the stack', () => {
    expect(refusal('<a>'.repeat(1_000_000))).toMatchObject({ reason: 'too-deep', element: 'a' });
    expect(parseXml('<a>'.repeat(256) + '</a>'.repeat(256)).name).toBe('a');
  });

  it('counts its size limit in bytes of UTF-8', () => {
    expect(refusal('<a x="ééé"/>', { maxBytes: 14 }).reason).toBe('too-large');
    expect(parseXml('<a x="ééé"/>', { maxBytes: 15 }).attributes['x']).toBe('ééé');
    expect(parseXml('<a x="😀"/>', { maxBytes: 13 }).attributes['x']).toBe('😀');
  });
});

describe('serializeXml', () => {
  it('writes one tag per line with two blanks per depth', () => {
    const tree = element('a', {}, [element('b', { x: '1' }, [{ kind: 'comment', text: ' c ' }, element('d')])]);
    expect(serializeXml(tree)).toBe('<a>\n  <b x="1">\n    <!-- c -->\n    <d/>\n  </b>\n</a>\n');
  });

  it('writes a long document whole and in order', () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `<n id="${index}"/>`);
    expect(serializeXml(parseXml(`<a>${lines.join('')}</a>`))).toBe(`<a>\n${lines.map((line) => `  ${line}\n`).join('')}</a>\n`);
  });

  it('refuses a text that gets too long, before it fills the memory', () => {
    const text = new LongText(10_000);
    expect(() => {
      for (let line = 0; line < 3_000; line++) text.add('1234\n');
    }).toThrow(new XmlError('too-large', 'what is to be written is longer than 10000 characters'));
  });

  it('escapes markup and non-printable ASCII in attribute values', () => {
    expect(serializeXml(element('a', { x: '<>&"\'\n\té\u007f' }))).toBe('<a x="&lt;&gt;&amp;&quot;\'&#x0A;&#x09;é&#x7F;"/>\n');
  });

  it.each([
    [element('a b'), 'bad-name'],
    [element('a', { 'x y': '' }), 'bad-name'],
    [element('a', { x: '\u0000' }), 'bad-character'],
    [element('a', { x: '\u{1F600}\udc00' }), 'bad-character'],
    [element('a', {}, [{ kind: 'comment', text: 'a--b' }]), 'bad-character'],
  ] as const)('refuses a tree that has no XML form (%#)', (tree, reason) => {
    expect(thrown(() => serializeXml(tree))).toMatchObject({ reason });
  });
});

describe('the round trip', () => {
  it('gives back every tree that was written', () => {
    fc.assert(
      fc.property(anyTree, (written) => {
        const read = parseXml(serializeXml(written));
        expect(sameXml(read, written)).toBe(true);
        expect(serializeXml(read)).toBe(serializeXml(written));
      }),
    );
  });
});

describe('any text', () => {
  /** Well-formed text with one piece of it replaced. */
  const damaged = fc
    .tuple(anyTree, fc.nat(), fc.nat(8), fc.stringMatching(/^[<>&"'=/!?a;#x0-9 -]{0,6}$/))
    .map(([tree, at, length, piece]) => {
      const text = serializeXml(tree);
      const start = at % text.length;
      return text.slice(0, start) + piece + text.slice(start + length);
    });

  it('is read or refused with an XmlError, and what is read can be written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), damaged), (text) => {
        let read;
        try {
          read = parseXml(text);
        } catch (error) {
          expect(error).toBeInstanceOf(XmlError);
          return;
        }
        expect(sameXml(parseXml(serializeXml(read)), read)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
