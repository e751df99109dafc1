import { describe, expect, it } from 'vitest';
import { namesInChange, namesInConfiguration } from './names-in-configuration.js';

describe('what a piece of configuration names', () => {
  it('is all that has an id, down to operations, and what that refers to', () => {
    const cib = `<cib><configuration>
      <nodes><node id="1" uname="n1"/></nodes>
      <resources>
        <!-- <primitive id="not-here"/> -->
        <group id='web'><primitive id="ip" class="ocf" type="IPaddr2"><operations><op id="ip-monitor" name="monitor"/></operations></primitive></group>
      </resources>
      <constraints>
        <rsc_location id="prefer" rsc="web" node="n2"/>
        <rsc_order id="order"><resource_set id="s"><resource_ref id="db"/></resource_set></rsc_order>
        <rsc_ticket id="t" rsc="db" ticket="a&amp;b"/>
      </constraints>
      <fencing-topology><fencing-level id="f" target="n1" devices="ipmi, pdu" index="1"/></fencing-topology>
    </configuration></cib>`;
    expect([...namesInConfiguration(cib)].sort()).toEqual(
      ['1', 'n1', 'web', 'ip', 'ip-monitor', 'prefer', 'n2', 'order', 's', 'db', 't', 'a&b', 'f', 'ipmi', 'pdu'].sort(),
    );
  });

  it('is the attributes of nodes, and none of resources', () => {
    const cib = `<cib><configuration><nodes><node id="1" uname="a1"/><node id="2" uname="a2"><utilization id="u"><nvpair id="u-m" name="memory"/></utilization></node></nodes>
      <resources><primitive id="ip"><meta_attributes id="m"><nvpair id="m-r" name="target-role"/></meta_attributes></primitive></resources>
      </configuration><status><node_state id="3"/></status></cib>`;
    expect(namesInConfiguration(cib)).toEqual(['1', 'a1', '2', 'a2', 'u', 'u-m', 'memory', 'ip', 'm', 'm-r']);
    const set = {
      kind: 'nvpair',
      id: 'nodes-1-standby',
      path: `configuration/nodes/node[@id='1']/instance_attributes[@id='nodes-1']`,
      after: '<nvpair id="nodes-1-standby" name="standby" value="on"/>',
    };
    expect(namesInChange(set)).toEqual(['nodes-1-standby', '1', 'nodes-1', 'standby']);
  });

  it('is read in time that grows with the text alone, whatever the text is', () => {
    for (const hostile of ['<a '.repeat(200_000), `<a ${'b="'.repeat(200_000)}`, `<a${' x=""'.repeat(200_000)}`, '<!--'.repeat(200_000)]) {
      const start = performance.now();
      namesInConfiguration(hostile);
      expect(performance.now() - start).toBeLessThan(2_000);
    }
  });

  it('is, of a change, also what contains it', () => {
    const path = `configuration/resources/clone[@id='c']/group[@id='g']/primitive[@id='r']/meta_attributes[@id='r-meta']`;
    const change = { kind: 'nvpair', id: 'r-meta-role', path, after: '<nvpair id="r-meta-role" name="target-role" value="Stopped"/>' };
    expect(namesInChange(change)).toEqual(['r-meta-role', 'c', 'g', 'r', 'r-meta']);
    expect(
      namesInChange({
        kind: 'rsc_location',
        id: 'l',
        path: 'configuration/constraints',
        before: '<rsc_location id="l" rsc="r" node="n"/>',
      }),
    ).toEqual(expect.arrayContaining(['l', 'r', 'n']));
  });
});
