import { describe, expect, it } from 'vitest';
import { DEFAULT_SECTIONS } from '@systole/simulator';
import { runTool } from '../run-tool.js';
import { performMonitor, type MonitorForm } from './tasks.js';

/** What a terminal obeys, what turns the direction of text, and what ends a line: each as XML carries it. */
const STEERING = /[\u007f-\u009f\u202e\u2028\u2029\r]/;
const EVIL = 'no&#x9b;31mpe&#x202e;evil&#x2028;two&#10;Online: [ n9 ]&#13;&#x85;';

const CIB = `<cib validate-with="none" epoch="1" num_updates="0" admin_epoch="0"><configuration><crm_config/><nodes><node id="1" uname="n1"/><node id="2" uname="n&#x202e;2"/></nodes>
<resources><primitive id="db" class="ocf" provider="heartbeat" type="Dummy"/></resources><constraints/></configuration>
<status><node_state id="1" uname="n1" in_ccm="true" crmd="online" join="member" expected="member"><lrm id="1"><lrm_resources><lrm_resource id="db" class="ocf" provider="heartbeat" type="Dummy">
<lrm_rsc_op id="db_last_failure_0" operation_key="db_start_0" operation="start" call-id="3" rc-code="1" op-status="0" interval="0" transition-key="1:1:0:00000000-0000-4000-8000-000000000000" transition-magic="0:1;1:1:0:00000000-0000-4000-8000-000000000000" exit-reason="${EVIL}" on_node="n1" last-rc-change="1700000000"/>
</lrm_resource></lrm_resources></lrm></node_state></status></cib>`;

const shown = (form: MonitorForm): string => performMonitor({ cib: CIB, now: 1_700_000_100, request: 'crm_mon', form }).text;

describe('what strangers wrote, in the text of a tool', () => {
  it.each<[string, MonitorForm]>([
    ['crm_mon', { kind: 'text', sections: [...DEFAULT_SECTIONS], options: {} }],
    ['crm_mon -s', { kind: 'line' }],
    ['crm_resource -l', { kind: 'resources', question: { about: 'list' } }],
    ['crm_resource -O', { kind: 'resources', question: { about: 'operations', isAll: true } }],
    ['crm_resource --why', { kind: 'resources', question: { about: 'why' } }],
  ])('steers no terminal and makes no line of its own: %s', (_, form) => {
    const text = shown(form);
    expect(text).not.toMatch(STEERING);
    expect(text.split('\n').some((line) => line.startsWith('Online: [ n9 ]'))).toBe(false);
  });

  it('is shown all the same', () => {
    const text = shown({ kind: 'text', sections: [...DEFAULT_SECTIONS], options: {} });
    expect(text).toContain('no\ufffd31mpe\ufffdevil ↵ two ↵ Online: [ n9 ] ↵ ');
    expect(text).toContain('n\ufffd2');
  });

  it('stays as it is in XML', () => {
    expect(shown({ kind: 'xml' })).toContain('n\u202e2');
  });

  it('steers none in what a tool complains of', async () => {
    const evil = 'x\u009b31m\u202e\u2028';
    const cluster = new Proxy({}, { get: () => undefined }) as never;
    const { stderr } = await runTool({ tool: 'crm_mon', args: [evil], env: {} }, cluster);
    expect(stderr).toContain("'x\ufffd31m\ufffd ↵ '");
    expect(stderr).not.toMatch(STEERING);
  });
});
