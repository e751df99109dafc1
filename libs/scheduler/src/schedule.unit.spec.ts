import { readCib, serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { scoreEntries } from './project-run.js';
import { run } from './run.js';
import { schedule } from './schedule.js';

const cib = readCib(`<cib validate-with="pacemaker-4.0" have-quorum="1" admin_epoch="0" epoch="1" num_updates="0">
  <configuration>
    <crm_config><cluster_property_set id="o"><nvpair id="o1" name="fencing-enabled" value="false"/></cluster_property_set></crm_config>
    <nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>
    <resources><primitive id="db" class="ocf" provider="acme" type="Db"/></resources>
    <constraints><rsc_location id="l" rsc="db" node="n2" score="50"/></constraints>
  </configuration>
  <status>
    <node_state id="1" uname="n1" in_ccm="true" crmd="online" join="member" expected="member"/>
    <node_state id="2" uname="n2" in_ccm="true" crmd="online" join="member" expected="member"/>
  </status>
</cib>`);

describe('schedule', () => {
  it('probes everywhere and starts a resource where it is preferred', () => {
    const { graph, resources, actions } = schedule(cib, { now: 1700000000 });
    expect(resources[0]).toMatchObject({ id: 'db', assignedTo: 'n2', nextRole: 'Started' });
    expect(graph.synapses.map(({ action }) => `${action.operationKey} ${action.node?.name ?? ''}`)).toEqual([
      'db_start_0 n2',
      'db_monitor_0 n2',
      'db_monitor_0 n1',
    ]);
    expect(actions).toEqual([{ resource: 'db', operation: 'start', node: 'n2' }]);
  });

  it('lists actions as they will happen: a group is stopped from its end, before it is started elsewhere', () => {
    const ran = (id: string): string =>
      `<lrm_resource id="${id}" class="ocf" provider="acme" type="Db"><lrm_rsc_op id="${id}-1" operation_key="${id}_start_0" operation="start" call-id="1" rc-code="0" op-status="0" interval="0" transition-key="1:1:0:u" transition-magic="0:0;1:1:0:u"/></lrm_resource>`;
    const primitive = '<primitive id="db" class="ocf" provider="acme" type="Db"/>';
    const text = serializeXml(cib.document)
      .replace(primitive, `<group id="g">${primitive}${primitive.replace('"db"', '"web"')}</group>`)
      .replace('rsc="db"', 'rsc="g"')
      .replace(
        /(<node_state id="1"[^>]*)\/>/,
        `$1><lrm id="1"><lrm_resources>${ran('db')}${ran('web')}</lrm_resources></lrm></node_state>`,
      );
    expect(schedule(readCib(text), { now: 1 }).actions.map(({ operation, resource, node }) => `${operation} ${resource} ${node}`)).toEqual([
      'stop web n1',
      'stop db n1',
      'start db n2',
      'start web n2',
    ]);
  });

  it('says of a guest whether it is there now, not whether it may be once its connection is there', () => {
    const entry = (of: string, operation: string, interval: number, rc: number, call: number): string => {
      const key = `1:1:0:u`;
      return `<lrm_rsc_op id="${of}_${operation}_${String(interval)}" operation_key="${of}_${operation}_${String(interval)}" operation="${operation}" call-id="${String(call)}" rc-code="${String(rc)}" op-status="0" interval="${String(interval)}" transition-key="${key}" transition-magic="0:${String(rc)};${key}"/>`;
    };
    const history = (of: string, agent: string, rc: number): string =>
      `<lrm_resource id="${of}" ${agent}>${entry(of, 'start', 0, 0, 1)}${entry(of, 'monitor', 1_000, rc, 2)}</lrm_resource>`;
    const agent = 'class="ocf" provider="acme" type="Db"';
    const guest = (rc: number, managed: boolean) => {
      const meta = `<meta_attributes id="m"><nvpair id="m1" name="remote-node" value="guest"/><nvpair id="m2" name="is-managed" value="${String(managed)}"/></meta_attributes>`;
      const histories = history('vm', agent, rc) + history('guest', 'class="ocf" provider="pacemaker" type="remote"', rc === 0 ? 0 : 1);
      const text = serializeXml(cib.document)
        .replace('<primitive id="db"', `<primitive id="vm" ${agent}>${meta}</primitive><primitive id="db"`)
        .replace(/(<node_state id="1"[^>]*)\/>/, `$1><lrm id="1"><lrm_resources>${histories}</lrm_resources></lrm></node_state>`)
        .replace('</status>', '<node_state id="guest" uname="guest" remote_node="true"/></status>');
      return schedule(readCib(text), { now: 1 }).nodes.find(({ name }) => name === 'guest');
    };
    expect(guest(0, true)).toMatchObject({ kind: 'guest', online: true });
    expect(guest(7, true), 'it is to be started again').toMatchObject({ online: false });
    expect(guest(7, false), 'it is left as it is').toMatchObject({ online: false });
  });

  it('passes a parameter of any name on, in the order of the bytes of all names', () => {
    const pairs = ['path', '__proto__', 'Zone'].map((name) => `<nvpair id="p-${name}" name="${name}" value="x"/>`).join('');
    const primitive = '<primitive id="db" class="ocf" provider="acme" type="Db"';
    const text = serializeXml(cib.document).replace(
      `${primitive}/>`,
      `${primitive}><instance_attributes id="p">${pairs}</instance_attributes></primitive>`,
    );
    const [start] = schedule(readCib(text), { now: 1 }).graph.synapses;
    expect(Object.entries(start?.action.attributes ?? {})).toEqual([
      ['CRM_meta_on_node', 'n2'],
      ['CRM_meta_on_node_uuid', '2'],
      ['CRM_meta_timeout', '20000'],
      ['Zone', 'x'],
      ['__proto__', 'x'],
      ['crm_feature_set', '3.20.5'],
      ['path', 'x'],
    ]);
  });

  it('gives the same result, byte for byte, each time', () => {
    expect(JSON.stringify(schedule(cib, { now: 1 }))).toBe(JSON.stringify(schedule(cib, { now: 1 })));
  });

  it('leaves the score listing out when it is not wanted', () => {
    expect(schedule(cib, { now: 1, scores: false }).scores).toEqual([]);
  });

  it('refuses a listing of more lines than are wanted, before it makes them', () => {
    const { cluster } = run(cib, { now: 1 });
    expect(scoreEntries(cluster, 2)).toHaveLength(2);
    expect(() => schedule(cib, { now: 1, mostScores: 1 })).toThrow('the score listing has 2 lines, more than 1: leave it out');
  });
});
