import { describe, expect, it } from 'vitest';
import { readCib } from '../document/cib.js';
import type { XmlElement } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { findMistakes, findOptionMistakes } from './find-mistakes.js';
import { isSurelySound } from './sound-document.js';
import { validateCib } from './validate-cib.js';

const ROOT = 'epoch="1" num_updates="0" admin_epoch="0"';
const SECTIONS = ['crm_config', 'nodes', 'resources', 'constraints'];

/** A configuration's document; required sections that it lacks are added empty. */
function documentOf(configuration: string): XmlElement {
  const missing = SECTIONS.filter((name) => !configuration.includes(`<${name}`)).map((name) => `<${name}/>`);
  return parseXml(
    `<cib validate-with="pacemaker-4.0" ${ROOT}><configuration>${configuration}${missing.join('')}</configuration><status/></cib>`,
  );
}

/** What is found out part by part says the same as what is found in the whole. */
function requireSameOfParts(configuration: string): void {
  const document = documentOf(configuration);
  const found = [...validateCib(document), ...findMistakes(document), ...findOptionMistakes(document)];
  const isReadWhole = /<crm_config>(?:(?!<\/crm_config>).)*id-ref/s.test(configuration);
  // Twice: at first, and with what is known of the parts.
  for (let time = 0; time < 2; time += 1) expect(isSurelySound(document)).toBe(found.length === 0 && !isReadWhole);
}

function problemsOf(configuration: string): string[] {
  requireSameOfParts(configuration);
  return validateCib(documentOf(configuration)).map(({ path, message }) => `${path.replace('/cib/configuration', '')} ${message}`);
}

