import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { descendants } from '../document/cib-index.js';
import type { XmlElement } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { serializeXml } from '../xml/serialize-xml.js';
import { applyElementEdits } from './apply-edits.js';
import { showConfiguration, WHOLE } from './configuration-document.js';

const CONFIGURATION = parseXml(`<configuration><crm_config/><nodes><node id="1" uname="n1"/></nodes><resources>
  <!-- first --><primitive id="a" class="lsb" type="x"><!-- of a --><meta_attributes id="am"><nvpair id="am-p" name="priority" value="1"/></meta_attributes></primitive>
  <group id="g"><primitive id="b" class="lsb" type="x"/><primitive id="c" class="lsb" type="x"/></group>
  <clone id="k"><primitive id="d" class="lsb" type="x"/></clone>
  <clone id="m"><group id="h"><primitive id="e" class="lsb" type="x"/></group></clone>
</resources><constraints><rsc_location id="l" rsc="a" node="n1" score="1"/><rsc_colocation id="co" rsc="b" with-rsc="a"/></constraints>
<tags><tag id="t"><obj_ref id="a"/></tag></tags></configuration>`);

/** What the configuration becomes, as a document; or what keeps it from that. */
function became(wished: unknown): unknown {
  const result = applyElementEdits(CONFIGURATION, [{ edit: 'replace', collection: WHOLE, element: wished }], '/edits');
  return result.ok ? showConfiguration(result.configuration) : result.findings;
}

const primitive = (id: string, more: object = {}): object => ({ id, class: 'lsb', type: 'x', ...more });

/** Trees of the resources that are there and of new ones, each resource once. */
const anyResources: fc.Arbitrary<readonly object[]> = fc
  .tuple(
    fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'new1', 'new2', 'new3']),
    fc.shuffledSubarray(['g', 'h', 'newgroup']),
    fc.shuffledSubarray(['k', 'm', 'newclone']),
    fc.array(fc.nat(6), { minLength: 20, maxLength: 20 }),
  )
  .map(([primitives, groups, clones, choices]) => {
    const choose = choices.values();
    const next = (): number => choose.next().value ?? 0;
    const inGroups = new Map(groups.map((id) => [id, [] as object[]]));
    const outer: object[] = [];
    for (const id of primitives) {
      const place = [...inGroups.values()][next()];
      const json = primitive(id, next() === 0 ? { meta_attributes: { priority: '9' } } : {});
      if (place === undefined) outer.push({ element: 'primitive', ...json });
      else place.push(json);
    }
    for (const [id, members] of inGroups) if (members.length > 0) outer.push({ element: 'group', id, primitive: members });
    for (const id of clones) {
      const [taken] = outer.splice(next(), 1) as readonly ({ readonly element: string } | undefined)[];
      if (taken === undefined) continue;
      if (taken.element === 'clone') outer.push(taken);
      else
        outer.push({
          element: 'clone',
          id,
          [taken.element]: [Object.fromEntries(Object.entries(taken).filter(([name]) => name !== 'element'))],
        });
    }
    return outer;
  });

describe('the steps from one configuration to another', () => {
  it('lead there, whatever is moved, made, changed and deleted', () => {
    fc.assert(
      fc.property(anyResources, (resources) => {
        const wished = { nodes: [{ element: 'node', id: '1', uname: 'n1' }], ...(resources.length === 0 ? {} : { resources }) };
        expect(became(wished)).toEqual(wished);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are none from a configuration to itself', () => {
    const result = applyElementEdits(
      CONFIGURATION,
      [{ edit: 'replace', collection: WHOLE, element: showConfiguration(CONFIGURATION) }],
      '/e',
    );
    expect(result.ok && result.configuration).toBe(CONFIGURATION);
  });

  it('keep what is moved as it is, comments and ids included, and what refers to it', () => {
    const document = showConfiguration(CONFIGURATION);
    const [a, ...others] = document.resources ?? [];
    const group = {
      element: 'group',
      id: 'new',
      primitive: [primitive('f'), Object.fromEntries(Object.entries(a ?? {}).filter(([name]) => name !== 'element'))],
    };
    const result = applyElementEdits(
      CONFIGURATION,
      [{ edit: 'replace', collection: WHOLE, element: { ...document, resources: [...others, group] } }],
      '/edits',
    );
    const moved = result.ok ? found(result.configuration, 'a') : undefined;
    expect(moved === undefined ? result : serializeXml(moved)).toBe(serializeXml(found(CONFIGURATION, 'a') ?? CONFIGURATION));
    expect(result.ok && found(result.configuration, 'l')).toBe(found(CONFIGURATION, 'l'));
  });

  it('take whatever stands in a document for what it is', () => {
    for (const members of [5, null, {}, ['gone'], [5]]) {
      const result = became({ nodes: [{ element: 'node', id: '1', uname: 'n1' }], resources: [{ element: 'group', id: 'x', members }] });
      expect(result, JSON.stringify(members)).toMatchObject([
        { kind: 'invalid', pointer: expect.stringContaining('/resources/0') as string },
      ]);
    }
  });

  it('let nothing go that others refer to which stay, and tell where', () => {
    const { constraints, ...rest } = showConfiguration(CONFIGURATION);
    const place = { kind: 'in-use', pointer: '/edits/0/element/resources/id' };
    expect(became({ ...rest, resources: [] })).toMatchObject([place, place]);
    expect(became({ resources: [], nodes: rest.nodes })).toEqual({ nodes: rest.nodes });
    expect(became({ ...rest, constraints: [...(constraints ?? []), { element: 'rsc_order', first: 'a' }] })).toEqual([
      { kind: 'invalid', pointer: '/edits/0/element/constraints/2', message: expect.any(String) as string },
    ]);
  });
});

function found(root: XmlElement, id: string): XmlElement | undefined {
  return [...descendants(root)].find(({ attributes }) => attributes['id'] === id);
}
