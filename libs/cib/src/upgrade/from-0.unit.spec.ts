import { describe, expect, it } from 'vitest';
import { CibRefused } from '../document/cib-refused.js';
import { readCib } from '../document/cib.js';
import { firstChildNamed } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { serializeXml } from '../xml/serialize-xml.js';
import type { UpgradeChange } from './upgrade-log.js';

interface Converted {
  /** The configuration's content, one tag after the other. */
  readonly text: string;
  readonly root: Readonly<Record<string, string>>;
  readonly changes: readonly UpgradeChange[];
  /** `<kind> <message>` of each change. */
  readonly said: readonly string[];
}

function convert(document: string): Converted {
  const changes: UpgradeChange[] = [];
  const { document: cib } = readCib(document, { strict: true, old: 'convert', onChange: (change) => changes.push(change) });
  const configuration = firstChildNamed(cib, 'configuration');
  const lines = configuration === undefined ? [] : serializeXml(configuration).trim().split('\n');
  return {
    text: lines
      .slice(1, -1)
      .map((line) => line.trim())
      .join(''),
    root: cib.attributes,
    changes,
    said: changes.map(({ kind, message }) => `${kind} ${message}`),
  };
}

interface Parts {
  readonly options?: string;
  readonly nodes?: string;
  readonly resources?: string;
  readonly constraints?: string;
}

const FENCING_OFF = '<nvpair id="f" name="stonith-enabled" value="false"/>';

function old({
  options = `<cluster_property_set id="o">${FENCING_OFF}</cluster_property_set>`,
  nodes = '',
  resources = '',
  constraints = '',
}: Parts): string {
  return `<cib validate-with="pacemaker-0.6" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config>${options}</crm_config><nodes>${nodes}</nodes><resources>${resources}</resources><constraints>${constraints}</constraints></configuration></cib>`;
}

function section(text: string, name: string): string {
  return new RegExp(`<${name}>(.*)</${name}>`).exec(text)?.[1] ?? '';
}

/** What became of one section, and what was said of it. */
function of(name: 'crm_config' | 'nodes' | 'resources' | 'constraints', parts: Parts): readonly [string, readonly string[]] {
  const { text, said } = convert(old(parts));
  return [section(text, name), said.filter((line) => !line.includes('validate-with'))];
}

function problemsOf(document: string): readonly string[] {
  try {
    readCib(document, { strict: true, old: 'convert' });
    return [];
  } catch (error) {
    if (!(error instanceof CibRefused)) throw error;
    return error.problems.map(({ path, message }) => `${path} ${message}`);
  }
}

const AB = '<primitive id="a" class="lsb" type="x"/><primitive id="b" class="lsb" type="x"/>';

