import { describe, expect, it } from 'vitest';
import { descendants } from '../document/cib-index.js';
import type { XmlElement } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { serializeXml } from '../xml/serialize-xml.js';
import { hasOwnId, removeWithReferring } from './references.js';

const RESOURCES = `<resources><template id="t" class="lsb" type="x"/><primitive id="a" class="lsb" type="x"><meta_attributes id="am"><nvpair id="am-p" name="priority" value="1"/></meta_attributes></primitive>
  <primitive id="b" template="t"/><group id="g"><primitive id="c" class="lsb" type="x"><meta_attributes id-ref="am"/></primitive></group><clone id="k"><primitive id="d" class="lsb" type="x"/></clone></resources>`;

function removed(id: string, constraints: string, more = ''): { readonly told: readonly string[]; readonly left: string } {
  const configuration = parseXml(`<configuration>${RESOURCES}<constraints>${constraints}</constraints>${more}</configuration>`);
  const { configuration: next, referring, emptied } = removeWithReferring(configuration, named(configuration, id));
  const told = [
    ...referring.map(({ element, id: by, attribute, to }) => `${element} ${by} ${attribute}=${to}`),
    ...emptied.map(({ element, id: by }) => `${element} ${by} emptied`),
  ];
  const text = serializeXml(next).replaceAll(/\n\s*/g, '');
  return { told, left: text.slice(text.indexOf('</resources>') + '</resources>'.length, -'</configuration>'.length) };
}

function named(root: XmlElement, id: string): XmlElement {
  for (const element of descendants(root)) if (element.attributes['id'] === id && hasOwnId(element)) return element;
  throw new Error(`no ${id}`);
}

const set = (id: string, ...refs: readonly string[]): string =>
  `<resource_set id="${id}">${refs.map((ref) => `<resource_ref id="${ref}"/>`).join('')}</resource_set>`;

describe('removing an element with what refers to it', () => {
  it.each([
    ['b', '', '', [], '<constraints/>'],
    [
      'a',
      '<rsc_location id="l" rsc="a" node="n" score="1"/>',
      '',
      ['meta_attributes c id-ref=am', 'rsc_location l rsc=a'],
      '<constraints/>',
    ],
    [
      'b',
      '<rsc_colocation id="l" rsc="a" with-rsc="b"/><rsc_order id="o" first="b" then="a"/><rsc_ticket id="w" ticket="x" rsc="b"/><rsc_location id="z" rsc="a" node="b" score="1"/>',
      '',
      ['rsc_colocation l with-rsc=b', 'rsc_order o first=b', 'rsc_ticket w rsc=b'],
      '<constraints><rsc_location id="z" rsc="a" node="b" score="1"/></constraints>',
    ],
    [
      'b',
      `<rsc_order id="o">${set('s1', 'a', 'b')}${set('s2', 'b')}</rsc_order><rsc_ticket id="w" ticket="x">${set('s3', 'b')}</rsc_ticket>`,
      '',
      [
        'resource_ref s1 id=b',
        'resource_ref s2 id=b',
        'resource_ref s3 id=b',
        'resource_set s2 emptied',
        'resource_set s3 emptied',
        'rsc_ticket w emptied',
      ],
      `<constraints><rsc_order id="o">${set('s1', 'a')}</rsc_order></constraints>`,
    ],
    ['t', '<rsc_location id="l" rsc="b" node="n" score="1"/>', '', ['primitive b template=t', 'rsc_location l rsc=b'], '<constraints/>'],
    ['c', '<rsc_location id="l" rsc="g" node="n" score="1"/>', '', ['rsc_location l rsc=g', 'group g emptied'], '<constraints/>'],
    ['d', '', '', ['clone k emptied'], '<constraints/>'],
    [
      'a',
      '',
      '<rsc_defaults><meta_attributes id="rd"><nvpair id-ref="am-p"/></meta_attributes></rsc_defaults>',
      ['meta_attributes c id-ref=am', 'nvpair rd id-ref=am-p'],
      '<constraints/><rsc_defaults><meta_attributes id="rd"/></rsc_defaults>',
    ],
    [
      'b',
      '<rsc_location id="l" rsc="tt" node="n" score="1"/>',
      '<tags><tag id="tt"><obj_ref id="b"/></tag><tag id="u"><obj_ref id="b"/><obj_ref id="a"/></tag></tags>',
      ['obj_ref tt id=b', 'obj_ref u id=b', 'rsc_location l rsc=tt', 'tag tt emptied'],
      '<constraints/><tags><tag id="u"><obj_ref id="a"/></tag></tags>',
    ],
    [
      'b',
      '',
      '<fencing-topology><fencing-level id="f" index="1" target="n" devices="a,b"/><fencing-level id="h" index="2" target="n" devices="b"/></fencing-topology>',
      ['fencing-level f devices=b', 'fencing-level h devices=b'],
      '<constraints/><fencing-topology><fencing-level id="f" index="1" target="n" devices="a"/></fencing-topology>',
    ],
    [
      'r',
      '',
      '<acls><acl_target id="u1"><role id="r"/></acl_target><acl_role id="r"><acl_permission id="p" kind="read" reference="a"/></acl_role></acls>',
      ['role u1 id=r'],
      '<constraints/><acls><acl_target id="u1"/></acls>',
    ],
    [
      'l1',
      '<rsc_location id="l1" rsc="a"><rule id="r1" score="1"><expression id="e" attribute="x" operation="defined"/></rule></rsc_location><rsc_location id="l2" rsc="b"><rule id-ref="r1"/></rsc_location>',
      '',
      ['rule l2 id-ref=r1'],
      '<constraints/>',
    ],
  ])('%s: %s%s', (id, constraints, more, told, left) => {
    const result = removed(id, constraints, more);
    expect([...result.told].sort()).toEqual([...told].sort());
    expect(result.left).toBe(left);
  });
});
