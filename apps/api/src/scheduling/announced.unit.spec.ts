import { describe, expect, it } from 'vitest';
import { pictureOf } from '../computing/schedule-task.js';

const member = (id: string, history: string): string =>
  `<node_state id="${id}" uname="n${id}" in_ccm="true" crmd="online" join="member" expected="member"><lrm id="${id}"><lrm_resources>${history}</lrm_resources></lrm></node_state>`;
const seen = (id: string, rc: number, operation = rc === 7 ? 'monitor' : 'start'): string =>
  `<lrm_resource id="${id}" class="ocf" provider="acme" type="Db"><lrm_rsc_op id="${id}_last_0" operation_key="${id}_${operation}_0" op-digest="f2317cad3d54cec5d7d7aa7d0bf35cf8" operation="${operation}" interval="0" rc-code="${rc}" op-status="0" call-id="1" transition-key="1:1:${rc}:x" transition-magic="0:${rc};1:1:${rc}:x"/></lrm_resource>`;
const NONE = seen('db', 7);

const pictureWith = (given: { readonly policy?: string; readonly quorum?: 0 | 1; readonly history: readonly [string, string] }) =>
  pictureOf({
    now: 1_800_000_000,
    cib: {
      format: 'xml',
      text: `<cib validate-with="pacemaker-4.0" have-quorum="${given.quorum ?? 1}" admin_epoch="0" epoch="1" num_updates="0"><configuration>
        <crm_config><cluster_property_set id="o"><nvpair id="o1" name="stonith-enabled" value="false"/>
          <nvpair id="o2" name="no-quorum-policy" value="${given.policy ?? 'stop'}"/></cluster_property_set></crm_config>
        <nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>
        <resources><group id="g"><primitive id="db" class="ocf" provider="acme" type="Db"/></group></resources>
        <constraints><rsc_location id="l" rsc="db" node="n2" score="INFINITY"/></constraints></configuration>
        <status>${member('1', given.history[0])}${member('2', given.history[1])}</status></cib>`,
    },
  });
const shown = (given: Parameters<typeof pictureWith>[0]): string => {
  const [group] = pictureWith(given).resources;
  const [db] = group?.children ?? [];
  return `${group?.role ?? ''}>${group?.nextRole ?? ''} ${db?.role ?? ''}>${db?.nextRole ?? ''} ${db?.activeOn.join() ?? ''}>${db?.assignedTo ?? ''}`;
};

describe('what is announced', () => {
  it('is a start, a move and that nothing changes', () => {
    expect(shown({ history: [NONE, NONE] })).toBe('Stopped>Started Stopped>Started >n2');
    expect(shown({ history: [seen('db', 0), NONE] })).toContain('Started>Started n1>n2');
    expect(shown({ history: [NONE, seen('db', 0)] })).toBe('Started>Started Started>Started n2>n2');
  });

  it.each([
    ['stop', 'Stopped>Stopped Stopped>Stopped >'],
    ['freeze', 'Stopped>Stopped Stopped>Stopped >'],
    ['demote', 'Stopped>Stopped Stopped>Stopped >'],
    ['suicide', 'Stopped>Stopped Stopped>Stopped >'],
    ['ignore', 'Stopped>Started Stopped>Started >n2'],
  ])('is no start that quorum is missing for (%s)', (policy, expected) => {
    expect(shown({ policy, quorum: 0, history: [NONE, NONE] })).toBe(expected);
  });

  it.each([
    ['stop', 'Stopped n2>'],
    ['demote', 'Stopped n2>'],
    ['freeze', 'Started n2>n2'],
  ])('is of what runs without quorum only what the policy does (%s)', (policy, expected) => {
    expect(shown({ policy, quorum: 0, history: [NONE, seen('db', 0)] })).toContain(`Started>${expected}`);
  });

  it('leaves where it is what can not be moved', () => {
    const stuck = seen('db', 0).replace(
      '</lrm_resource>',
      '<lrm_rsc_op id="db_last_failure_0" operation_key="db_stop_0" operation="stop" interval="0" rc-code="1" op-status="0" call-id="2" transition-key="2:1:0:x" transition-magic="0:1;2:1:0:x"/></lrm_resource>',
    );
    expect(shown({ history: [stuck, NONE] })).toBe('Started>Started Started>Started n1>n1');
  });

  it('names the nodes that are still to be asked whether the resource runs there', () => {
    expect(pictureWith({ history: ['', NONE] }).probes).toEqual([{ resource: 'db', node: 'n1' }]);
    expect(pictureWith({ quorum: 0, history: ['', ''] }).probes).toHaveLength(2);
    expect(pictureWith({ history: [NONE, NONE] }).probes).toEqual([]);
  });
});
