import { describe, expect, it } from 'vitest';
import { readCib } from '../document/cib.js';
import { parseXml } from '../xml/parse-xml.js';
import { validateCib } from './validate-cib.js';

const ROOT = 'epoch="1" num_updates="0" admin_epoch="0"';

function problemsOf(configuration: string): string[] {
  const text = `<cib validate-with="pacemaker-4.0" ${ROOT}><configuration>${configuration}</configuration><status/></cib>`;
  return validateCib(parseXml(text)).map(({ path, message }) => `${path.replace('/cib/configuration', '')} ${message}`);
}

const VALID = `
  <crm_config><cluster_property_set id="cib-bootstrap-options"><nvpair id="o" name="cluster-delay" value="60s"/></cluster_property_set></crm_config>
  <nodes><node id="1" uname="n1"><utilization id="u"><nvpair id="u-c" name="cpu" value="2"/></utilization></node></nodes>
  <resources>
    <template id="t" class="ocf" provider="heartbeat" type="Dummy"/>
    <primitive id="a" template="t">
      <instance_attributes id="a-p">
        <rule id="a-r" boolean-op="or"><date_expression id="a-d" operation="date_spec"><date_spec id="a-s" hours="9-16"/></date_expression></rule>
        <nvpair id="a-x" name="x" value=""/><nvpair id-ref="o"/>
      </instance_attributes>
      <operations><op id="a-m" name="monitor" interval="10s" timeout="20s" on-fail="restart" role="Started"/></operations>
    </primitive>
    <group id="g"><primitive id="b" class="systemd" type="x"/></group>
    <clone id="c"><primitive id="d" class="stonith" type="fence_x"/></clone>
    <bundle id="e"><podman image="i" replicas="2"/><network control-port="3121"><port-mapping id="pm" port="80"/></network>
      <storage><storage-mapping id="sm" source-dir="/a" target-dir="/b"/></storage></bundle>
  </resources>
  <constraints>
    <rsc_location id="l1" rsc="a" node="n1" score="INFINITY"/>
    <rsc_location id="l2" rsc-pattern="^g"><rule id="l2-r" score-attribute="pingd"><expression id="l2-e" attribute="pingd" operation="defined"/></rule></rsc_location>
    <rsc_colocation id="k" rsc="a" with-rsc="g" score="-INFINITY" with-rsc-role="Promoted"/>
    <rsc_order id="q" kind="Optional"><resource_set id="q1" sequential="false"><resource_ref id="a"/><resource_ref id="tg"/></resource_set></rsc_order>
    <rsc_ticket id="w" ticket="x" rsc="t" loss-policy="fence"/>
  </constraints>
  <rsc_defaults><meta_attributes id="rd"><nvpair id="rd-x" name="resource-stickiness" value="1"/></meta_attributes></rsc_defaults>
  <fencing-topology><fencing-level id="f" index="1" target="n1" devices="d"/></fencing-topology>
  <tags><tag id="tg"><obj_ref id="a"/></tag></tags>
  <acls><acl_target id="u1"><role id="r"/></acl_target><acl_role id="r"><acl_permission id="p" kind="read" xpath="/cib"/></acl_role></acls>
  <alerts><alert id="al" path="/x"><recipient id="al-r" value="y"/></alert></alerts>`;

