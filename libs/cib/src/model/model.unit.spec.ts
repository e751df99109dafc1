import { describe, expect, it } from 'vitest';
import { readCib } from '../document/cib.js';
import { parseXml } from '../xml/parse-xml.js';
import { configurationOf, membersOf } from './configuration.js';
import type { Configuration } from './configuration.js';

function configuration(content: string): Configuration {
  return readCib(`<cib validate-with="pacemaker-4.0"><configuration>${content}</configuration></cib>`).configuration;
}

describe('the typed view of a configuration', () => {
  it('has empty lists for sections that are not there', () => {
    const empty = configurationOf(parseXml('<cib/>'));
    expect([empty.nodes, empty.resources, empty.constraints, empty.tags, empty.alerts, empty.fencingLevels].flat()).toEqual([]);
    expect(empty.resourcesById.size).toBe(0);
    expect(empty.acls).toBeUndefined();
  });

  it('shows resources of every kind, by id with their parents', () => {
    const { resources, resourcesById, templates } = configuration(`<resources>
      <template id="t" class="ocf" provider="p" type="x"/>
      <primitive id="a" template="t" description="d"><operations><op id="m" name="monitor" interval="10s" role="Master" enabled="false" timeout="5"/></operations></primitive>
      <group id="g"><primitive id="b" class="lsb" type="y"/></group>
      <clone id="c"><group id="h"><primitive id="e" class="lsb" type="y"/></group></clone>
      <bundle id="k"><podman image="i" replicas="2"/><network add-host="no"><port-mapping id="pm" port="80"/></network>
        <storage><storage-mapping id="sm" source-dir-root="/a" target-dir="/b"/></storage><primitive id="f" class="lsb" type="y"/></bundle>
      <surprise id="s"/></resources>`);
    expect(resources.map(({ kind, id }) => `${kind} ${id}`)).toEqual(['primitive a', 'group g', 'clone c', 'bundle k']);
    expect(templates[0]?.agent).toEqual({ standard: 'ocf', provider: 'p', type: 'x' });
    expect(resources[0]).toMatchObject({
      template: 't',
      agent: undefined,
      description: 'd',
      operations: [{ id: 'm', name: 'monitor', interval: 10_000, role: 'Promoted', enabled: false, timeout: '5', onFail: undefined }],
    });
    expect(resources[3]).toMatchObject({
      container: { technology: 'podman', image: 'i', replicas: 2, promotedMax: undefined },
      network: { addHost: false, ports: [{ id: 'pm', port: '80' }] },
      storage: [{ sourceDirRoot: '/a', targetDir: '/b' }],
    });
    expect([...resourcesById].map(([id, { parent }]) => `${id}<${parent?.id ?? ''}`)).toEqual([
      'a<',
      'g<',
      'b<g',
      'c<',
      'h<c',
      'e<h',
      'k<',
      'f<k',
    ]);
    expect(resources.map((resource) => membersOf(resource).map(({ id }) => id))).toEqual([[], ['b'], ['h'], ['f']]);
    expect(resourcesById.get('b')?.resource.source.line).toBe(4);
  });

  it('shows sets with their rules', () => {
    const { resourceDefaults, propertySets } = configuration(`
      <crm_config><cluster_property_set id="s" score="x"><nvpair id="n" name="a" value="1"/><nvpair id-ref="n"/></cluster_property_set></crm_config>
      <rsc_defaults><meta_attributes id="m" score="INFINITY"><rule id="r" boolean-op="OR">
        <expression id="e1" attribute="x" operation="EQ" value="1" value-source="param"/>
        <date_expression id="e2" start="2020-01-01"><duration id="d" hours="2"/></date_expression>
        <rsc_expression id="e3" class="ocf"/><op_expression id="e4" name="monitor" interval="10s"/><rule id="e5" id-ref="r9"/>
      </rule></meta_attributes></rsc_defaults>`);
    expect(propertySets).toMatchObject([
      {
        id: 's',
        kind: 'cluster_property_set',
        score: 0,
        rule: undefined,
        pairs: [
          { id: 'n', name: 'a', value: '1' },
          { id: '', reference: 'n' },
        ],
      },
    ]);
    expect(resourceDefaults[0]).toMatchObject({
      score: 1_000_000,
      rule: {
        operator: 'or',
        conditions: [
          { kind: 'attribute', attribute: 'x', operation: 'eq', value: '1', valueSource: 'param' },
          { kind: 'date', operation: 'in_range', start: '2020-01-01', duration: { hours: '2' }, dateSpec: undefined },
          { kind: 'resource', standard: 'ocf', provider: undefined },
          { kind: 'operation', name: 'monitor', interval: 10_000 },
          { kind: 'rule', reference: 'r9', conditions: [] },
        ],
      },
    });
  });

  it('shows constraints of every kind', () => {
    const sets =
      '<resource_set id="s1" sequential="false" role="Slave"><resource_ref id="a"/><resource_ref id="b"/></resource_set><resource_set id-ref="s9"/>';
    const { constraints } = configuration(`<constraints>
      <rsc_location id="l1" rsc="a" node="n1" score="-INFINITY" resource-discovery="Never"/>
      <rsc_location id="l2" rsc-pattern="!^db" role="Promoted"><rule id="r" score-attribute="pingd"/></rsc_location>
      <rsc_location id="l3" node="n" score="5">${sets}</rsc_location>
      <rsc_colocation id="c1" rsc="a" with-rsc="b" with-rsc-role="Promoted" score="5" influence="false"/>
      <rsc_order id="o1" first="a" then="b" first-action="stop" score="0" symmetrical="no"/>
      <rsc_order id="o2" kind="Serialize" require-all="false">${sets}</rsc_order>
      <rsc_ticket id="t1" ticket="T" rsc="a" rsc-role="Promoted" loss-policy="Fence"/>
      <other id="x"/></constraints>`);
    const members = {
      by: 'sets',
      sets: [
        { id: 's1', members: ['a', 'b'], sequential: false, role: 'Unpromoted' },
        { reference: 's9', members: [] },
      ],
    };
    expect(constraints).toMatchObject([
      {
        kind: 'location',
        resources: { by: 'resource', id: 'a' },
        placement: { by: 'node', node: 'n1' },
        score: -1_000_000,
        resourceDiscovery: 'never',
      },
      {
        kind: 'location',
        resources: { by: 'pattern', pattern: '^db', inverted: true },
        placement: { by: 'rule', rule: { scoreAttribute: 'pingd' } },
        role: 'Promoted',
      },
      { kind: 'location', resources: members, score: 5, resourceDiscovery: 'always' },
      {
        kind: 'colocation',
        resources: { by: 'pair', dependent: { id: 'a' }, primary: { id: 'b', role: 'Promoted' } },
        score: 5,
        nodeAttribute: '#uname',
        influence: false,
      },
      {
        kind: 'order',
        resources: { by: 'pair', first: { id: 'a', action: 'stop' }, then: { id: 'b', action: undefined } },
        strength: 'Optional',
        symmetrical: false,
      },
      { kind: 'order', resources: members, strength: 'Serialize', requireAll: false },
      { kind: 'ticket', ticket: 'T', resources: { by: 'resource', resource: { id: 'a', role: 'Promoted' } }, lossPolicy: 'fence' },
    ]);
  });

  it('shows nodes, fencing levels, tags and alerts', () => {
    const view = configuration(`
      <nodes><node id="1" uname="n1" score="5"><instance_attributes id="i"/></node><node id="2" type="Remote"/></nodes>
      <fencing-topology><fencing-level id="f1" index="1" target="n1" devices="a, b"/><fencing-level id="f2" index="10" target-attribute="rack" target-value="1" devices=""/>
        <fencing-level id="f3" index="2" target-pattern="n.*" devices="c"/></fencing-topology>
      <tags><tag id="t"><obj_ref id="a"/><obj_ref id="b"/><obj_ref id="a"/></tag></tags>
      <alerts><alert id="al" path="/p"><recipient id="r" value="v"/></alert></alerts><acls/>`);
    expect(view.nodes).toMatchObject([
      { id: '1', name: 'n1', type: 'member', score: 5, attributes: [{ id: 'i' }] },
      { id: '2', name: '2', type: 'remote', score: 0 },
    ]);
    expect(view.fencingLevels).toMatchObject([
      { index: 1, devices: ['a', 'b'], target: { by: 'node', name: 'n1' } },
      { index: undefined, devices: [], target: { by: 'attribute', name: 'rack', value: '1' } },
      { index: 2, devices: ['c'], target: { by: 'pattern', pattern: 'n.*' } },
    ]);
    expect(view.tags).toMatchObject([{ id: 't', members: ['a', 'b'] }]);
    expect(view.alerts).toMatchObject([{ id: 'al', path: '/p', recipients: [{ id: 'r', value: 'v' }] }]);
    expect(view.acls?.name).toBe('acls');
  });

  it('is read once while the configuration stays the same, section by section', () => {
    const { document } = readCib(
      '<cib validate-with="none"><configuration><resources/><nodes><node id="1" uname="a"/></nodes></configuration><status/></cib>',
    );
    const withStatus = { ...document, attributes: { ...document.attributes, epoch: '2' } };
    expect(configurationOf(withStatus)).toBe(configurationOf(document));
    expect(configurationOf(document).nodes[0]).toBe(configurationOf(withStatus).nodes[0]);
  });
});
