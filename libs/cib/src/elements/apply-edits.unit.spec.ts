import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyElementChanges } from '../changes/apply-changes.js';
import { element, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { sameXml } from '../xml/same-xml.js';
import { diffConfiguration } from '../changes/diff-configuration.js';
import { serializeXml } from '../xml/serialize-xml.js';
import { applyElementEdits } from './apply-edits.js';
import { COLLECTION_NAMES, collectionOf, SETTINGS_NAMES } from './collections.js';
import { readEdits, type ElementEdit } from './element-edit.js';
import { anyElement } from './elements.fixture.js';
import { showElement } from './show-element.js';

const CONFIGURATION = parseXml(`<configuration><crm_config/><nodes><node id="1" uname="n1"/></nodes><resources>
  <primitive id="a" class="lsb" type="x"><meta_attributes id="am"><nvpair id="am-p" name="priority" value="1"/></meta_attributes></primitive>
  <group id="g"><primitive id="b" class="lsb" type="x"/><primitive id="c" class="lsb" type="x"/></group><clone id="k"><primitive id="d" class="lsb" type="x"/></clone>
</resources><constraints><rsc_location id="l" rsc="a" node="n1" score="1"/></constraints></configuration>`);
const E: ElementEdit = { edit: 'create', collection: 'resources', element: { element: 'primitive', id: 'e', class: 'lsb', type: 'x' } };

function applied(...edits: readonly ElementEdit[]): XmlElement {
  const result = applyElementEdits(CONFIGURATION, edits, '/edits');
  if (!result.ok) throw new Error(JSON.stringify(result.findings));
  return result.configuration;
}

/** The changes in short: what changes where, and how. */
function changes(...edits: readonly ElementEdit[]): readonly string[] {
  const within = (configuration: XmlElement): XmlElement => element('cib', {}, [configuration]);
  return diffConfiguration(within(CONFIGURATION), within(applied(...edits))).map(({ kind, id, path, before, after, position }) =>
    [before === undefined ? '+' : after === undefined ? '-' : '~', kind, id, path.replace('configuration/', ''), position ?? '']
      .join(' ')
      .trim(),
  );
}

function findings(...edits: readonly ElementEdit[]): readonly string[] {
  const result = applyElementEdits(CONFIGURATION, edits, '/edits');
  return result.ok ? [] : result.findings.map(({ kind, pointer, message }) => `${kind} ${pointer} ${message}`);
}

function resources(...edits: readonly ElementEdit[]): string {
  const section = firstChildNamed(applied(...edits), 'resources') ?? element('resources');
  return [...serializeXml(section).matchAll(/<(primitive|group|clone) id="(\w+)"|<\/(group|clone)>/g)]
    .map(([, , id]) => id ?? ')')
    .join(' ');
}

describe('edits of elements', () => {
  it('changes one pair where one value is patched', () => {
    expect(changes({ edit: 'patch', collection: 'resources', id: 'a', patch: { meta_attributes: { priority: '2' } } })).toEqual([
      "~ nvpair am-p resources/primitive[@id='a']/meta_attributes[@id='am']",
    ]);
  });

  it('makes what is new at its place, and the section where there is none', () => {
    expect(resources(E)).toBe('a g b c ) k d ) e');
    expect(resources({ ...E, before: 'g' })).toBe('a e g b c ) k d )');
    expect(resources({ ...E, after: 'b' })).toBe('a g b e c ) k d )');
    expect(resources({ ...E, element: { element: 'primitive', id: 'e', class: 'lsb', type: 'x', parent: 'g' } })).toBe('a g b c e ) k d )');
    expect(changes({ edit: 'create', collection: 'tags', element: { element: 'tag', id: 't', obj_ref: [{ id: 'a' }] } })).toEqual([
      '+ tags  configuration 4',
    ]);
  });

  it('moves', () => {
    expect(resources({ edit: 'move', collection: 'resources', id: 'a', parent: 'g' })).toBe('g b c a ) k d )');
    expect(resources({ edit: 'move', collection: 'resources', id: 'c' })).toBe('a g b ) k d ) c');
    expect(resources({ edit: 'move', collection: 'resources', id: 'c', before: 'b' })).toBe('a g c b ) k d )');
    expect(resources({ edit: 'move', collection: 'resources', id: 'a', parent: 'g', after: 'b' })).toBe('g b a c ) k d )');
    expect(resources({ edit: 'move', collection: 'resources', id: 'c', before: 'a' })).toBe('c a g b ) k d )');
    expect(resources({ edit: 'move', collection: 'resources', id: 'k', before: 'a' })).toBe('k d ) a g b c )');
    expect(findings({ edit: 'move', collection: 'resources', id: 'g', parent: 'g' })).toEqual([
      'invalid /edits/0/parent "g" can\'t become a member of itself',
    ]);
    expect(findings({ edit: 'move', collection: 'resources', id: 'a', parent: 'g', before: 'k' })).toEqual([
      'invalid /edits/0/before "k" does not stand there',
    ]);
  });

  it('deletes, refuses what others refer to, or takes them along', () => {
    expect(changes({ edit: 'delete', collection: 'resources', id: 'b' })).toEqual(["- primitive b resources/group[@id='g']"]);
    expect(findings({ edit: 'delete', collection: 'resources', id: 'a' })).toEqual([
      'in-use /edits/0/id <rsc_location> l refers to "a" (rsc): change that first, or delete with cascade',
    ]);
    expect(findings({ edit: 'delete', collection: 'resources', id: 'd' })[0]).toContain('<clone> k would have nothing left');
    expect(changes({ edit: 'delete', collection: 'resources', id: 'a', cascade: true })).toEqual([
      '- primitive a resources',
      '- rsc_location l constraints',
    ]);
  });

  it('builds one on the other, all or none', () => {
    const located: ElementEdit = {
      edit: 'create',
      collection: 'constraints',
      element: { element: 'rsc_location', rsc: 'e', node: 'n1', score: '5' },
    };
    expect(changes(E, located, { edit: 'patch', collection: 'resources', id: 'e', patch: { description: 'x' } })).toEqual([
      '+ primitive e resources 3',
      '+ rsc_location location-e-n1-5 constraints 1',
    ]);
    const wrong: ElementEdit = { ...E, element: { element: 'primitive', id: 'e', class: 5 } };
    const unknown: ElementEdit = { edit: 'delete', collection: 'tags', id: 'zz' };
    expect(findings(wrong, { edit: 'patch', collection: 'resources', id: 'e', patch: {} }, unknown)).toEqual([
      expect.stringContaining('/edits/0/element/class must be a text') as string,
      expect.stringContaining('/edits/0/element <primitive> needs class') as string,
      'not-found /edits/2/id there is nothing with the id "zz" in tags',
    ]);
  });

  it('changes settings, and makes their section', () => {
    expect(changes({ edit: 'patch', collection: 'properties', patch: { cluster_property_set: { 'no-quorum-policy': 'stop' } } })).toEqual([
      '+ cluster_property_set cib-bootstrap-options crm_config 0',
    ]);
    expect(changes({ edit: 'replace', collection: 'rsc-defaults', element: { meta_attributes: { priority: '1' } } })).toEqual([
      '+ rsc_defaults  configuration 4',
    ]);
  });

  it('takes what was read, and lets nobody change by it what an element is', () => {
    const shown = { element: 'primitive', id: 'b', class: 'lsb', type: 'x', parent: 'g' };
    expect(changes({ edit: 'replace', collection: 'resources', id: 'b', element: shown })).toEqual([]);
    expect(
      findings({ edit: 'replace', collection: 'resources', id: 'b', element: { ...shown, element: 'group', id: 'z', parent: 'k' } }),
    ).toEqual([
      expect.stringContaining('/edits/0/element/element is "primitive"') as string,
      expect.stringContaining('/edits/0/element/id is "b"') as string,
      expect.stringContaining('/edits/0/element/parent is "g"') as string,
    ]);
    expect(findings(E, E)).toEqual([expect.stringContaining('/edits/1/element/id "e" is taken') as string]);
  });
});

it.each([
  [{}, ''],
  [[], ''],
  [[3], '/0'],
  [[{ edit: 'wish' }], '/0/edit'],
  [[{ edit: 'constructor' }], '/0/edit'],
  [[{ edit: 'create', collection: 'properties', element: {} }], '/0/collection'],
  [[{ edit: 'delete', collection: 'tags' }], '/0/id'],
  [[{ edit: 'delete', collection: 'tags', id: 5, cascade: 'yes', x: 1 }], '/0/x /0/id /0/cascade'],
  [[{ edit: 'patch', collection: 'properties', id: 'x', patch: {} }], '/0/id'],
])('%j is no list of edits', (json, pointers) => {
  const reading = readEdits(json, '');
  expect(reading.ok ? undefined : reading.findings.map(({ pointer }) => pointer).join(' ')).toBe(pointers);
});

/** JSON that is an element, nearly one, or anything; texts and names that objects and XML trip over included. */
const hostile = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', '\u0000', '\ud800', '', 'a'),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constant(JSON.parse('{"__proto__":{"a":"b"},"toString":"x"}') as unknown),
);
const anyBody: fc.Arbitrary<unknown> = fc.oneof(
  anyElement.map((xml): unknown => showElement(xml)),
  fc
    .tuple(anyElement, fc.constantFrom('id', 'meta_attributes', 'operations', 'rule', 'name', '__proto__', 'parent', 'nvpair'), hostile)
    .map(([xml, field, value]): unknown =>
      JSON.parse(`${JSON.stringify(showElement(xml)).slice(0, -1)},${JSON.stringify(field)}:${JSON.stringify(value)}}`),
    ),
  hostile,
);
const anyId = fc.constantFrom('a', 'b', 'c', 'd', 'g', 'k', 'l', '1', 'n1', 'gone', '__proto__', 'am');
const anyAddress = fc.oneof(
  fc.record({ collection: fc.constantFrom('resources'), id: fc.constantFrom('a', 'b', 'c', 'd', 'g', 'k') }),
  fc.record({ collection: fc.constantFrom(...COLLECTION_NAMES), id: anyId }),
  fc.constantFrom({ collection: 'nodes', id: 'n1' }, { collection: 'constraints', id: 'l' }),
);
const anyPatch = fc.oneof(anyBody, fc.constantFrom({}, { description: 'x' }, { meta_attributes: { a: '1', b: null } }, { id: null }));
const perhaps = fc.option(anyId, { nil: undefined });
const anyEdit: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ edit: fc.constant('create'), element: anyBody, before: perhaps, after: perhaps }).map(({ element: body, ...rest }) => ({
    ...rest,
    element: body,
    collection:
      (typeof body === 'object' && body !== null && 'element' in body && typeof body.element === 'string' && collectionOf(body.element)) ||
      'resources',
  })),
  fc.tuple(anyAddress, anyBody).map(([address, body]) => ({ edit: 'replace', ...address, element: body })),
  fc.tuple(anyAddress, anyPatch).map(([address, patch]) => ({ edit: 'patch', ...address, patch })),
  fc.record({ edit: fc.constant('patch'), collection: fc.constantFrom(...SETTINGS_NAMES), patch: anyBody }),
  fc.tuple(anyAddress, fc.boolean()).map(([address, cascade]) => ({ edit: 'delete', ...address, cascade })),
  fc
    .tuple(anyAddress, fc.record({ parent: perhaps, before: perhaps, after: fc.constant(undefined) }))
    .map(([address, place]) => ({ edit: 'move', ...address, ...place })),
);

it('edits of any kind are refused with places, or make a configuration that the changes lead to', () => {
  const within = (configuration: XmlElement): XmlElement => element('cib', {}, [configuration]);
  let made = 0;
  fc.assert(
    fc.property(fc.array(anyEdit, { minLength: 1, maxLength: 3 }), (json) => {
      const reading = readEdits(json, '/edits');
      if (!reading.ok) {
        expect(reading.findings.every(({ pointer }) => pointer.startsWith('/edits/'))).toBe(true);
        return;
      }
      const result = applyElementEdits(CONFIGURATION, reading.edits, '/edits');
      if (!result.ok) {
        expect(result.findings.every(({ pointer }) => /^\/edits\/\d/.test(pointer))).toBe(true);
        return;
      }
      made += 1;
      const before = within(CONFIGURATION);
      const after = within(result.configuration);
      expect(parseXml(serializeXml(after)).name).toBe('cib');
      const changed = applyElementChanges(before, diffConfiguration(before, after));
      expect(sameXml(changed, after)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
  expect(made).toBeGreaterThan(10);
});
