import { describe, expect, it } from 'vitest';
import { readCib } from '../document/cib.js';
import { CibEvaluation } from '../document/cib-evaluation.js';
import { validateCib } from '../schema/validate-cib.js';
import { utc } from '../time/date-time.js';
import { firstChildNamed } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { serializeXml } from '../xml/serialize-xml.js';
import { upgradeCib } from './upgrade-cib.js';

const ROOT = 'epoch="1" num_updates="0" admin_epoch="0"';

interface Upgraded {
  readonly text: string;
  /** `<kind> <message>` of each. */
  readonly changes: readonly string[];
  readonly problems: readonly string[];
}

/** The configuration's content after the upgrade, one tag per line without indentation. */
function upgrade(schema: string, configuration: string): Upgraded {
  const { document, changes } = upgradeCib(
    parseXml(`<cib validate-with="pacemaker-${schema}" ${ROOT}><configuration>${configuration}</configuration></cib>`),
  );
  const content = firstChildNamed(document, 'configuration');
  const lines = content === undefined ? [] : serializeXml(content).trimEnd().split('\n');
  // The examples leave out sections, and the resources that their constraints name.
  const problems = validateCib(document).filter(({ message }) => !/^<configuration> needs a|nothing has the id/.test(message));
  return {
    text: lines
      .slice(1, -1)
      .map((line) => line.trim())
      .join(''),
    changes: changes.map(({ kind, message }) => `${kind} ${message}`),
    problems: problems.map(({ path, message }) => `${path} ${message}`),
  };
}

/** Expects the upgraded content, and that it is valid now. */
function expectUpgrade(schema: string, before: string, after: string): Upgraded {
  const result = upgrade(schema, before);
  expect(result.text).toBe(after.replace(/>\s+</g, '><').trim());
  expect(result.problems).toEqual([]);
  return result;
}

describe('a document without legacy syntax', () => {
  it('changes its schema name only', () => {
    const text = `<cib validate-with="pacemaker-3.2" ${ROOT}><configuration><rsc_defaults><meta_attributes id="m" score="1"/><meta_attributes id="n" score="2"/></rsc_defaults></configuration><status/></cib>`;
    expect(serializeXml(upgradeCib(parseXml(text)).document)).toBe(serializeXml(parseXml(text.replace('3.2', '4.0'))));
  });
});

describe('from 1.x', () => {
  it('access control takes its new form', () => {
    expectUpgrade(
      '1.3',
      '<acls><acl_user id="u"><role_ref id="r"/><read id="p" xpath="/cib"/></acl_user><acl_role id="r"><write id="w" ref="p"/><deny id="d" tag="nvpair" attribute="x"/></acl_role></acls>',
      `<acls><acl_target id="u"><role id="r"/><role id="_1TO2_u-role"/></acl_target>
       <acl_role id="_1TO2_u-role"><acl_permission id="p" kind="read" xpath="/cib"/></acl_role>
       <acl_role id="r"><acl_permission id="w" kind="write" reference="p"/><acl_permission id="d" kind="deny" attribute="x" object-type="nvpair"/></acl_role></acls>`,
    );
  });
});

