import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ELEMENT_TYPES } from '../schema/element-types.js';
import { element } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { sameXml } from '../xml/same-xml.js';
import { serializeXml } from '../xml/serialize-xml.js';
import { MadeIds } from './element-ids.js';
import { anyElement } from './elements.fixture.js';
import { idsIn } from './part-index.js';
import { showElement } from './show-element.js';
import { NAME_FIELD } from './shown-element.js';
import { writeElement, type ElementFinding } from './write-element.js';

const WEB = `<primitive id="web" class="ocf" provider="heartbeat" type="Dummy">
  <!-- what it is told -->
  <operations id="web-ops"><op id="m" name="monitor" interval="10s"/></operations>
  <instance_attributes id="p"><nvpair id="p-1" name="ip" value="10.0.0.1"/><!-- c --><nvpair id="p-2" name="nic" value="eth0"/></instance_attributes>
  <meta_attributes id="x"><rule id="r" score="1"><date_expression id="e" operation="gt" start="2020-01-01"/></rule><nvpair id="x-1" name="priority" value="1"/></meta_attributes>
</primitive>`;
const SHOWN = {
  element: 'primitive',
  id: 'web',
  class: 'ocf',
  provider: 'heartbeat',
  type: 'Dummy',
  operations: [{ id: 'm', name: 'monitor', interval: '10s' }],
  instance_attributes: { ip: '10.0.0.1', nic: 'eth0' },
  meta_attributes: [
    {
      id: 'x',
      rule: [{ id: 'r', score: '1', date_expression: [{ id: 'e', operation: 'gt', start: '2020-01-01' }] }],
      nvpair: [{ id: 'x-1', name: 'priority', value: '1' }],
    },
  ],
};

function written(name: string, json: unknown, over?: XmlElement): XmlElement {
  const result = tried(name, json, over);
  if (!result.ok) throw new Error(JSON.stringify(result.findings));
  return result.element;
}

function tried(name: string, json: unknown, over?: XmlElement): ReturnType<typeof writeElement> {
  const taken = over === undefined ? new Set<string>() : idsIn(over);
  const ids = new MadeIds((id) => taken.has(id));
  return writeElement(name, json, { ids, pointer: '', ...(over === undefined ? {} : { over }) });
}

function findings(name: string, json: unknown, over?: XmlElement): readonly ElementFinding[] {
  const result = tried(name, json, over);
  return result.ok ? [] : result.findings;
}

/** A text of one line. */
const text = (xml: XmlElement): string => serializeXml(xml).replaceAll(/\n\s*/g, '');

