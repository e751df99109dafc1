import { describe, expect, it } from 'vitest';
import type { XmlElement } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { readingOf } from './configuration-reading.js';

const JUNE = Date.UTC(2026, 5, 1);

function nodeWith(condition: string): XmlElement {
  return parseXml(
    '<cib validate-with="none"><configuration><crm_config/><nodes><node id="1" uname="n1"><instance_attributes id="s">' +
      `<rule id="r">${condition}</rule><nvpair id="p" name="standby" value="on"/></instance_attributes></node></nodes><resources/><constraints/></configuration><status/></cib>`,
  );
}

describe('a reading that is kept', () => {
  const standbyAt = (cib: XmlElement, ms: number): string | undefined =>
    readingOf(cib, ms).nodeAttributes({ id: '1', name: 'n1' }, undefined).get('standby');

  it.each([
    ['a moment', '<date_expression id="d" operation="gt" start="2026-06-01"/>', JUNE - 60_000, JUNE + 1000],
    ['a duration', '<date_expression id="d" start="2026-06-01"><duration id="l" hours="1"/></date_expression>', JUNE - 60_000, JUNE],
    ['a time of the day', '<date_expression id="d" operation="gt" start="10:00:00Z"/>', JUNE + 36_000_000, JUNE + 36_001_000],
    [
      'a part of the date',
      '<date_expression id="d" operation="date_spec"><date_spec id="e" minutes="0"/></date_expression>',
      JUNE - 1000,
      JUNE,
    ],
  ])('is not asked about what nobody read before %s turned', (_what, condition, before, after) => {
    const cib = nodeWith(condition);
    expect(readingOf(cib, before).nodes).toHaveLength(1);
    expect(standbyAt(cib, after)).toBe('on');
  });

  it('of the time of a day holds for that day', () => {
    const cib = nodeWith('<date_expression id="d" operation="gt" start="10:00:00Z"/>');
    expect(standbyAt(cib, JUNE + 50_000_000)).toBe('on');
    expect(standbyAt(cib, JUNE + 86_400_000)).toBeUndefined();
  });

  it('is the same one while nothing turns', () => {
    const cib = nodeWith('<date_expression id="d" operation="gt" start="2026-06-01"/>');
    const first = readingOf(cib, JUNE - 60_000);
    expect(readingOf(cib, JUNE - 5000) === first).toBe(true);
    expect(readingOf(cib, JUNE + 1000) === first).toBe(false);
  });
});

describe('resources of documents that share parts', () => {
  const PARTS = [
    '<primitive id="a" class="ocf" provider="p" type="t"/>',
    '<primitive id="b" template="T"/>',
    '<group id="g"><primitive id="c" class="ocf" provider="p" type="t"/><meta_attributes id="gm"><nvpair id="gp" name="priority" value="3"/></meta_attributes></group>',
    '<primitive id="d" class="ocf" provider="p" type="t"><meta_attributes id-ref="shared"/></primitive>',
    '<primitive id="e" class="ocf" provider="p" type="t"><meta_attributes id="em1" score="red"><nvpair id="ep1" name="priority" value="1"/></meta_attributes><meta_attributes id="em2" score="-5"><nvpair id="ep2" name="priority" value="2"/></meta_attributes></primitive>',
    '<primitive id="f" class="ocf" provider="p" type="t"><meta_attributes id="fm"><rule id="fr"><date_expression id="fd" operation="gt" start="2026-06-01"/></rule><nvpair id="fp" name="priority" value="9"/></meta_attributes></primitive>',
  ].map((part) => parseXml(part));
  const meta = (name: string, value: string): string =>
    `<meta_attributes id="${name}-${value}"><nvpair id="${name}-${value}-p" name="${name}" value="${value}"/></meta_attributes>`;
  const documentWith = (parts: readonly XmlElement[], defaults: string, template: string, shared: string, health = '0'): XmlElement => {
    const whole = parseXml(
      `<cib validate-with="none"><configuration><crm_config><cluster_property_set id="o"><nvpair id="h" name="node-health-red" value="${health}"/><nvpair id="s" name="node-health-strategy" value="custom"/></cluster_property_set></crm_config><nodes/>` +
        `<resources><template id="T" class="ocf" provider="p" type="t">${template}</template></resources><constraints/>` +
        `${defaults === '' ? '' : `<rsc_defaults>${defaults}</rsc_defaults>`}<tags><meta_attributes id="shared">${shared}</meta_attributes></tags></configuration><status/></cib>`,
    );
    const withParts = (element: XmlElement): XmlElement => ({
      ...element,
      children: [
        ...element.children.map((child) => (child.kind === 'element' ? withParts(child) : child)),
        ...(element.name === 'resources' ? parts : []),
      ],
    });
    return withParts(whole);
  };
  const DOCUMENTS: readonly ((parts: readonly XmlElement[]) => XmlElement)[] = [
    (parts) => documentWith(parts, meta('is-managed', 'false'), meta('priority', '1'), '<nvpair id="x" name="priority" value="4"/>'),
    (parts) =>
      documentWith(parts, meta('is-managed', 'true'), meta('priority', '2'), '<nvpair id="x" name="priority" value="5"/>', '-INFINITY'),
    (parts) => documentWith(parts, '', meta('priority', '1'), '<nvpair id="x" name="priority" value="4"/>'),
    (parts) => documentWith(parts, '', meta('priority', '2'), '<nvpair id="x" name="priority" value="5"/>', '-INFINITY'),
    (parts) => documentWith(parts, '', '', ''),
  ];
  const told = (cib: XmlElement, now: number): unknown =>
    readingOf(cib, now).resources.map(({ id, kind, meta: table, parent }) => ({
      id,
      kind,
      parent: parent?.id,
      meta: Object.fromEntries(table),
    }));

  it('are read as if each document were the only one', () => {
    for (const make of [...DOCUMENTS, ...DOCUMENTS]) {
      for (const now of [JUNE - 60_000, JUNE + 60_000]) {
        const alone = told(make(PARTS.map((part) => structuredClone(part))), now);
        expect(alone).toHaveLength(PARTS.length + 1);
        expect(told(make(PARTS), now)).toEqual(alone);
      }
    }
  });

  it('are the very same ones where only another one was edited', () => {
    const [one, other] = [
      DOCUMENTS[4]?.(PARTS),
      DOCUMENTS[4]?.([...PARTS.slice(0, 5), parseXml('<primitive id="f" class="lsb" type="y"/>')]),
    ];
    if (one === undefined || other === undefined) throw new Error('there are five documents');
    expect(readingOf(other, JUNE).resource('c')).toBe(readingOf(one, JUNE).resource('c'));
    expect(readingOf(other, JUNE).resource('f')?.element.attributes['class']).toBe('lsb');
  });
});
