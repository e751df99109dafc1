import { describe, expect, it } from 'vitest';
import { utc } from '../time/date-time.js';
import { lifetimeEnd } from '../time/lifetime.js';
import { element, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { serializeXml } from '../xml/serialize-xml.js';
import { withNamedValue } from './named-values.js';
import { banConstraint, placementConstraints, preferConstraint } from './placement-constraints.js';
import { replaceElement } from './replace-element.js';
import { editSection } from './section.js';

const cibWith = (resources: string): XmlElement =>
  parseXml(`<cib><configuration><resources>${resources}</resources></configuration></cib>`);
const text = (of: XmlElement): string => serializeXml(of).replace(/\n\s*/g, '').trim();

/** What becomes of the first resource of these when one of its meta-attributes is set (or cleared). */
function withMeta(resources: string, name: string, value: string | undefined): string {
  const cib = cibWith(resources);
  const section = firstChildNamed(firstChildNamed(cib, 'configuration') ?? cib, 'resources');
  const [first] = section?.children ?? [];
  if (first?.kind !== 'element') throw new Error('no resource');
  return text(withNamedValue(cib, first, { set: 'meta_attributes', name, value }));
}

describe('a named value', () => {
  it('comes into a set that is made, with the ids of crm_resource and pcs', () => {
    expect(withMeta('<primitive id="R"/>', 'target-role', 'Stopped')).toBe(
      '<primitive id="R"><meta_attributes id="R-meta_attributes"><nvpair id="R-meta_attributes-target-role" name="target-role" value="Stopped"/></meta_attributes></primitive>',
    );
  });

  it('is changed where it is decided, and stands once', () => {
    const two =
      '<primitive id="R"><meta_attributes id="a"><nvpair id="a1" name="x" value="1"/></meta_attributes>' +
      '<meta_attributes id="b" score="5"><nvpair id="b1" name="x" value="2"/></meta_attributes></primitive>';
    expect(withMeta(two, 'x', '3')).toBe(two.replace('value="2"', 'value="3"'));
    expect(withMeta(two, 'x', '2')).toBe(two);
    expect(withMeta(two, 'y', '1')).toBe(two.replace('</meta_attributes>', '<nvpair id="a-y" name="y" value="1"/></meta_attributes>'));
  });

  it('is cleared from all sets; an empty one stays', () => {
    const two =
      '<primitive id="R"><meta_attributes id="a"><nvpair id="a1" name="x" value="1"/></meta_attributes>' +
      '<meta_attributes id="b"><nvpair id="b1" name="x" value="2"/></meta_attributes></primitive>';
    expect(withMeta(two, 'x', undefined)).toBe('<primitive id="R"><meta_attributes id="a"/><meta_attributes id="b"/></primitive>');
    expect(withMeta(two, 'y', undefined)).toBe(two);
  });

  it('leaves sets with rules and references alone, and takes no id that is taken', () => {
    const others =
      '<primitive id="R"><meta_attributes id="ruled"><rule id="r" boolean-op="and"/><nvpair id="r1" name="x" value="1"/></meta_attributes>' +
      '<meta_attributes id-ref="R-meta_attributes"/></primitive>';
    const shared = '<primitive id="S"><meta_attributes id="R-meta_attributes"/></primitive>';
    expect(withMeta(others + shared, 'x', '2')).toBe(
      others.replace(
        '</primitive>',
        '<meta_attributes id="R-meta_attributes-2"><nvpair id="R-meta_attributes-2-x" name="x" value="2"/></meta_attributes></primitive>',
      ),
    );
  });
});

describe('an element', () => {
  it('is replaced or removed by identity; the rest is shared', () => {
    const inner = element('b', { id: '2' });
    const other = element('c');
    const tree = element('a', {}, [other, element('d', {}, [inner])]);
    const replaced = replaceElement(tree, inner, element('b', { id: '3' }));
    expect(text(replaced)).toBe('<a><c/><d><b id="3"/></d></a>');
    expect(replaced.children[0]).toBe(other);
    expect(text(replaceElement(tree, inner, undefined))).toBe('<a><c/><d/></a>');
    expect(replaceElement(tree, element('b', { id: '2' }), undefined)).toBe(tree);
  });
});

describe('the constraints of moves and bans', () => {
  // As crm_resource 2.1.5 writes them.
  const until = utc(Date.parse('2026-11-25T15:04:25Z') / 1_000);
  it('are those of crm_resource', () => {
    expect(text(preferConstraint({ resource: 'R', node: 'n2', role: 'Started', until: undefined }))).toBe(
      '<rsc_location id="cli-prefer-R" rsc="R" role="Started" node="n2" score="INFINITY"/>',
    );
    expect(text(banConstraint({ resource: 'R', node: 'n1', role: 'Promoted', until: undefined }))).toBe(
      '<rsc_location id="cli-ban-R-on-n1" rsc="R" role="Promoted" node="n1" score="-INFINITY"/>',
    );
    expect(text(banConstraint({ resource: 'R', node: 'n1', role: 'Started', until }))).toBe(
      '<rsc_location id="cli-ban-R-on-n1" rsc="R" role="Started"><rule id="cli-ban-R-on-n1-rule" score="-INFINITY" boolean-op="and">' +
        '<expression id="cli-ban-R-on-n1-expr" attribute="#uname" operation="eq" value="n1" type="string"/>' +
        '<date_expression id="cli-ban-R-on-n1-lifetime" operation="lt" end="2026-11-25 15:04:25Z"/></rule></rsc_location>',
    );
    expect(text(preferConstraint({ resource: 'P', node: 'n2', role: 'Promoted', until }))).toBe(
      '<rsc_location id="cli-prefer-P" rsc="P" role="Promoted"><rule id="cli-prefer-rule-P" score="INFINITY" boolean-op="and">' +
        '<expression id="cli-prefer-expr-P" attribute="#uname" operation="eq" value="n2" type="string"/>' +
        '<date_expression id="cli-prefer-lifetime-end-P" operation="lt" end="2026-11-25 15:04:25Z"/></rule></rsc_location>',
    );
  });

  it('are found again, with their node and their end; those of others are not', () => {
    const made = [
      preferConstraint({ resource: 'R', node: 'n2', role: 'Started', until }),
      banConstraint({ resource: 'R', node: 'n1', role: 'Started', until: undefined }),
      banConstraint({ resource: 'R-on-x', node: 'n1', role: 'Started', until: undefined }),
      element('rsc_location', { id: 'mine', rsc: 'R', node: 'n1', score: '5' }),
    ];
    const cib = editSection(cibWith(''), 'constraints', (section) => ({ ...section, children: made }));
    expect(placementConstraints(cib, 'R')).toMatchObject([
      { kind: 'prefer', node: 'n2', until: until.epochSeconds },
      { kind: 'ban', node: 'n1', until: undefined },
    ]);
  });
});

describe('a lifetime', () => {
  const now = utc(Date.parse('2026-11-24T13:04:40Z') / 1_000);
  it.each([
    ['P1DT2H', '2026-11-25T15:04:40Z'],
    ['PT90M', '2026-11-24T14:34:40Z'],
    ['P1Y2M', '2028-01-24T13:04:40Z'],
    ['P2W', '2026-12-08T13:04:40Z'],
  ])('%s ends at %s', (duration, end) => {
    expect(lifetimeEnd(duration, now)?.epochSeconds).toBe(Date.parse(end) / 1_000);
  });

  it.each(['', 'P', 'PT', 'P1DT', 'PT0S', '1h', 'P-1D', 'PT1.5H', 'P1D ', 'P9000Y'])('is not %j', (duration) => {
    expect(lifetimeEnd(duration, now)).toBeUndefined();
  });
});