describe('a document of the Heartbeat 2 generation', () => {
  it('is refused unless it is asked for, as Pacemaker refuses it', () => {
    expect(() => readCib(old({}))).toThrow('no known schema');
    expect(() => readCib('<cib have_quorum="true"><configuration/></cib>')).toThrow('no known schema');
  });

  it.each([
    ['names its schema', old({})],
    [
      'names none',
      old({ resources: '<master_slave id="m"><primitive id="a" class="lsb" type="x"/></master_slave>' }).replace(
        / validate-with="[^"]*"/,
        '',
      ),
    ],
    [
      'asks not to be validated',
      old({ constraints: '<rsc_order id="x" from="a" to="b"/>', resources: AB }).replace('pacemaker-0.6', 'none'),
    ],
  ])('is taken where it %s', (_, document) => {
    expect(convert(document).root['validate-with']).toBe('pacemaker-4.0');
  });

  it('is not looked for in what names a later schema, or has nothing of it', () => {
    expect(problemsOf(old({ resources: '<master_slave id="m"/>' }).replace('0.6', '3.0'))[0]).toContain('<master_slave> is not known');
    expect(() => convert('<cib admin_epoch="0" epoch="1" num_updates="0"><configuration/></cib>')).toThrow('no known schema');
    const none = '<cib validate-with="none"><configuration><foo/></configuration></cib>';
    expect(serializeXml(readCib(none, { old: 'convert' }).document)).toContain('<foo/>');
  });

  it('says nothing of the time in which it was written any more', () => {
    const { root, changes } = convert(
      '<cib have_quorum="yes" dc_uuid="u" num_peers="2" ccm_transition="3" cib_feature_revision="1.3" ignore_dtd="false" generated="true" epoch="5"><configuration/><status><node_state id="u"/></status></cib>',
    );
    expect(root).toEqual({
      'have-quorum': 'true',
      'dc-uuid': 'u',
      epoch: '5',
      admin_epoch: '0',
      num_updates: '0',
      'validate-with': 'pacemaker-4.0',
    });
    expect(changes.filter(({ kind }) => kind === 'dropped').map(({ path, message }) => `${path} ${message.split(':')[0] ?? ''}`)).toEqual([
      '/cib num_peers="2"',
      '/cib ccm_transition="3"',
      '/cib generated="true"',
      '/cib cib_feature_revision="1.3"',
      '/cib ignore_dtd="false"',
      '/cib/status the status is left out, 1 entry in all',
    ]);
  });

  it('has its pairs in the sets themselves, and options by their newer names', () => {
    const [text, said] = of('crm_config', {
      options: `<cluster_property_set id="o"><attributes><nvpair id="p1" name="stonith_enabled" value="true"/><nvpair id="p2" name="no_quorum_policy" value="freeze"/>
        <nvpair id="p3" name="batch_limit" value="3"/><nvpair id="p4" name="short_resource_names" value="true"/></attributes></cluster_property_set>`,
    });
    expect(text).toBe(
      '<cluster_property_set id="o"><nvpair id="p1" name="stonith-enabled" value="true"/><nvpair id="p2" name="no-quorum-policy" value="freeze"/><nvpair id="p3" name="batch-limit" value="3"/></cluster_property_set>',
    );
    expect(said).toEqual([
      'rewritten <attributes> is left out: the pairs in it stand in the set itself now',
      'dropped the option short_resource_names="true": names of resources are never given with their group any more',
      'rewritten the name stonith_enabled is stonith-enabled now',
      'rewritten the name no_quorum_policy is no-quorum-policy now',
      'rewritten the name batch_limit is batch-limit now',
    ]);
  });

  it('has defaults that were options, with infinity in capitals', () => {
    const { text, said } = convert(
      old({
        options: `<cluster_property_set id="o"><attributes>${FENCING_OFF}<nvpair id="d" name="default_resource_stickiness" value="infinity"/></attributes></cluster_property_set>`,
      }),
    );
    expect(section(text, 'rsc_defaults')).toContain('<nvpair id="d" name="resource-stickiness" value="INFINITY"/>');
    expect(said).toContain('rewritten the value "infinity" of default_resource_stickiness is "INFINITY" now');
    expect(said).toContain(
      'rewritten the option default_resource_stickiness="INFINITY" is resource-stickiness="INFINITY" in rsc_defaults now',
    );
  });

  it('keeps fencing off where it said nothing of it, and says so', () => {
    const [text, said] = of('crm_config', { options: '' });
    expect(text).toContain('name="stonith-enabled" value="false"');
    expect(said).toEqual([expect.stringMatching(/^check stonith_enabled was not given/)]);
  });

  it('has pairs of crm_config in a set', () => {
    const [text] = of('crm_config', { options: '<nvpair id="p" name="stonith_enabled" value="1"/>' });
    expect(text).toBe(
      '<cluster_property_set id="cib-bootstrap-options"><nvpair id="p" name="stonith-enabled" value="1"/></cluster_property_set>',
    );
  });

  it('parts meta-attributes from parameters, wherever they stood', () => {
    const [text, said] = of('resources', {
      resources: `<clone id="c" notify="yes" is_managed="default"><instance_attributes id="ci"><attributes><nvpair id="n1" name="clone_max" value="2"/><nvpair id="n2" name="globally_unique" value="false"/></attributes></instance_attributes>
        <primitive id="a" class="ocf" type="x" resource_stickiness="infinity"><instance_attributes id="ai" score="7"><attributes><nvpair id="n3" name="ip" value="10.0.0.1"/><nvpair id="n4" name="target_role" value="stopped"/><nvpair id="n5" name="notify" value="mine"/></attributes></instance_attributes></primitive></clone>`,
    });
    expect(text).toBe(
      '<clone id="c">' +
        '<primitive id="a" class="ocf" type="x" provider="heartbeat"><instance_attributes id="ai" score="7"><nvpair id="n3" name="ip" value="10.0.0.1"/><nvpair id="n5" name="notify" value="mine"/></instance_attributes>' +
        '<meta_attributes id="ai-meta" score="7"><nvpair id="n4" name="target-role" value="Stopped"/></meta_attributes><meta_attributes id="a-meta"><nvpair id="a-resource-stickiness" name="resource-stickiness" value="INFINITY"/></meta_attributes></primitive>' +
        '<meta_attributes id="ci"><nvpair id="n1" name="clone-max" value="2"/><nvpair id="n2" name="globally-unique" value="false"/></meta_attributes>' +
        '<meta_attributes id="c-meta"><nvpair id="c-notify" name="notify" value="yes"/></meta_attributes></clone>',
    );
    expect(said).toContain('rewritten all in it are meta-attributes: <instance_attributes> is <meta_attributes> now');
    expect(said).toContain('rewritten target_role stood among the parameters, and is a meta-attribute now');
    expect(said).toContain('rewritten resource_stickiness="infinity" is the meta-attribute resource-stickiness="INFINITY" now');
    expect(said).toContain('dropped is_managed="default": as if it was not given');
  });

  it('has promotable clones for master_slave', () => {
    const [text] = of('resources', {
      resources:
        '<master_slave id="m" ordered="true"><meta_attributes id="mm"><attributes><nvpair id="n1" name="master_max" value="1"/><nvpair id="n2" name="master_node_max" value="1"/></attributes></meta_attributes><primitive id="a" class="lsb" type="x"><operations><op id="o" name="monitor" interval="5" role="Master"/></operations></primitive></master_slave>',
    });
    expect(text).toContain('<clone id="m">');
    expect(text).toContain('name="promotable" value="true"');
    expect(text).toContain('<nvpair id="n1" name="promoted-max" value="1"/><nvpair id="n2" name="promoted-node-max" value="1"/>');
    expect(text).toContain('role="Promoted"');
    expect(text).toContain('<nvpair id="m-ordered" name="ordered" value="true"/>');
  });

  it('has operations by their newer names, with ids and intervals', () => {
    const [text, said] = of('resources', {
      resources: `<primitive id="a" class="lsb" type="x" on_stopfail="block"><operations><op name="monitor" interval="10s" start_delay="1m" on_fail="nothing" disabled="yes" role="slave"/><op id="s" name="start" prereq="fencing" timeout="9s"/></operations></primitive>`,
    });
    expect(text).toContain(
      '<op id="a-monitor-10s" name="monitor" interval="10s" start-delay="1m" on-fail="ignore" role="Unpromoted" enabled="false"/><op id="s" name="start" timeout="9s" interval="0"/><op id="a-stop-0" name="stop" interval="0" on-fail="block"/>',
    );
    expect(text).toContain('name="requires" value="fencing"');
    for (const part of [
      'start_delay is start-delay',
      'on_fail is on-fail',
      'disabled="yes" is enabled="false"',
      'prereq is requires',
      'on_stopfail="block"',
    ]) {
      expect(said.filter((line) => line.includes(part))).toHaveLength(1);
    }
  });

  it.each([
    ['from="a" to="b"', 'first="b" then="a"'],
    ['from="a" to="b" type="before" symmetrical="no"', 'symmetrical="false" first="a" then="b"'],
    ['from="a" type="after" action="start" to="b" to_action="promote"', 'first="b" first-action="promote" then="a" then-action="start"'],
    [
      'from="a" type="before" action="stop" to="b" to_action="start" score="0"',
      'score="0" first="a" first-action="stop" then="b" then-action="start"',
    ],
    ['first="a" then="b"', 'first="a" then="b"'],
  ])('orders %s as %s', (before, after) => {
    const [text] = of('constraints', { resources: AB, constraints: `<rsc_order id="late" ${before}/>` });
    expect(text).toBe(`<rsc_order id="late" ${after}/>`);
  });

  it('places resources by where others are, one way', () => {
    const [text, said] = of('constraints', {
      resources: AB,
      constraints:
        '<rsc_colocation id="k" from="a" to="b" to_role="master" score="infinity" symmetrical="true"/><rsc_colocation id="l" from="a" to="b" score="-Infinity" symmetrical="false"/>',
    });
    expect(text).toBe(
      '<rsc_colocation id="k" rsc="a" with-rsc="b" with-rsc-role="Promoted" score="INFINITY"/><rsc_colocation id="l" rsc="a" with-rsc="b" score="-INFINITY"/>',
    );
    expect(said.filter((line) => line.startsWith('check'))).toEqual([expect.stringContaining('symmetrical="true" is left out')]);
    expect(said).toContain('dropped symmetrical="false": no colocation is');
  });

  it('keeps rules, and gives one without a condition one that always holds', () => {
    const [text] = of('constraints', {
      resources: AB,
      constraints:
        '<rsc_location id="l1" rsc="a"><rule id="r1" score_attribute="pingd" boolean_op="or"><expression attribute="pingd" operation="defined" value="x"/></rule></rsc_location><rsc_location id="l2" rsc="b"><rule id="r2" score="infinity" role="master"/></rsc_location>',
    });
    expect(text).toBe(
      '<rsc_location id="l1" rsc="a"><rule id="r1" score-attribute="pingd" boolean-op="or"><expression id="r1-expression" attribute="pingd" operation="defined"/></rule></rsc_location>' +
        '<rsc_location id="l2" rsc="b"><rule id="r2" score="INFINITY" role="Promoted"><expression id="r2-everywhere" attribute="#uname" operation="defined"/></rule></rsc_location>',
    );
  });

  it('pings by the agent that is there now, what the ping nodes were', () => {
    const { text, said } = convert(
      old({
        nodes: '<node id="1" uname="n1" type="normal"/><node id="2" uname="10.0.0.254" type="ping"/>',
        resources:
          '<clone id="c"><primitive id="p" class="ocf" provider="heartbeat" type="pingd"><instance_attributes id="i"><attributes><nvpair id="m" name="multiplier" value="100"/><nvpair id="u" name="user" value="root"/></attributes></instance_attributes></primitive></clone>',
      }),
    );
    expect(section(text, 'nodes')).toBe('<node id="1" uname="n1" type="member"/>');
    expect(section(text, 'resources')).toBe(
      '<clone id="c"><primitive id="p" class="ocf" provider="pacemaker" type="ping"><instance_attributes id="i"><nvpair id="m" name="multiplier" value="100"/></instance_attributes><instance_attributes id="p-hosts"><nvpair id="p-host_list" name="host_list" value="10.0.0.254"/></instance_attributes><operations><op id="p-monitor-10s" name="monitor" interval="10s" timeout="60s"/></operations></primitive></clone>',
    );
    expect(said.filter((line) => line.startsWith('check'))).toHaveLength(2);
    expect(said.filter((line) => line.startsWith('dropped'))).toEqual([
      expect.stringContaining('<node id="2" uname="10.0.0.254" type="ping">: it was pinged'),
      expect.stringContaining('user="root"'),
    ]);
  });

  it('has ids that are XML ids and unique, and references that follow', () => {
    const { text, said } = convert(
      old({
        resources:
          '<primitive id="10.0.0.1" class="lsb" type="x"><instance_attributes id="1"><attributes><nvpair id="1" name="x" value="1"/><nvpair id="b" name="y" value="1"/></attributes></instance_attributes></primitive><primitive id="b" class="lsb" type="x"/>',
        constraints: '<rsc_colocation id="b" from="10.0.0.1" to="b" score="INFINITY"/>',
      }),
    );
    expect(section(text, 'resources')).toBe(
      '<primitive id="_10.0.0.1" class="lsb" type="x"><instance_attributes id="_1"><nvpair id="_1-2" name="x" value="1"/><nvpair id="b-2" name="y" value="1"/></instance_attributes></primitive><primitive id="b" class="lsb" type="x"/>',
    );
    expect(section(text, 'constraints')).toBe('<rsc_colocation id="b-3" rsc="_10.0.0.1" with-rsc="b" score="INFINITY"/>');
    expect(said).toContain('rewritten the id "10.0.0.1" is "_10.0.0.1" now: it was no XML id');
    expect(said).toContain('rewritten the id "b" is "b-3" now: another element has it');
    expect(said).toContain('rewritten rsc="10.0.0.1" is "_10.0.0.1" now, as what it refers to');
  });

  it('tells where each change was, in the document as it was read', () => {
    const { changes } = convert(old({ resources: AB, constraints: '\n<rsc_order id="o" from="a" to="b"/>' }));
    expect(changes.find(({ element }) => element === 'rsc_order')).toMatchObject({
      path: "/cib/configuration/constraints/rsc_order[@id='o']",
      id: 'o',
      line: 2,
    });
  });

  it('is refused where it says two things at once, with all of it', () => {
    const problems = problemsOf(
      old({
        resources: `<primitive id="a" class="lsb" type="x"><meta_attributes id="m"><nvpair id="n1" name="is_managed" value="true"/><nvpair id="n2" name="is-managed" value="false"/></meta_attributes>
          <operations><op id="o" name="start" interval="0" start_delay="1" start-delay="2" disabled="perhaps"/></operations></primitive>`,
        constraints:
          '<rsc_order id="o1" from="a" to="gone" first="a"/><rsc_order id="o2" from="a"/><rsc_order id="o3" from="a" to="a" type="during"/><rsc_colocation id="k" from="a" rsc="b" to="gone" score="1"/>',
      }),
    );
    const told = problems.join('\n');
    for (const part of [
      'nvpair[@id=\'n1\'] name: is_managed is "true", and is-managed, the newer name of the same, is "false"',
      'start_delay: says "1", and start-delay',
      'disabled: "perhaps" is no boolean',
      'from: from="a" to="gone" is given beside first',
      'from: from="a": an order needs both from and to',
      'type="during": the type is neither before nor after',
      'from: says "a", and rsc, the newer name of the same, says "b"',
      'with-rsc: nothing has the id "gone"',
    ]) {
      expect(told).toContain(part);
    }
  });

  it('comes out of a second conversion as it is', () => {
    const document = old({
      nodes:
        '<node id="1" uname="n1"><instance_attributes id="x"><attributes><nvpair id="s" name="standby" value="off"/></attributes></instance_attributes></node>',
      resources: `<group id="g" collocated="false"><primitive id="a" class="ocf" type="pingd"/><primitive id="b" class="heartbeat" type="IPaddr" provider="x"/></group>`,
      constraints: '<rsc_order id="o" from="a" to="b"/>',
    });
    const once = readCib(document, { old: 'convert' }).document;
    const changes: UpgradeChange[] = [];
    const again = readCib(serializeXml(once).replace('pacemaker-4.0', 'pacemaker-0.6'), {
      old: 'convert',
      onChange: (change) => changes.push(change),
    });
    expect(serializeXml(again.document)).toBe(serializeXml(once));
    expect(changes.map(({ message }) => message)).toEqual([expect.stringContaining('validate-with')]);
  });

  it('gives ten thousand elements of one id other ones in no long time', () => {
    const pairs = Array.from({ length: 10_000 }, (_, number) => `<nvpair id="1" name="x${String(number)}" value="1"/>`).join('');
    const { text } = convert(
      old({
        resources: `<primitive id="a" class="lsb" type="x"><instance_attributes id="i"><attributes>${pairs}</attributes></instance_attributes></primitive>`,
      }),
    );
    expect(text).toContain('_1-10000');
  }, 20_000);

  it('is read like any other: no bombs, no depth without end', () => {
    expect(() => convert('<!DOCTYPE cib [<!ENTITY a "b">]><cib have_quorum="true"><configuration/></cib>')).toThrow();
    expect(() => convert(old({ resources: '<group id="g">'.repeat(400) + '</group>'.repeat(400) }))).toThrow();
    expect(parseXml('<cib/>').name).toBe('cib');
  });
});