describe('validateCib', () => {
  it('accepts every kind of element', () => {
    expect(problemsOf(VALID)).toEqual([]);
  });

  it.each([
    ['<resources><primitiv id="a"/></resources>', "/resources/primitiv[@id='a'] <primitiv> is not known in <resources>"],
    ['<nodes/><nodes/>', '/nodes[2] <configuration> has more than one <nodes>'],
    ['<nodes><node id="1"/></nodes>', "/nodes/node[@id='1'] <node> needs the attribute uname"],
    ['<nodes><node id="1" uname="a"/><node id="1" uname="A"/></nodes>', '"1" is taken by <node>'],
    ['<nodes><node id="1" uname="a" constructor="x"/></nodes>', 'has no attribute constructor'],
    ['<resources><primitive id="a" class="ocf" type="x"/></resources>', 'needs a provider'],
    ['<resources><primitive id="a" class="lsb" provider="p" type="x"/></resources>', 'must have no provider'],
    ['<resources><primitive id="a" class="upstart" type="x"/></resources>', '"upstart" is not known'],
    ['<resources><primitive id="a" template="t" class="lsb"/></resources>', 'takes class, provider and type from its template'],
    ['<resources><primitive id="a" template="t"/></resources>', 'there is no template "t"'],
    ['<resources><primitive id="1a" class="lsb" type="x"/></resources>', '"1a" is no id'],
    ['<resources><group id="g"/></resources>', '<group> needs a <primitive>'],
    ['<resources><clone id="c"/></resources>', 'needs exactly one primitive or group'],
    ['<resources><bundle id="c"/></resources>', 'needs exactly one of docker and podman'],
    ['<constraints><rsc_location id="l" rsc="a" node="n" score="much"/></constraints>', '"much" is no score'],
    ['<constraints><rsc_location id="l" rsc="a" node="n"/></constraints>', 'needs a score'],
    ['<constraints><rsc_location id="l" node="n" score="1"/></constraints>', 'exactly one of rsc, rsc-pattern and resource sets'],
    [
      '<constraints><rsc_location id="l" rsc="a"><rule id="r"/></rsc_location></constraints>',
      'exactly one of the attributes score, score-attribute',
    ],
    ['<constraints><rsc_order id="o" first="a"/></constraints>', 'needs first and then, or resource sets'],
    ['<constraints><rsc_order id="o" first="a" then="b" kind="foo"/></constraints>', '"foo" is not known'],
    ['<constraints><rsc_order id="o" first="a" then="b" symmetrical="maybe"/></constraints>', '"maybe" is no boolean'],
    ['<constraints><rsc_ticket id="o" ticket="t"><resource_set id="s"/></rsc_ticket></constraints>', 'needs at least one resource_ref'],
    ['<rsc_defaults><meta_attributes id="m"><nvpair id="n" name="x"/></meta_attributes></rsc_defaults>', 'needs a value'],
    ['<rsc_defaults><meta_attributes id-ref="m"/></rsc_defaults>', 'there is no <meta_attributes> with the id "m"'],
    ['<rsc_defaults><meta_attributes id="m" id-ref="n"/></rsc_defaults>', 'exactly one of the attributes id, id-ref'],
    ['<fencing-topology><fencing-level id="f" index="10" target="x" devices="d"/></fencing-topology>', '"10" is no integer from 1 to 9'],
    ['<tags><tag id="a"><obj_ref id="x"/></tag></tags>', "/tags/tag[@id='a']/obj_ref[@id='x'] nothing has the id \"x\""],
  ])('%s', (configuration, problem) => {
    expect(problemsOf(configuration).join('\n')).toContain(problem);
  });

  it('says what repeats an id, and where the first one is', () => {
    const text = '<cib>\n<configuration>\n<tags>\n</tags>\n<resources>\n<group id="a"/>\n<group id="a"/></resources></configuration></cib>';
    expect(validateCib(parseXml(text)).find(({ message }) => message.includes('taken'))).toEqual({
      path: "/cib/configuration/resources/group[@id='a']",
      element: 'group',
      id: 'a',
      line: 7,
      attribute: 'id',
      message: 'id: "a" is taken by <group> on line 6: choose another',
    });
  });

  it('places an element that an upgrade made on the line of what it was made from', () => {
    const location = '<rsc_location id="l" rsc="x" node="n" score="1">\n<lifetime><rule id="r"/></lifetime></rsc_location>';
    const text = `<cib validate-with="pacemaker-3.10">\n<configuration>\n<constraints>${location}\n${location}</constraints></configuration></cib>`;
    const problems = validateCib(readCib(text).document).filter(({ element, message }) => element === 'rule' && message.includes('taken'));
    expect(problems.map(({ line, id }) => `${line} ${id}`)).toEqual(expect.arrayContaining(['5 pcmk__3_10_upgrade-l-lifetime-and-rule']));
    expect(problems[0]?.message).toContain('on line 3');
    expect(problems.every(({ line }) => line !== undefined)).toBe(true);
  });

  it('refuses constraints on what does not exist', () => {
    const found = problemsOf('<constraints><rsc_colocation id="k" rsc="a" with-rsc="b" score="1"/></constraints>');
    expect(found).toHaveLength(2);
    expect(found[0]).toContain('/constraints/rsc_colocation[@id=\'k\'] rsc: there is no resource, template or tag "a"');
  });

  it('checks the root', () => {
    expect(validateCib(parseXml('<x/>'))).toMatchObject([{ path: '/x', message: 'the root element must be <cib>' }]);
    const messages = validateCib(parseXml('<cib validate-with="pacemaker-3.0"><configure/></cib>')).map(({ message }) => message);
    expect(messages).toContain('<cib> needs the attribute epoch');
    expect(messages).toContain('<cib> needs a <configuration>');
    expect(messages.join()).toContain('upgrade the document');
  });

  it('leaves documents of schema none alone', () => {
    expect(validateCib(parseXml('<cib validate-with="none"><foo/></cib>'))).toEqual([]);
  });
});
