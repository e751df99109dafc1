import { describe, expect, it } from 'vitest';
import { namesInChange, namesInConfiguration } from './names-in-configuration.js';

describe('what a piece of configuration names', () => {
  it('is its resources, nodes and constraints, and what they refer to', () => {
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
      ['1', 'n1', 'web', 'ip', 'prefer', 'n2', 'order', 'db', 't', 'a&b', 'f', 'ipmi', 'pdu'].sort(),
    );
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
