import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentUnderTest } from '../testing/agent-under-test.js';
import { until } from '../testing/agent-process.js';

const under = agentUnderTest();

/** Debian's pacemaker-resource-agents. */
const CLUSTER_MON = '/usr/lib/ocf/resource.d/pacemaker/ClusterMon';

const cibWith = (
  operations: string,
): string => `<cib validate-with="none" have-quorum="1"><configuration><crm_config/><nodes><node id="1" uname="n1"/></nodes>
  <resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources><constraints/></configuration><status>
  <node_state id="1" uname="n1" crmd="online" in_ccm="true" join="member" expected="member"><lrm id="1"><lrm_resources>
  <lrm_resource id="db" class="ocf" provider="systole" type="Dummy">${operations}</lrm_resource></lrm_resources></lrm></node_state></status></cib>`;
const operation = (call: number, rc: number): string =>
  `<lrm_rsc_op id="db_last_0" operation_key="db_start_0" operation="start" call-id="${call}" rc-code="${rc}" op-status="0" interval="0"
    transition-key="1:1:0:9f1e8d6e-1111-4222-8333-444455556666" transition-magic="0:${rc};1:1:0:9f1e8d6e-1111-4222-8333-444455556666"/>`;

describe.runIf(existsSync(CLUSTER_MON) || process.env['CI'] === 'true')("Debian's ocf:pacemaker:ClusterMon", () => {
  it('keeps a page of the status, tells a program of operations, and stops', async () => {
    const { server, node } = under;
    server.cib = cibWith('');
    node.start();
    const page = join(node.directory, 'page.html');
    const told = join(node.directory, 'told');
    const program = join(node.directory, 'told.sh');
    writeFileSync(
      program,
      `#!/bin/sh\necho "$CRM_notify_recipient $CRM_notify_node $CRM_notify_rsc $CRM_notify_task $CRM_notify_rc $CRM_notify_target_rc $CRM_notify_desc" >>'${told}'\n`,
      { mode: 0o755 },
    );
    const pidFile = join(node.directory, 'mon.pid');
    const order = {
      resource: { id: 'mon', historyId: 'mon', class: 'ocf', provider: 'pacemaker', type: 'ClusterMon' },
      parameters: { htmlfile: page, pidfile: pidFile, update: '1', extra_options: `-E ${program} -e ops@example.org` },
    };
    expect(await under.run('mon', 'monitor', { ...order, expectedRc: 7 })).toMatchObject({ rc: 7 });
    expect(await under.run('mon', 'start', order)).toMatchObject({ rc: 0 });
    const text = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    await until(() => text(page).includes('No active resources'), 'the page is written');
    expect(await under.run('mon', 'monitor', order)).toMatchObject({ rc: 0 });
    server.cib = cibWith(operation(3, 0));
    await until(() => text(page).includes('Started n1'), 'the page follows');
    server.cib = cibWith(operation(4, 1));
    await until(() => text(told).split('\n').length > 2, 'the program was told');
    expect(text(told)).toBe('ops@example.org n1 db start 0 0 ok\nops@example.org n1 db start 1 0 error\n');
    expect(await under.run('mon', 'stop', order)).toMatchObject({ rc: 0 });
    expect(await under.run('mon', 'monitor', { ...order, expectedRc: 7 })).toMatchObject({ rc: 7 });
  });
});