describe('from 2.x', () => {
  const properties = (pairs: string): string => `<crm_config><cluster_property_set id="s">${pairs}</cluster_property_set></crm_config>`;

  it('options are renamed, dropped, or become defaults', () => {
    expectUpgrade(
      '2.5',
      properties(
        `<nvpair id="a" name="stonith_enabled" value="false"/><nvpair id="b" name="transition_idle_timeout" value="9s"/>
         <nvpair id="c" name="default-action-timeout" value="5s"/><nvpair id="d" name="default_resource_stickiness" value="7"/>
         <nvpair id="e" name="expected-quorum-votes" value="2"/><nvpair id="f" name="cluster-infrastructure" value="cman"/>
         <nvpair id="g" name="default-resource-failure-stickiness" value="-INFINITY"/><nvpair id="h" name="transition-idle-timeout" value="3"/>`,
      ),
      `${properties('<nvpair id="a" name="stonith-enabled" value="false"/><nvpair id="b" name="cluster-delay" value="9s"/><nvpair id="h" name="transition-idle-timeout" value="3"/>')}
       <rsc_defaults><meta_attributes id="_2TO3_-rsc-defaults"><nvpair id="d" name="resource-stickiness" value="7"/><nvpair id="g" name="migration-threshold" value="1"/></meta_attributes></rsc_defaults>
       <op_defaults><meta_attributes id="_2TO3_-op-defaults"><nvpair id="c" name="timeout" value="5s"/></meta_attributes></op_defaults>`,
    );
  });

  it('a moved default does not replace one that is there', () => {
    const defaults =
      '<rsc_defaults><meta_attributes id="m"><nvpair id="n" name="resource-stickiness" value="1"/></meta_attributes></rsc_defaults>';
    expectUpgrade(
      '2.0',
      properties('<nvpair id="d" name="default-resource-stickiness" value="7"/>') + defaults,
      properties('').replace('></cluster_property_set>', '/>') + defaults,
    );
  });

  it('failure stickiness is dropped, unless the document switches it on', () => {
    const primitive = (value: string): string =>
      `<resources><primitive id="p" class="lsb" type="x"><meta_attributes id="m"><nvpair id="n" name="resource_failure_stickiness" value="${value}"/></meta_attributes></primitive></resources>`;
    expect(upgrade('2.0', primitive('-100')).text).not.toContain('nvpair');
    expect(upgrade('2.0', primitive('-INFINITY')).text).toContain('name="migration-threshold" value="1"');
    const switched = properties(
      '<nvpair id="o" name="failure-stickiness-enabled" value="yes"/><nvpair id="q" name="default-resource-failure-stickiness" value="-INFINITY"/>',
    );
    expectUpgrade('2.0', switched + primitive('-100'), switched + primitive('-100'));
  });

  it('operations give their requires to the resource, and options out of their parameters', () => {
    expectUpgrade(
      '2.0',
      `<resources><primitive id="p" class="stonith" type="x">
         <instance_attributes id="i"><nvpair id="i1" name="pcmk_reboot_cmd" value="r"/><nvpair id="i2" name="pcmk_arg_map" value="port:plug"/></instance_attributes>
         <meta_attributes id="m"><nvpair id="m1" name="isolation" value="docker"/></meta_attributes>
         <operations>
           <op id="o1" name="start" interval="0" requires="nothing"><instance_attributes id="oi"><nvpair id="oi1" name="timeout" value="9s"/></instance_attributes></op>
           <op id="o2" name="monitor" interval="9" requires="quorum"/>
         </operations></primitive></resources>`,
      `<resources><primitive id="p" class="stonith" type="x">
         <instance_attributes id="i"><nvpair id="i1" name="pcmk_reboot_action" value="r"/><nvpair id="i2" name="pcmk_host_argument" value="plug"/></instance_attributes>
         <meta_attributes id="m"><nvpair id="m1" name="target-role" value="Stopped"/></meta_attributes>
         <operations>
           <op id="o1" name="start" interval="0"><meta_attributes id="_2TO3_o1-meta"><nvpair id="oi1" name="timeout" value="9s"/></meta_attributes></op>
           <op id="o2" name="monitor" interval="9"/>
         </operations>
         <meta_attributes id="_2TO3_p-meta"><nvpair id="_2TO3_p-meta-requires" name="requires" value="nothing"/></meta_attributes></primitive></resources>`,
    );
  });

  it('nodes and colocations lose what is gone', () => {
    expectUpgrade(
      '2.0',
      '<nodes><node id="1" uname="a" type="normal"/></nodes><constraints><rsc_colocation id="c" rsc="x" with-rsc="y" score-attribute="z"/></constraints>',
      '<nodes><node id="1" uname="a" type="member"/></nodes><constraints><rsc_colocation id="c" rsc="x" with-rsc="y"/></constraints>',
    );
  });

  it('a document of 3.x keeps what it says', () => {
    const text = properties('<nvpair id="a" name="stonith_enabled" value="false"/>');
    expectUpgrade('3.0', text, text);
  });
});