function mistakesOf(configuration: string): string[] {
  requireSameOfParts(configuration);
  return findMistakes(documentOf(configuration)).map(({ path, message }) => `${path.replace('/cib/configuration', '')} ${message}`);
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
    ['<nodes><node id="1" uname="a" constructor="x"/></nodes>', 'has no attribute constructor'],
    ['<resources><primitive id="a" class="ocf" type="x"/></resources>', 'needs a provider'],
    ['<resources><primitive id="a" class="lsb" provider="p" type="x"/></resources>', 'must have no provider'],
    ['<resources><primitive id="a" class="upstart" type="x"/></resources>', '"upstart" is not known'],
    ['<resources><primitive id="a" template="t" class="lsb"/></resources>', 'takes class, provider and type from its template'],
    ['<resources><primitive id="a" template="t"/></resources>', 'template: nothing has the id "t"'],
    ['<resources><primitive id="1a" class="lsb" type="x"/></resources>', '"1a" is no id'],
    ['<resources><group id="g"/></resources>', '<group> needs a <primitive>'],
    ['<resources><clone id="c"/></resources>', 'needs exactly one primitive or group'],
    ['<resources><bundle id="c"/></resources>', 'needs exactly one of docker and podman'],
    ['<constraints><rsc_location id="l" rsc="a" node="n" score="much"/></constraints>', '"much" is no score'],
    ['<constraints><rsc_location id="l" rsc="a" node="n"/></constraints>', 'needs a node and a score, or a rule'],
    ['<constraints><rsc_location id="l" node="n" score="1"/></constraints>', 'exactly one of the attributes rsc, rsc-pattern'],
    ['<constraints><rsc_location id="l" rsc="a"><rule id="r"/></rsc_location></constraints>', 'needs at least one condition'],
    ['<constraints><rsc_order id="o" first="a"/></constraints>', 'needs first and then, or resource sets'],
    ['<constraints><rsc_order id="o" first="a" then="b" kind="foo"/></constraints>', '"foo" is not known'],
    ['<constraints><rsc_order id="o" first="a" then="b" symmetrical="maybe"/></constraints>', '"maybe" is no boolean'],
    ['<constraints><rsc_ticket id="o" ticket="t"><resource_set id="s"/></rsc_ticket></constraints>', 'needs at least one resource_ref'],
    ['<rsc_defaults><meta_attributes id="m"><nvpair id="n" name="x"/></meta_attributes></rsc_defaults>', 'needs a value'],
    ['<rsc_defaults><meta_attributes id-ref="m"/></rsc_defaults>', 'nothing has the id "m"'],
    ['<rsc_defaults><meta_attributes id="m" id-ref="n"/></rsc_defaults>', 'exactly one of the attributes id, id-ref'],
    ['<fencing-topology><fencing-level id="f" index="10" target="x" devices="d"/></fencing-topology>', '"10" is no integer from 1 to 9'],
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

  // Accepted and refused forms stand side by side (specification 01 §1.5).
  const rule = '<rule id="r"><expression id="e" attribute="x" operation="eq"/></rule>';
  const refs = '<resource_set id="s"><resource_ref id="a"/></resource_set>';
  const constrained = (constraint: string): string =>
    `<resources><primitive id="a" class="lsb" type="x"/></resources><constraints>${constraint}</constraints>`;
  const ruled = (condition: string): string =>
    `<rsc_defaults><meta_attributes id="m"><rule id="r">${condition}</rule></meta_attributes></rsc_defaults>`;
  const paired = (name: string, value = '1'): string => `<nvpair id="n" name="${name}" value="${value}"/>`;
  const properties = (pair: string): string => `<crm_config><cluster_property_set id="p">${pair}</cluster_property_set></crm_config>`;
  it.each<[readonly string[], readonly string[]]>([
    [
      [
        constrained('<rsc_location id="l" rsc="a" role="Started" node="n" score=" 5 "/>'),
        constrained(`<rsc_location id="l" rsc="a" role="Started">${rule}</rsc_location>`),
        constrained(
          `<rsc_location id="l" rsc-pattern="a">${rule.replace('id="r"', 'id="r" role="Leader" score-attribute="p"')}</rsc_location>`,
        ),
        constrained(`<rsc_location id="l" node="n" score="1">${refs}</rsc_location>`),
        constrained(`<rsc_location id="l" resource-discovery="never">${refs}${rule}</rsc_location>`),
      ],
      [
        constrained('<rsc_location id="l" rsc="a" rsc-pattern="a" node="n" score="1"/>'),
        constrained('<rsc_location id="l" rsc="a" node="n"/>'),
        constrained(`<rsc_location id="l" rsc="a" score="1">${rule}</rsc_location>`),
        constrained(`<rsc_location id="l" rsc="a" node="n" score="1">${rule}</rsc_location>`),
        constrained(`<rsc_location id="l" role="Started" node="n" score="1">${refs}</rsc_location>`),
        constrained(`<rsc_location id="l">${rule}${refs}</rsc_location>`),
        constrained('<rsc_location id="l" rsc="b" node="n" score="1"/>'),
        constrained('<rsc_location id="l" rsc="a" node="n" score="1" description="d"/>'),
      ],
    ],
    [
      [
        constrained(`<rsc_order id="o" kind="Serialize" symmetrical="0">${refs}</rsc_order>`),
        constrained('<rsc_order id="o" first="a" then="a" score="1" then-action="stop"/>'),
        constrained(`<rsc_colocation id="o" influence="x">${refs}</rsc_colocation>`),
        constrained(`<rsc_ticket id="o" ticket="t">${refs}</rsc_ticket>`),
        constrained(`<rsc_order id="o">${refs}<resource_set id-ref="s"/></rsc_order>`),
      ],
      [
        constrained('<rsc_order id="o" first="a" then="a" score="1" kind="Optional"/>'),
        constrained(`<rsc_order id="o" first-action="start">${refs}</rsc_order>`),
        constrained(`<rsc_colocation id="o" rsc="a" with-rsc="a">${refs}</rsc_colocation>`),
        constrained(`<rsc_ticket id="o" ticket="t" rsc-role="Started">${refs}</rsc_ticket>`),
        constrained(`<rsc_order id="o">${refs}<resource_set id-ref="s" role="Started"/></rsc_order>`),
        constrained(`<rsc_order id="o">${refs.replace('id="s"', 'id="s" score="1" kind="Optional"')}</rsc_order>`),
        constrained('<rsc_order id="o" first="a" then="a" symmetrical="no"/>'),
      ],
    ],
    [
      [
        ruled('<expression id="e" attribute="" operation="not_defined" value="x"/>'),
        ruled('<date_expression id="e" operation="in_range" start="x" end="y"><duration id="d" hours="x" days="2"/></date_expression>'),
        ruled('<date_expression id="e" operation="date_spec"><date_spec id="d" years="x" yeardays=""/></date_expression>'),
        ruled('<op_expression id="e" name="monitor" interval="x"/>'),
      ],
      [
        ruled(''),
        ruled('<expression id="e" attribute="x" operation="EQ"/>'),
        ruled('<date_expression id="e" start="x"/>'),
        ruled('<date_expression id="e" operation="lt" start="x" end="y"/>'),
        ruled('<date_expression id="e" operation="gt" start="x"><duration id="d"/></date_expression>'),
        ruled('<date_expression id="e" operation="in_range" start="x"><date_spec id="d"/></date_expression>'),
        ruled('<date_expression id="e" operation="in_range" start="x"><duration id="d" yeardays="1"/></date_expression>'),
        ruled('<date_expression id="e" operation="date_spec"><date_spec id="d" moon="1"/></date_expression>'),
      ],
    ],
    [
      [properties(paired('default-resource-stickiness')), properties(paired('stonith-action', 'off'))],
      [
        properties(paired('stonith-action', 'poweroff')),
        properties(paired('remove-after-stop')),
        properties('<nvpair id-ref="n" name="x"/>'),
      ],
    ],
    [
      [
        '<nodes><node id="1" uname="a" type="remote"/><node id="1" uname="a"/></nodes>',
        '<fencing-topology><fencing-level id="f" index=" 9 " target-pattern="" devices="none,none"/></fencing-topology>',
        '<tags><tag id="a"><obj_ref id="no where"/></tag></tags>',
        '<acls><acl_role id="r"/><acl_target id="a:b"><role id="r"/></acl_target></acls>',
      ],
      [
        '<nodes><node id="1" uname="a" type="ping"/></nodes>',
        '<fencing-topology><fencing-level id="f" index="1" target="n" devices="a, b"/></fencing-topology>',
        '<tags><tag id="a"/></tags>',
        '<tags><tag id="a b"><obj_ref id="x"/></tag></tags>',
        '<acls><acl_target id="a"><role id="r"/></acl_target></acls>',
      ],
    ],
  ])('%#: accepts some and refuses others', (accepted, refused) => {
    expect(accepted.filter((configuration) => problemsOf(configuration).length > 0)).toEqual([]);
    expect(refused.filter((configuration) => problemsOf(configuration).length === 0)).toEqual([]);
  });

  it('takes other names from meta-attributes of resources than from those of operations', () => {
    const meta = (name: string): string => `<meta_attributes id="m">${paired(name)}</meta_attributes>`;
    const resource = (inside: string): string => `<resources><primitive id="a" class="lsb" type="x">${inside}</primitive></resources>`;
    const operation = (inside: string): string =>
      resource(`<operations><op id="o" name="monitor" interval="1">${inside}</op></operations>`);
    expect([resource(meta('can_fail')), operation(meta('restart-type'))].flatMap(problemsOf)).toEqual([]);
    expect([resource(meta('restart-type')), operation(meta('can_fail'))].flatMap(problemsOf)).toHaveLength(2);
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

describe('findMistakes', () => {
  it('finds none in what every element is right in', () => {
    expect(mistakesOf(VALID)).toEqual([]);
  });

  it.each([
    [
      '<constraints><rsc_colocation id="k" rsc="a" with-rsc="b" score="1"/></constraints>',
      '/constraints/rsc_colocation[@id=\'k\'] rsc: there is no resource, template or tag "a"',
    ],
    ['<nodes><node id="1" uname="a"/><node id="1" uname="A"/></nodes>', 'id: "1" is taken by <node> on line 1'],
    ['<nodes><node id="1" uname="a"/><node id="2" uname="A"/></nodes>', 'uname: "A" is taken by <node> on line 1'],
    ['<resources><primitive id="a" template="a"/></resources>', 'there is no template "a" in resources'],
    ['<resources><primitive id="a" class="heartbeat" type="x"/></resources>', 'heartbeat can not be run'],
    ['<tags><tag id="a"><obj_ref id="x"/></tag></tags>', "/tags/tag[@id='a']/obj_ref[@id='x'] nothing has the id \"x\""],
    [
      '<tags/><op_defaults><meta_attributes id="m"><rule id="r"><date_expression id="e" operation="in_range" start="x"><duration id="d" hours="x"/></date_expression></rule></meta_attributes></op_defaults>',
      'hours: "x" is no integer',
    ],
    [
      '<op_defaults><meta_attributes id="m"><rule id="r"><expression id="e" attribute="a" operation="eq"/></rule></meta_attributes></op_defaults>',
      'needs a value',
    ],
    ['<constraints><rsc_location id="l" rsc="a"><rule id="r"/></rsc_location></constraints>', 'needs a score or a score-attribute'],
    ['<constraints><rsc_location id="l" rsc="a"><rule id="r" score="1" role="Boss"/></rsc_location></constraints>', '"Boss" is no role'],
    ['<nodes><node id="1" uname=""/></nodes>', 'uname: must not be empty'],
    ['<resources><bundle id="b"><docker image="i" replicas="-3"/></bundle></resources>', 'replicas: "-3" is no integer from 0 on'],
    ['<resources><bundle id="b"><network control-port="70000"/></bundle></resources>', 'is no integer from 1 to 65535'],
    [
      '<op_defaults><meta_attributes id="m"><rule id="r"><op_expression id="e" name="start" interval="soon"/></rule></meta_attributes></op_defaults>',
      '"soon" is no interval',
    ],
  ])('%s', (configuration, mistake) => {
    expect(mistakesOf(configuration).join('\n')).toContain(mistake);
  });

  const parameters = (...values: readonly string[]): string => {
    const pairs = values.map((value, index) => `<nvpair id="n${index}" name="p${index}" value="${value}"/>`).join('');
    return `<resources><primitive id="a" class="ocf" provider="x" type="y"><instance_attributes id="i">${pairs}</instance_attributes></primitive></resources>`;
  };

  it('refuses a parameter that no program can be given, by its bytes, and says the limit', () => {
    expect(mistakesOf(parameters('x'.repeat(131_000)))).toEqual([]);
    expect(mistakesOf(parameters('x'.repeat(131_072))).join()).toMatch(/nvpair\[@id='n0'\] value: has more than 1310\d\d bytes/);
    expect(mistakesOf(parameters('\u20ac'.repeat(50_000))).join()).toMatch(/value: has more than/);
  });

  it('refuses parameters that are too large together', () => {
    expect(mistakesOf(parameters(...Array.from({ length: 10 }, () => 'x'.repeat(120_000)))).join()).toMatch(/bytes in all/);
  });
});