describe('an element as JSON', () => {
  it('is readable', () => {
    expect(showElement(parseXml(WEB))).toEqual(SHOWN);
  });

  it('has a name for each attribute and child of an element', () => {
    for (const [name, { required = {}, optional = {}, children = {} }] of Object.entries(ELEMENT_TYPES)) {
      const fields = [NAME_FIELD, ...Object.keys(required), ...Object.keys(optional), ...Object.keys(children)];
      expect(new Set(fields).size, name).toBe(fields.length);
    }
  });

  it('gives every element back: over itself the very same, by itself one that reads the same', () => {
    fc.assert(
      fc.property(anyElement, (xml) => {
        const json: unknown = JSON.parse(JSON.stringify(showElement(xml)));
        expect(text(written(xml.name, json, xml))).toBe(text(xml));
        const alone = tried(xml.name, json);
        if (alone.ok) expect(showElement(alone.element)).toEqual(json);
      }),
    );
  });

  it('gives back what is written in full without the original', () => {
    const xml = parseXml(
      '<rsc_location id="l"><resource_set id="s" role="Started"><resource_ref id="b"/><resource_ref id="a"/></resource_set><rule id="r" score="1" boolean-op="or"><expression id="e" attribute="a" operation="defined"/><rule id="q"><expression id="f" attribute="b" operation="defined"/></rule></rule></rsc_location>',
    );
    expect(sameXml(written('rsc_location', showElement(xml)), xml)).toBe(true);
  });

  it('takes lists where short forms are shown', () => {
    const { operations } = SHOWN;
    const json = {
      ...SHOWN,
      operations: [{ op: operations }],
      instance_attributes: [{ id: 'p', nvpair: [{ name: 'nic', value: 'eth1' }] }],
    };
    expect(text(written('primitive', json, parseXml(WEB)))).toContain(
      '<instance_attributes id="p"><!-- c --><nvpair id="p-2" name="nic" value="eth1"/></instance_attributes>',
    );
  });

  it('makes ids as pcs does, each once', () => {
    const json = {
      id: 'R',
      class: 'lsb',
      type: 'x',
      meta_attributes: { 'target-role': 'Stopped', 'target.role': 'a', 'target role': 'b' },
      instance_attributes: { ip: '1' },
      operations: [
        { name: 'monitor', interval: '10s' },
        { name: 'monitor', interval: '10s', role: 'Promoted' },
      ],
      utilization: [{ score: '1', nvpair: [{ name: 'cpu', value: '1' }] }, {}],
    };
    expect([...idsIn(written('primitive', json))]).toEqual([
      'R',
      'R-meta_attributes',
      'R-meta_attributes-target-role',
      'R-meta_attributes-target.role',
      'R-meta_attributes-target.role-1',
      'R-instance_attributes',
      'R-instance_attributes-ip',
      'R-utilization',
      'R-utilization-cpu',
      'R-utilization-1',
      'R-monitor-interval-10s',
      'R-monitor-interval-10s-1',
    ]);
  });

  it('makes ids of constraints, and of nodes', () => {
    expect(written('rsc_order', { first: 'a', then: 'b', kind: 'Optional' }).attributes['id']).toBe('order-a-b-Optional');
    expect([...idsIn(written('node', { id: '1', uname: 'n', utilization: { cpu: '1' } }))]).toEqual([
      '1',
      'nodes-1-utilization',
      'nodes-1-utilization-cpu',
    ]);
  });

  it('keeps ids, order and comments of what it is written over', () => {
    const next = { ...SHOWN, instance_attributes: { nic: 'eth1', port: '5', ip: '10.0.0.1' }, meta_attributes: [] };
    const xml = written('primitive', next, parseXml(WEB));
    expect(text(xml)).toBe(
      text(
        parseXml(`<primitive id="web" class="ocf" provider="heartbeat" type="Dummy"><!-- what it is told --><operations id="web-ops"><op id="m" name="monitor" interval="10s"/></operations>
          <instance_attributes id="p"><nvpair id="p-2" name="nic" value="eth1"/><nvpair id="p-port" name="port" value="5"/><!-- c --><nvpair id="p-1" name="ip" value="10.0.0.1"/></instance_attributes></primitive>`),
      ),
    );
  });

  it('keeps a reference, and a set without anything in it', () => {
    const xml = parseXml(
      '<primitive id="a" class="lsb" type="x"><meta_attributes id-ref="m"/><operations id-ref="o"/><utilization id="u"/></primitive>',
    );
    expect(showElement(xml)).toMatchObject({ meta_attributes: [{ 'id-ref': 'm' }], operations: [{ 'id-ref': 'o' }], utilization: {} });
    expect(sameXml(written('primitive', showElement(xml), xml), xml)).toBe(true);
  });

  it.each([
    ['primitive', [], ''],
    ['primitive', { id: 'a', class: 'lsb', type: 'x', colour: 'red' }, '/colour'],
    ['primitive', { id: 'a', class: 'lsb', type: 5 }, '/type'],
    ['primitive', { id: 'a', class: 'lsb', type: 'x\u0000' }, '/type'],
    ['primitive', { id: 'a', class: 'lsb', type: '\ud800' }, '/type'],
    ['primitive', { id: '1 a', class: 'lsb', type: 'x' }, '/id'],
    ['primitive', { class: 'lsb', type: 'x' }, '/id'],
    ['primitive', { id: 'a', class: 'lsb' }, ''],
    ['primitive', { id: 'a', class: 'lsb', type: 'x', operations: [{ name: 'monitor' }] }, '/operations/0/interval'],
    ['primitive', { id: 'a', class: 'lsb', type: 'x', operations: { op: [] } }, '/operations'],
    ['primitive', { id: 'a', class: 'lsb', type: 'x', meta_attributes: { a: 1 } }, '/meta_attributes/a'],
    ['primitive', { id: 'a', class: 'lsb', type: 'x', meta_attributes: { 'a/~': null } }, '/meta_attributes/a~1~0'],
    ['primitive', { id: 'a', class: 'lsb', type: 'x', meta_attributes: { '\u0000': '1' } }, '/meta_attributes/\u0000'],
    ['primitive', { id: 'a', class: 'lsb', type: 'x', meta_attributes: 'x' }, '/meta_attributes'],
    ['primitive', { id: 'a', class: 'lsb', type: 'x', meta_attributes: [{ nvpair: { a: '1' } }] }, '/meta_attributes/0/nvpair'],
    ['primitive', { id: 'a', class: 'lsb', type: 'x', meta_attributes: { 'restart-type': 'a' } }, '/meta_attributes/restart-type'],
    ['primitive', { id: 'a', class: 'lsb', type: 'x', constructor: 'a' }, '/constructor'],
    ['primitive', JSON.parse('{"id":"a","class":"lsb","type":"x","__proto__":{"a":"b"}}'), '/__proto__'],
    ['primitive', JSON.parse('{"id":"a","class":"lsb","type":"x","meta_attributes":{"__proto__":"b"}}'), '/meta_attributes/__proto__'],
    ['group', { id: 'g' }, '/primitive'],
    ['clone', { id: 'g' }, ''],
    ['tag', { id: 't', obj_ref: [{}] }, '/obj_ref/0/id'],
    ['rsc_order', { first: 'a', then: 'b', kind: 'x' }, '/kind'],
  ])('is refused in <%s> for %j, with the place', (name, json, pointer) => {
    expect(findings(name, json).map((found) => found.pointer)).toContain(pointer);
  });

  it('tells all that is wrong at once', () => {
    const json = { id: 'a', class: 'lsb', type: 'x', operations: [{ name: 'm', interval: '1s', 'on-fail': 'cry' }], utilization: 3, x: 1 };
    expect(findings('primitive', json).map(({ pointer }) => pointer)).toEqual(['/x', '/utilization', '/operations/0/on-fail']);
  });

  it('takes no map where there are rules', () => {
    const [found] = findings('primitive', { ...SHOWN, meta_attributes: { priority: '2' } }, parseXml(WEB));
    expect(found).toMatchObject({ pointer: '/meta_attributes', message: expect.stringContaining('give the list') as string });
  });

  it('is refused when it is nested without end', () => {
    let rule: object = { expression: [{ attribute: 'a', operation: 'defined' }] };
    for (let depth = 0; depth < 10_000; depth += 1) rule = { rule: [rule] };
    expect(findings('rsc_location', { rsc: 'a', rule: [rule] })[0]?.message).toContain('nested deeper');
  });

  it('keeps what the schema does not know', () => {
    const xml = element('tag', { id: 't', x: 'y' }, [element('obj_ref', { id: 'a' }), element('strange')]);
    expect(sameXml(written('tag', showElement(xml), xml), xml)).toBe(true);
  });
});
