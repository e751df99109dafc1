import { describe, expect, it } from 'vitest';
import { parseXml } from '../xml/parse-xml.js';
import { serializeXml } from '../xml/serialize-xml.js';
import { changeDocument, type DocumentChange } from './document-changes.js';

const CONFIGURATION = `<configuration><crm_config/><nodes/><resources>
  <primitive id="d" class="ocf" provider="p" type="Dummy"><operations><op id="check" name="monitor" interval="10s"/></operations></primitive>
  <primitive id="e" class="ocf" provider="p" type="Dummy"/></resources>
  <constraints><rsc_location id="l" rsc="d" node="n1" score="5"/></constraints></configuration>`;

function after(...changes: readonly DocumentChange[]): string {
  const changed = changeDocument(parseXml(CONFIGURATION), changes);
  if (!changed.ok) return `${changed.fault.kind} ${String(changed.fault.index)}`;
  return serializeXml(changed.configuration).replace(/\n\s*/g, '');
}

describe('a change of the document, as cibadmin asks for it', () => {
  it('modifies what has that name and id, wherever it stands, and leaves its other attributes', () => {
    expect(after({ operation: 'modify', xml: '<op id="check" enabled="false"/>' })).toContain(
      '<op id="check" name="monitor" interval="10s" enabled="false"/>',
    );
  });

  it('modifies down into children, and adds those that are not there', () => {
    const xml =
      '<primitive id="d" description="x"><operations><op id="check" timeout="9"/><op id="new" name="start" interval="0"/></operations></primitive>';
    const text = after({ operation: 'modify', xml, within: 'resources' });
    expect(text).toContain('<primitive id="d" class="ocf" provider="p" type="Dummy" description="x">');
    expect(text).toContain('<op id="check" name="monitor" interval="10s" timeout="9"/><op id="new" name="start" interval="0"/>');
  });

  it.each([
    ['modifies nothing that is not there', { operation: 'modify', xml: '<op id="nope"/>' }, 'not-found 0'],
    [
      'looks nowhere but in the place that is named',
      { operation: 'modify', xml: '<op id="check"/>', within: 'constraints' },
      'not-found 0',
    ],
    ['creates nothing without a place for it', { operation: 'create', xml: '<rsc_location id="m"/>' }, 'not-found 0'],
    ['creates nothing twice', { operation: 'create', xml: '<rsc_location id="l"/>', within: 'constraints' }, 'exists 0'],
    [
      'creates nothing with the id of something else',
      { operation: 'create', xml: '<rsc_order id="d"/>', within: 'constraints' },
      'exists 0',
    ],
    ['creates nothing where there is no such place', { operation: 'create', xml: '<rsc_order id="o"/>', within: 'nowhere' }, 'not-found 0'],
    ['replaces nothing that is not there', { operation: 'replace', xml: '<primitive id="z"/>' }, 'not-found 0'],
    ['takes no XML that is none', { operation: 'modify', xml: '<op id=' }, 'invalid 0'],
    ['knows of no status', { operation: 'delete', xml: '<lrm id="1"/>', within: 'status' }, 'unchanged'],
    ['deletes nothing where nothing is', { operation: 'delete', xml: '<rsc_location id="nope"/>' }, 'unchanged'],
    ['deletes nothing of other attributes', { operation: 'delete', xml: '<rsc_location id="l" node="n2"/>' }, 'unchanged'],
  ] as const)('%s', (_what, change, outcome) => {
    const unchanged = serializeXml(parseXml(CONFIGURATION)).replace(/\n\s*/g, '');
    expect(after(change)).toBe(outcome === 'unchanged' ? unchanged : outcome);
  });

  it('creates in a section or in an element', () => {
    const text = after(
      { operation: 'create', xml: '<rsc_order id="o"/>', within: 'constraints' },
      { operation: 'create', xml: '<meta_attributes id="m"/>', within: 'e' },
      { operation: 'modify', xml: '<primitive id="f"/>', within: 'resources', allowCreate: true },
    );
    expect(text).toContain('score="5"/><rsc_order id="o"/></constraints>');
    expect(text).toContain('type="Dummy"><meta_attributes id="m"/></primitive><primitive id="f"/></resources>');
  });

  it('replaces an element, a section or everything, with nothing of what was there', () => {
    expect(after({ operation: 'replace', xml: '<primitive id="d" type="Stateful"/>' })).toContain('<primitive id="d" type="Stateful"/>');
    expect(after({ operation: 'replace', xml: '<constraints/>' })).toContain('<constraints/></configuration>');
    expect(after({ operation: 'replace', xml: '<cib><configuration><resources/></configuration><status/></cib>' })).toBe(
      '<configuration><resources/></configuration>',
    );
  });

  it('deletes the first one that has all attributes that are given', () => {
    expect(after({ operation: 'delete', xml: '<rsc_location id="l"/>' })).toContain('<constraints/>');
    expect(after({ operation: 'delete', xml: '<primitive type="Dummy"/>' })).not.toContain('id="d"');
  });

  it('is made with the others or not at all', () => {
    expect(after({ operation: 'delete', xml: '<rsc_location id="l"/>' }, { operation: 'modify', xml: '<op id="nope"/>' })).toBe(
      'not-found 1',
    );
  });
});
