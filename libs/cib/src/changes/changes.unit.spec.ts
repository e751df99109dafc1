import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childElements, element } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { sameXml } from '../xml/same-xml.js';
import { anyComment, anyTree } from '../xml/trees.fixture.js';
import { applyElementChanges } from './apply-changes.js';
import { diffConfiguration } from './diff-configuration.js';
import { ElementChangeError } from './element-change.js';
import type { ElementChange } from './element-change.js';
import { longestIncreasing } from './longest-increasing.js';

const cib = (configuration: string): XmlElement => parseXml(`<cib><configuration>${configuration}</configuration><status/></cib>`);
const resources = (content: string): XmlElement => cib(`<resources>${content}</resources>`);
const primitive = (id: string, content = ''): string => `<primitive id="${id}">${content}</primitive>`;

function changes(before: XmlElement, after: XmlElement): ElementChange[] {
  const found = diffConfiguration(before, after);
  expect(sameXml(applyElementChanges(before, found), after)).toBe(true);
  return found;
}

describe('the changes between two configurations', () => {
  it('are none when they say the same', () => {
    const document = resources(primitive('a'));
    expect(
      diffConfiguration(document, parseXml('<cib>\n<configuration><resources><primitive\nid="a"/></resources></configuration></cib>')),
    ).toEqual([]);
    expect(applyElementChanges(document, [])).toBe(document);
  });

  it('name the smallest element that changed', () => {
    const pair = (value: string): string => `<meta_attributes id="m"><nvpair id="n" name="x" value="${value}"/></meta_attributes>`;
    expect(changes(resources(primitive('a', pair('1'))), resources(primitive('a', pair('2'))))).toEqual([
      {
        kind: 'nvpair',
        id: 'n',
        path: "configuration/resources/primitive[@id='a']/meta_attributes[@id='m']",
        before: '<nvpair id="n" name="x" value="1"/>',
        after: '<nvpair id="n" name="x" value="2"/>',
      },
    ]);
  });

  it('replace an element whose own attributes changed', () => {
    expect(
      changes(
        resources('<group id="g"><primitive id="a"/></group>'),
        resources('<group id="g" description="d"><primitive id="b"/></group>'),
      ),
    ).toEqual([
      {
        kind: 'group',
        id: 'g',
        path: 'configuration/resources',
        before: '<group id="g">\n  <primitive id="a"/>\n</group>',
        after: '<group id="g" description="d">\n  <primitive id="b"/>\n</group>',
      },
    ]);
  });

  it('say where what is new stands', () => {
    expect(changes(resources(primitive('a') + primitive('c')), resources(primitive('a') + primitive('b') + primitive('c')))).toEqual([
      { kind: 'primitive', id: 'b', path: 'configuration/resources', after: '<primitive id="b"/>', position: 1 },
    ]);
  });

  it('move one element when one was moved', () => {
    const order = (ids: string): XmlElement => resources(Array.from(ids, (id) => primitive(id)).join(''));
    expect(changes(order('abcde'), order('bcdea'))).toMatchObject([{ id: 'a', position: 4 }]);
    expect(changes(order('abcde'), order('eabcd'))).toMatchObject([{ id: 'e', position: 0 }]);
    expect(changes(order('abc'), order('cxa'))).toHaveLength(3);
  });

  it('keep comments, repeated ones too', () => {
    expect(changes(resources('<!--x--><!--y--><!--x-->'), resources('<!--y--><!--x--><!--x-->'))).toEqual([
      { kind: '#comment', id: '1', path: 'configuration/resources', before: '<!--y-->' },
      { kind: '#comment', id: '', path: 'configuration/resources', after: '<!--y-->', position: 0 },
    ]);
  });

  it('replace the parent where children have no identity', () => {
    expect(changes(resources('<template/><template/>'), resources('<template/><template x="1"/>'))).toMatchObject([
      { kind: 'resources', id: '', path: 'configuration' },
    ]);
  });

  it('add or remove the configuration itself', () => {
    const empty = parseXml('<cib><status/></cib>');
    expect(changes(empty, cib(''))).toMatchObject([{ kind: 'configuration', path: '' }]);
    expect(changes(cib(''), empty)).toMatchObject([{ kind: 'configuration', path: '' }]);
  });

  it('quote ids in paths', () => {
    const set = (value: string): string => `<meta_attributes id="m"><nvpair id="it's/[1]" value="${value}"/></meta_attributes>`;
    const before = resources(`<primitive id="o'p/q[1]">${set('1')}</primitive>`);
    const after = resources(`<primitive id="o'p/q[1]">${set('2')}</primitive>`);
    expect(changes(before, after)[0]?.path).toBe(`configuration/resources/primitive[@id="o'p/q[1]"]/meta_attributes[@id='m']`);
  });

  const anyConfiguration = fc
    .array(fc.oneof(anyComment, anyTree), { maxLength: 6 })
    .map((children) => element('cib', {}, [element('configuration', {}, children)]));

  /** Two configurations that share many of their elements, by identity. */
  const similar = fc
    .tuple(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 2 })), { maxLength: 9 }),
      fc.array(anyComment, { maxLength: 3 }),
    )
    .map(([items, comments]) => {
      const seen = new Set<number>();
      const children: XmlNode[] = items
        .filter(([id]) => !seen.has(id) && seen.add(id))
        .map(([id, value]) => element('primitive', { id: `r${id}` }, [element('nvpair', { id: `n${id}`, value: String(value) })]));
      comments.forEach((comment, index) => children.splice(index * 2, 0, comment, comment));
      return element('cib', {}, [element('configuration', {}, [element('resources', {}, children)])]);
    });

  it('lead from any configuration to any other', () => {
    fc.assert(
      fc.property(anyConfiguration, anyConfiguration, (before, after) => {
        expect(sameXml(applyElementChanges(before, diffConfiguration(before, after)), after)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(similar, similar, (before, after) => {
        const found = diffConfiguration(before, after);
        expect(sameXml(applyElementChanges(before, found), after)).toBe(true);
        expect(found.every((change) => change.kind !== 'resources')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('applying changes', () => {
  const document = resources(primitive('a'));
  const path = 'configuration/resources';

  it('shares what did not change', () => {
    const before = resources(primitive('a') + primitive('b'));
    const after = applyElementChanges(before, [{ kind: 'primitive', id: 'a', path, before: '<primitive id="a"/>' }]);
    expect(childElements(after)[1]).toBe(childElements(before)[1]);
  });

  it('lets later changes build on earlier ones', () => {
    const made = applyElementChanges(document, [
      { kind: 'primitive', id: 'b', path, after: '<primitive id="b"/>' },
      { kind: 'meta_attributes', id: 'm', path: `${path}/primitive[@id='b']`, after: '<meta_attributes id="m"/>' },
      { kind: 'primitive', id: 'a', path, before: '<primitive id="a"/>' },
    ]);
    expect(sameXml(made, resources(primitive('b', '<meta_attributes id="m"/>')))).toBe(true);
  });

  it.each([
    [{ kind: 'primitive', id: 'x', path, before: '<primitive id="x"/>' }, 'there is no primitive "x"'],
    [{ kind: 'primitive', id: 'a', path, after: '<primitive id="a"/>' }, 'already'],
    [{ kind: 'primitive', id: 'b', path, after: '<primitive id="b">' }, 'is no XML'],
    [{ kind: 'primitive', id: 'b', path: 'configuration/nowhere', after: '<primitive id="b"/>' }, 'there is no element at'],
    [{ kind: 'primitive', id: 'b', path: 'a[@id=b]', after: '<primitive id="b"/>' }, 'is no element path'],
    [{ kind: 'primitive', id: 'b', path: 'a//b', after: '<primitive id="b"/>' }, 'is no element path'],
    [{ kind: '#comment', id: '0', path, before: '<!--x-->' }, 'there is no #comment "0"'],
  ])('refuses %j', (change, message) => {
    expect(() => applyElementChanges(document, [change])).toThrow(ElementChangeError);
    expect(() => applyElementChanges(document, [change])).toThrow(message);
  });

  it('of ten thousand elements stays quick', () => {
    const ids = Array.from({ length: 10_000 }, (_, n) => `r${n}`);
    const pair = (value: string): string => `<meta_attributes id="m"><nvpair id="n" value="${value}"/></meta_attributes>`;
    const before = resources(ids.map((id) => primitive(id, pair('1'))).join(''));
    const after = resources(ids.map((id) => primitive(id, pair('2'))).join(''));
    const started = performance.now();
    expect(changes(before, after)).toHaveLength(10_000);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('the longest increasing subsequence', () => {
  it('is increasing, and as long as any', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 10 }), (values) => {
        const found = longestIncreasing(values).map((index) => values[index] ?? NaN);
        expect(found.every((value, index) => index === 0 || value > (found[index - 1] ?? NaN))).toBe(true);
        const best: number[] = [];
        values.forEach((value, index) => {
          best.push(1 + Math.max(0, ...values.slice(0, index).map((other, at) => (other < value ? (best[at] ?? 0) : 0))));
        });
        expect(found).toHaveLength(Math.max(0, ...best));
      }),
    );
  });
});
