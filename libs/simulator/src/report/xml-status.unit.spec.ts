import { readCib, serializeXml } from '@systole/cib';
import { readState } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import { meta, primitive, smallCib, type SmallCib } from '../testing/small-cib.js';
import { statusElement } from './xml-status.js';

const NOW = 1_700_010_000;

/** The elements of a status whose start tag matches. */
function shown(cib: SmallCib, pattern: RegExp, showPending = true): string[] {
  const cluster = readState(smallCib(cib), { now: NOW });
  const lines = serializeXml(statusElement('cluster_status', cluster, showPending, {})).split('\n');
  return lines.filter((line) => pattern.test(line));
}

/** The failures section of a node with these history entries. */
function failures(entries: string): string {
  const cib = readCib(`<cib validate-with="pacemaker-4.0"><configuration><crm_config/><nodes><node id="1" uname="n1"/></nodes>
    <resources>${primitive('db')}</resources><constraints/></configuration>
    <status><node_state id="1" uname="n1" in_ccm="true" crmd="online" join="member" expected="member"><lrm id="1"><lrm_resources>
      <lrm_resource id="db" class="ocf" provider="systole" type="Dummy">${entries}</lrm_resource>
    </lrm_resources></lrm></node_state></status></cib>`);
  const element = statusElement('cluster_status', readState(cib, { now: NOW }), true, { failCounts: true });
  return serializeXml(element).replace(/^[^]*?( *<node_history)/, '$1');
}

const FAILED =
  'operation="monitor" transition-key="1:1:0:x" transition-magic="0:1;1:1:0:x" call-id="3" rc-code="1" op-status="0" interval="10000"';

describe('statusElement', () => {
  it('tells of a start in progress as the role, and of a recurring monitor beside it', () => {
    const resources = primitive('db') + primitive('web');
    const history = [
      { resource: 'db', node: 'n1', task: 'start', pending: true },
      { resource: 'web', node: 'n1', task: 'start' },
      { resource: 'web', node: 'n1', task: 'monitor', interval: 10_000, pending: true },
    ];
    const [db, web] = shown({ nodes: ['n1'], resources, history }, /<resource /);
    expect(db).toMatch(/ role="Starting" .* nodes_running_on="\d">?/);
    expect(db).not.toContain('pending=');
    expect(web).toMatch(/ role="Started" .* pending="Monitoring"/);
    for (const line of shown({ nodes: ['n1'], resources, history }, /<resource /, false)) {
      expect(line).not.toMatch(/Starting|pending=/);
    }
  });

  it('gives a clone without a target role that of its instances', () => {
    const child = primitive('web', meta('web', { 'target-role': 'Stopped' }));
    expect(shown({ nodes: ['n1'], resources: `<clone id="c">${child}</clone>` }, /<clone /)[0]).toContain(' target_role="Stopped"');
    const own = meta('d', { 'target-role': 'Started' });
    expect(shown({ nodes: ['n1'], resources: `<clone id="d">${own}${child}</clone>` }, /<clone /)[0]).toContain(' target_role="Started"');
  });

  it('tells of a failure what is recorded of it', () => {
    expect(
      failures(
        `<lrm_rsc_op id="db_last_failure_0" operation_key="db_monitor_10000" ${FAILED} exit-reason="it broke" last-rc-change="1700000000" exec-time="7" queue-time="1"/>`,
      ),
    ).toBe(`  <node_history/>
  <failures>
    <failure op_key="db_monitor_10000" node="n1" exitstatus="Error occurred" exitreason="it broke" exitcode="1" call="3" status="complete" last-rc-change="2023-11-14 22:13:20Z" queued="1" exec="7" interval="10000" task="monitor"/>
  </failures>
</cluster_status>
`);
  });

  it('names a failure without a key by the id of its entry, and leaves out what is not known', () => {
    expect(failures(`<lrm_rsc_op id="db_monitor_10000" ${FAILED}/>`)).toContain(
      '<failure id="db_monitor_10000" node="n1" exitstatus="Error occurred" exitreason="none" exitcode="1" call="3" status="complete"/>',
    );
  });

  it('has no section for failures when there are none', () => {
    expect(failures('')).toBe('  <node_history/>\n</cluster_status>\n');
  });
});