describe('from 3.x', () => {
  const primitive = (id: string, standard = 'lsb'): string => `<primitive id="${id}" class="${standard}" type="x"/>`;

  it('one renamed option reorders the sets and makes them unambiguous', () => {
    expectUpgrade(
      '3.0',
      `<crm_config>
         <cluster_property_set id="low" score="-1"/>
         <cluster_property_set id="high" score="5"/>
         <cluster_property_set id="cib-bootstrap-options">
           <nvpair id="a" name="crmd-transition-delay" value="2s"/><nvpair id="b" name="x" value="1"/><nvpair id="c" name="x" value="2"/>
           <nvpair id="d" name="remove-after-stop" value="1"/><nvpair id="e" name="stonith-action" value="poweroff"/><nvpair id="f" name="fencing-action" value="poweroff"/>
         </cluster_property_set></crm_config>`,
      `<crm_config>
         <cluster_property_set id="cib-bootstrap-options">
           <nvpair id="a" name="transition-delay" value="2s"/><nvpair id="b" name="x" value="1"/>
           <nvpair id="e" name="stonith-action" value="off"/><nvpair id="f" name="fencing-action" value="poweroff"/>
         </cluster_property_set>
         <cluster_property_set id="high" score="5"/>
         <cluster_property_set id="low" score="-1"/></crm_config>`,
    );
  });

  it('pairs that referred to others under a new name get their value', () => {
    expectUpgrade(
      '3.9',
      `<rsc_defaults><meta_attributes id="m"><nvpair id="a" name="x" value="1"/><nvpair id-ref="a" name="y"/><nvpair id-ref="a"/><nvpair id="b" name="z"/><nvpair id="r" name="restart-type" value="1"/></meta_attributes></rsc_defaults>`,
      `<rsc_defaults><meta_attributes id="m"><nvpair id="a" name="x" value="1"/><nvpair id="pcmk__3_10_upgrade-a-y" name="y" value="1"/><nvpair id-ref="a"/></meta_attributes></rsc_defaults>`,
    );
  });

  it('masters are promotable clones, whatever they said', () => {
    expectUpgrade(
      '3.0',
      `<resources><master id="m">${primitive('p')}<meta_attributes id="mm"><nvpair id="n" name="promotable" value="false"/></meta_attributes></master></resources>`,
      `<resources><clone id="m">${primitive('p')}
         <meta_attributes id="pcmk__3_10_upgrade-m-promotable" score="INFINITY"><nvpair id="pcmk__3_10_upgrade-m-promotable-value" name="promotable" value="true"/></meta_attributes>
         <meta_attributes id="mm"><nvpair id="n" name="promotable" value="false"/></meta_attributes></clone></resources>`,
    );
  });

  it('bundles, fencing levels, ping nodes and date specs take their new form', () => {
    expectUpgrade(
      '3.0',
      `<nodes><node id="1" uname="gw.1" type="ping"/></nodes>
       <resources><bundle id="b"><docker image="i" masters="1"/></bundle></resources>
       <fencing-topology><fencing-level id="f1" index="9" target="n" devices="b"/><fencing-level id="f2" index="10" target="n" devices="b"/></fencing-topology>
       <rsc_defaults><meta_attributes id="m"><rule id="r"><date_expression id="d" operation="date_spec"><date_spec id="s" moon="4" hours="1"/></date_expression></rule></meta_attributes></rsc_defaults>`,
      `<nodes><node id="1" uname="gw.1" type="member"/></nodes>
       <resources><bundle id="b"><docker image="i" promoted-max="1"/></bundle></resources>
       <fencing-topology><fencing-level id="f1" index="9" target="n" devices="b"/></fencing-topology>
       <rsc_defaults><meta_attributes id="m"><rule id="r"><date_expression id="d" operation="date_spec"><date_spec id="s" hours="1"/></date_expression></rule></meta_attributes></rsc_defaults>
       <constraints><rsc_location id="pcmk__3_10_upgrade-ping-gw.1" rsc-pattern=".*" node="gw.1" score="-INFINITY" resource-discovery="never"/></constraints>`,
    );
  });

  it('several rules become several constraints', () => {
    const rule = (id: string): string => `<rule id="${id}" score="1"><expression id="${id}-e" attribute="a" operation="defined"/></rule>`;
    const set = (id: string): string => `<resource_set id="${id}"><resource_ref id="x"/></resource_set>`;
    expectUpgrade(
      '3.0',
      `<constraints><rsc_location id="l" resource-discovery="never">${set('s')}${rule('r1')}${rule('r2')}</rsc_location></constraints>`,
      `<constraints><rsc_location id="pcmk__3_10_upgrade-l-1" resource-discovery="never">${set('s')}${rule('r1')}</rsc_location>
       <rsc_location id="pcmk__3_10_upgrade-l-2" resource-discovery="never">${set('pcmk__3_10_upgrade-s-2')}${rule('r2')}</rsc_location></constraints>`,
    );
  });

  it('a lifetime limits the time in which the score applies', () => {
    const until = (end: string): string => `<rule id="t-${end}"><date_expression id="d-${end}" operation="lt" end="${end}"/></rule>`;
    const location = (lifetime: string): string =>
      `<constraints><rsc_location id="l" rsc="x" node="n1" score="7"><lifetime>${lifetime}</lifetime></rsc_location></constraints>`;
    expectUpgrade(
      '3.0',
      location(until('2030-01-01')),
      `<constraints><rsc_location id="l" rsc="x"><rule id="pcmk__3_10_upgrade-l-lifetime-and-rule" boolean-op="and" score="7">
         <rule id="pcmk__3_10_upgrade-l-lifetime-node-rule"><expression id="pcmk__3_10_upgrade-l-lifetime-node-rule-expr" attribute="#uname" operation="eq" value="n1"/></rule>
         ${until('2030-01-01')}</rule></rsc_location></constraints>`,
    );
    const { document } = readCib(
      `<cib validate-with="pacemaker-3.0"><configuration>${location(until('2010-01-01') + until('2030-01-01'))}</configuration></cib>`,
    );
    const at = (year: number, node: string): boolean => {
      const evaluation = new CibEvaluation(document, utc(Date.UTC(year, 0, 1) / 1000 - 1));
      const rule = evaluation.index.firstNamed('rule');
      return rule !== undefined && evaluation.passes(rule, { nodeAttributes: new Map([['#uname', node]]) });
    };
    expect([at(2030, 'n1'), at(2031, 'n1'), at(2030, 'n2')]).toEqual([true, false, false]);
  });

  it('colocations and orderings lose their lifetime', () => {
    expectUpgrade(
      '3.0',
      '<constraints><rsc_order id="o" first="a" then="b"><lifetime/></rsc_order></constraints>',
      '<constraints><rsc_order id="o" first="a" then="b"/></constraints>',
    );
  });

  it('unsupported resources go, with what names them, and it is said', () => {
    const { changes } = expectUpgrade(
      '3.0',
      `<resources><template id="t" class="Upstart" type="x"/>${primitive('a', 'nagios')}<primitive id="b" template="t"/>
         <clone id="c"><group id="g">${primitive('d', 'upstart')}</group></clone><group id="h">${primitive('e', 'upstart')}${primitive('f')}</group>
         <bundle id="k"><rkt image="i"/></bundle></resources>
       <constraints><rsc_location id="l1" rsc="a" node="n" score="1"/><rsc_order id="l2" first="f" then="c"/>
         <rsc_order id="l3"><resource_set id="s1"><resource_ref id="f"/><resource_ref id="b"/></resource_set><resource_set id="s2"><resource_ref id="e"/></resource_set></rsc_order>
         <rsc_ticket id="l4" ticket="t"><resource_set id="s3"><resource_ref id="g"/></resource_set></rsc_ticket></constraints>
       <acls><acl_role id="r"><acl_permission id="p" kind="read" reference="a"/></acl_role></acls>`,
      `<resources><group id="h">${primitive('f')}</group></resources>
       <constraints><rsc_order id="l3"><resource_set id="s1"><resource_ref id="f"/></resource_set></rsc_order></constraints>
       <acls><acl_role id="r"><acl_permission id="p" kind="read" xpath="/*[false()]"/></acl_role></acls>`,
    );
    expect(changes).toContain('dropped <primitive id="a" class="nagios" type="x">: nagios resources are no longer supported');
    expect(changes).toContain('dropped <group id="g">: nothing would be in it');
    expect(changes).toContain('dropped <clone id="c">: nothing would be in it');
    expect(changes.filter((change) => change.endsWith('it refers to what was left out'))).toHaveLength(8);
  });
});

describe('readCib', () => {
  it('upgrades, and refuses errors when strict', () => {
    const changes: string[] = [];
    const text = `<cib validate-with="pacemaker-3.0" ${ROOT}><configuration><crm_config/><nodes/><resources><primitive id="a" class="upstart" type="x"/><group id="g" oops="1"/></resources><constraints/></configuration></cib>`;
    expect(readCib(text, { onChange: ({ message }) => changes.push(message) }).document.attributes['validate-with']).toBe('pacemaker-4.0');
    expect(changes[0]).toContain('upstart resources are no longer supported');
    const valid = text.replace(/<group.*?>/, '');
    expect(readCib(valid, { strict: true }).document.name).toBe('cib');
    const broken = text.replace('pacemaker-3.0', 'pacemaker-4.0');
    expect(() => readCib(broken, { strict: true })).toThrow(/line 1, .*"upstart" is not known.*and 2 more/);
  });
});
