import type { ToolRequest } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import type { Caller } from './caller.js';
import { fileOf } from './input.js';
import { runTool } from './run-tool.js';
import type { ToolResult } from './tool.js';

const cib = (targetRole: string): string => `<cib validate-with="pacemaker-3.9" have-quorum="1" epoch="1" num_updates="0" admin_epoch="0">
  <configuration>
    <crm_config><cluster_property_set id="o"><nvpair id="o1" name="stonith-enabled" value="false"/></cluster_property_set></crm_config>
    <nodes><node id="1" uname="n1"/></nodes>
    <resources><primitive id="db" class="ocf" provider="systole" type="Dummy">${targetRole}</primitive></resources>
    <constraints><rsc_location id="cli-ban-db-on-n2" rsc="db" node="n2" score="-INFINITY"/></constraints>
  </configuration>
  <status><node_state id="1" uname="n1" crmd="online" in_ccm="true" join="member" expected="member"><lrm id="1"><lrm_resources>
    <lrm_resource id="db" type="Dummy" class="ocf" provider="systole">
      <lrm_rsc_op id="db_last_0" operation="OPERATION" interval="0" call-id="3" rc-code="CODE" op-status="0" transition-key="1:1:CODE:u" transition-magic="0:CODE;1:1:CODE:u"/>
    </lrm_resource></lrm_resources></lrm></node_state></status>
</cib>`;
const inState = (operation: string, code: string, targetRole = ''): string =>
  cib(targetRole).replaceAll('OPERATION', operation).replaceAll('CODE', code);
const RUNNING = inState('start', '0');
const STOPPED = inState('stop', '0');
const MONITORED = '<operations><op id="db-monitor" name="monitor" interval="10s"/></operations>';
const IN_PROGRESS =
  '<lrm_rsc_op id="db_monitor_10000" operation="monitor" interval="10000" call-id="-1" rc-code="193" op-status="-1" transition-key="2:1:0:u" transition-magic="-1:193;2:1:0:u"/>';

/** Runs a command line; the cluster is what `states` says, one after each request that changes it. */
async function call(
  args: readonly string[],
  ...states: readonly string[]
): Promise<ToolResult & { readonly requests: readonly ToolRequest[] }> {
  const requests: ToolRequest[] = [];
  const [tool = '', ...rest] = args;
  const ended = await runTool(
    { tool, args: rest, env: {} },
    {
      node: 'n1',
      nodeId: '1',
      clusterName: 'west',
      setAttributes: () => Promise.reject(new Error('no attribute is set through this')),
      transient: { read: () => Promise.resolve([]), own: { get: () => undefined, names: [], set: () => Promise.resolve() } },
      cib: () => Promise.resolve(states[Math.min(requests.length, states.length - 1)] ?? RUNNING),
      request: (request) => {
        requests.push(request);
        return Promise.resolve({ changed: true });
      },
    },
  );
  return { ...ended, requests };
}

describe('what people type', () => {
  it('restarts a resource, and waits for both halves', async () => {
    const { stdout, exitCode, requests } = await call(['crm_resource', '--restart', '-r', 'db', '-T', '20s'], RUNNING, STOPPED, RUNNING);
    expect(requests).toEqual([
      { ask: 'begin-restart', resource: 'db', seconds: 20 },
      { ask: 'end-restart', resource: 'db' },
    ]);
    expect({ stdout, exitCode }).toEqual({
      stdout: 'Waiting for 1 resources to stop:\n * db\nWaiting for 1 resources to start again:\n * db\n',
      exitCode: 0,
    });
  });

  it('lets go of what does not stop in time', async () => {
    const { exitCode, requests } = await call(['crm_resource', '--restart', '-r', 'db', '-T', '1'], RUNNING);
    expect({ exitCode, asks: requests.map(({ ask }) => ask) }).toEqual({ exitCode: 124, asks: ['begin-restart', 'end-restart'] });
  });

  it.each([
    [['crm_resource', '--restart', '-r', 'db'], STOPPED, 105, 'db is not running anywhere'],
    [['crm_resource', '--restart', '-r', 'none'], RUNNING, 105, "Resource 'none' not found"],
    [['crm_resource', '--restart'], RUNNING, 64, 'Must supply a resource id'],
    [['crm_resource', '--restart', '-r', 'db', '-N', 'n1'], RUNNING, 3, 'everywhere'],
    [['crm_resource', '--wait', '-T', 'soon'], RUNNING, 64, '--timeout is a time'],
    [['crm_resource', '--wait', '-T', '1'], STOPPED, 124, '* db start on n1'],
    [['crm_resource', '--fail', '-r', 'db'], RUNNING, 64, 'Must supply a node name with -N'],
    [['crm_resource', '--ban', '--cleanup', '-r', 'db'], RUNNING, 64, 'one thing at a time: --ban, --cleanup'],
    [['cibadmin', '-Q', '-D', '-X', '<primitive id="db"/>'], RUNNING, 64, 'one thing at a time: --query, --delete'],
    [['crm_attribute', '-n', 'x', '-v', '1', '-D'], RUNNING, 64, 'one thing at a time: --update, --delete'],
    [['crm_master', '-r', 'db', '-v', '1', '-D'], RUNNING, 64, 'one thing at a time'],
    [['crm_ticket', '-t', 'T', '-g', '-r', '--force'], RUNNING, 64, 'one thing at a time: --grant, --revoke'],
    [['crm_ticket', '-t', 'T', '-q', '-s'], RUNNING, 64, 'one thing at a time: --query-xml, --standby'],
    [['crm_failcount', '-r', 'db', '-N', 'n1', '-G', '-D'], RUNNING, 64, 'one thing at a time: --query, --delete'],
    [['crm_standby', '-N', 'n1', '-v', 'on', '-D'], RUNNING, 64, 'one thing at a time: --update, --delete'],
    [['crm_resource', '-L', '--output-as=json'], RUNNING, 1, 'Unknown output format'],
    [['crm_resource', '--nonsense'], RUNNING, 64, 'Unknown option --nonsense'],
    [['crm_resource', 'db'], RUNNING, 64, '[1 of 1] db'],
    [['crm_resource', '-D', '-r', 'none', '-t', 'primitive'], RUNNING, 105, "Resource 'none' not found"],
    [['crm_resource', '-D', '-r', 'db'], RUNNING, 64, 'resource type'],
    [['crm_resource', '-D', '-r', 'db', '-t', 'thing'], RUNNING, 64, 'no resource type thing'],
    [['crm_shadow', '-w'], RUNNING, 105, 'No active shadow configuration defined'],
    [['crm_shadow', '-b', '-c', '../x'], RUNNING, 64, 'no name of a shadow copy'],
    [['crm_shadow', '-w', '-d'], RUNNING, 64, 'one only'],
    [['crm_rule', '-r', 'x'], RUNNING, 64, 'No mode operation given'],
    [['crm_rule', '-c', '-r', 'none'], RUNNING, 105, 'Rule not found'],
    [['crm_rule', '-c', '-r', 'x', '-d', 'nonsense'], RUNNING, 65, 'Invalid date specified'],
    [['cibadmin', '--bump'], RUNNING, 3, 'version of its own'],
    [['cibadmin', '--patch'], RUNNING, 64, 'XML is needed'],
    [['stonith_admin', '-F', 'n1', '-B', 'n2'], RUNNING, 64, 'one thing at a time: --fence, --reboot'],
    [['crm_diff', '-O', 'no xml', '-N', '<a/>'], RUNNING, 65, 'Could not parse the first XML fragment'],
    [['iso8601', '-d', 'nonsense'], RUNNING, 2, 'Invalid date/time specified: nonsense'],
    [['iso8601', '-D', 'nonsense'], RUNNING, 2, 'Invalid duration specified: nonsense'],
    [['iso8601', '-p', 'nonsense'], RUNNING, 2, 'Invalid interval specified: nonsense'],
  ])('%j is refused', async (args, state, exitCode, words) => {
    const ended = await call(args, state);
    expect(ended).toMatchObject({ exitCode, stderr: expect.stringContaining(words) as string, requests: [] });
  });

  it('waits for nothing where nothing is to be done', async () => {
    const off = '<meta_attributes id="m"><nvpair id="m1" name="target-role" value="Stopped"/></meta_attributes>';
    expect(await call(['crm_resource', '--wait'], inState('monitor', '7', off))).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it.each([
    ['a recurring monitor that is still to begin', inState('start', '0', MONITORED)],
    ['an operation that is in progress', inState('start', '0', MONITORED).replace('</lrm_resource>', `${IN_PROGRESS}</lrm_resource>`)],
  ])('waits for %s', async (_what, state) => {
    const ended = await call(['crm_resource', '--wait', '-T', '1'], state);
    expect(ended).toMatchObject({ exitCode: 124, stderr: expect.stringContaining('* db monitor on n1') as string });
  });

  it('waits for no operation of a node that is not there', async () => {
    const state = RUNNING.replace('</lrm_resource>', `${IN_PROGRESS}</lrm_resource>`).replace(
      'crmd="online" in_ccm="true" join="member"',
      'crmd="offline" in_ccm="false" join="down"',
    );
    expect(await call(['crm_resource', '--wait', '-T', '1'], state)).toMatchObject({ exitCode: 0 });
  });

  it.each([
    [
      ['cibadmin', '--patch', '-X', '<diff format="2"/>'],
      { ask: 'change-document', changes: [{ operation: 'patch', xml: '<diff format="2"/>' }] },
    ],
    [
      ['crm_resource', '-D', '-r', 'db', '-t', 'primitive'],
      { ask: 'change-document', changes: [{ operation: 'delete', xml: '<primitive id="db"/>\n' }] },
    ],
    [
      ['crm_resource', '-r', 'db', '-t', 'primitive', '-S', 'description', '-v', 'a<b'],
      { ask: 'change-document', changes: [{ operation: 'modify', xml: '<primitive id="db" description="a&lt;b"/>\n' }] },
    ],
    [['crm_failcount', '-D', '-r', 'db'], { ask: 'clean-up', resource: 'db', node: 'n1' }],
    [['stonith_admin', '-B', 'n2'], { ask: 'fence', node: 'n2', action: 'reboot' }],
  ])('%j is asked for', async (args, request) => {
    expect(await call(args, RUNNING)).toMatchObject({ exitCode: 0, requests: [request] });
  });

  it('says which constraints a clear has taken away', async () => {
    const without = RUNNING.replace(/<rsc_location[^>]*>/, '');
    expect((await call(['crm_resource', '--clear', '-r', 'db'], RUNNING, without)).stdout).toBe('Removing constraint: cli-ban-db-on-n2\n');
  });

  it('includes what is said after all was excluded, and the other way round nothing', async () => {
    const shown = await call(['crm_mon', '-1', '--exclude=all', '--include=nodes'], RUNNING);
    expect(shown.stdout).toContain('* Online: [ n1 ]');
    expect(shown.stdout).not.toContain('Cluster Summary');
    expect((await call(['crm_mon', '-1', '--include=nodes', '--exclude=all'], RUNNING)).stdout).not.toContain('n1');
  });

  it.each([
    [['-d', '2005-040'], 'Date: 2005-02-09 00:00:00Z\n'],
    [['-d', '2005-W06-4T01:02:03Z', '-W'], 'Date: 2005-W06-4 01:02:03Z\n'],
    [['-d', '2005-040', '-O'], 'Date: 2005-040 00:00:00Z\n'],
    [['-d', '2005-040', '-s'], 'Date: 63243504000\n'],
    [['-d', '2005-040', '-S'], 'Date: 1107907200\n'],
    [['-p', '2005-02-09T00:00:00Z/P1M'], 'Period: 2005-02-09 00:00:00Z to 2005-03-09 00:00:00Z\n'],
    [['-D', 'P1Y2M3DT4H5M6S'], 'Duration:    1 year  2 months  3 days 14706 seconds (4 hours 5 minutes 6 seconds)\n'],
    [['-D', 'P4W'], 'Duration: 28 days \n'],
  ])('iso8601 %j', async (args, stdout) => {
    expect(await call(['iso8601', ...args], RUNNING)).toMatchObject({ exitCode: 0, stdout });
  });

  it('compares a date with what is expected', async () => {
    expect(await call(['iso8601', '-d', '2005-01-31', '-D', 'P1M', '-E', '2005-02-28 00:00:00Z'])).toMatchObject({ exitCode: 0 });
    expect(await call(['iso8601', '-d', '2005-01-31', '-E', 'another'])).toMatchObject({ exitCode: 1 });
  });

  it('tells the difference of two documents, and applies it', async () => {
    expect(await call(['crm_diff', '-O', '<a id="1"/>', '-N', '<a id="1"/>'])).toMatchObject({ exitCode: 0, stdout: '' });
    const changed = await call(['crm_diff', '-u', '-O', '<a><b id="1"/></a>', '-N', '<a/>']);
    expect(changed).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining(`<change operation="delete" path="/a/b[@id='1']"/>`) as string,
    });
  });

  it('reads standard input where a file is to be named, as crmsh asks crm_diff', async () => {
    const caller = { stdin: () => Promise.resolve('<a id="1"/>') } as Caller;
    expect(await fileOf({ caller }, '-')).toBe('<a id="1"/>');
    await expect(fileOf({}, '-')).rejects.toThrow('there is no standard input here');
  });

  it('writes into a file in the place of the cluster what is of the configuration', async () => {
    const files: [string, string][] = [];
    const gone = new AbortController().signal;
    const unused = (): never => {
      throw new Error('not needed');
    };
    const read = (): Promise<string> => Promise.resolve(files.at(-1)?.[1] ?? RUNNING);
    const caller = {
      stdin: unused,
      read,
      write: unused,
      detach: unused,
      run: unused,
      gone,
      file: unused,
      create: unused,
      remove: unused,
      overwrite: (path: string, text: string) => void files.push([path, text]),
    };
    const onFile = (...args: readonly string[]): Promise<ToolResult> =>
      runTool(
        { tool: args[0] ?? '', args: args.slice(1), env: { CIB_file: '/copy.xml' }, caller },
        {
          ...{ node: 'n1', nodeId: '1', clusterName: 'west', cib: unused, request: unused, setAttributes: unused },
          transient: { read: unused, own: { get: () => undefined, names: [], set: unused } },
        },
      );
    expect(await onFile('crm_resource', '--move', '-r', 'db', '-N', 'n2')).toMatchObject({ exitCode: 0 });
    expect(files.at(-1)?.[0]).toBe('/copy.xml');
    expect(files.at(-1)?.[1]).toContain('<rsc_location id="cli-prefer-db" rsc="db" role="Started" node="n2" score="INFINITY"/>');
    expect(files.at(-1)?.[1]).not.toContain('cli-ban-db-on-n2');
    expect(await onFile('crm_resource', '--ban', '-r', 'db', '-N', 'n1', '-u', 'P1D')).toMatchObject({ exitCode: 0 });
    expect(files.at(-1)?.[1]).toContain('cli-ban-db-on-n1-lifetime');
    expect((await onFile('crm_resource', '--clear', '-r', 'db')).stdout).toBe(
      'Removing constraint: cli-prefer-db\nRemoving constraint: cli-ban-db-on-n1\n',
    );
    expect(await onFile('cibadmin', '-M', '-X', '<primitive id="db" description="x"/>')).toMatchObject({ exitCode: 0 });
    expect(files.at(-1)?.[1]).toContain('description="x"');
    expect(await onFile('cibadmin', '-M', '-X', '<primitive id="none"/>')).toMatchObject({ exitCode: 105 });
    expect(await onFile('crm_resource', '--ban', '-r', 'db')).toMatchObject({ exitCode: 3 });
    expect(await onFile('crm_resource', '--cleanup', '-r', 'db')).toMatchObject({ exitCode: 3 });
    expect(await onFile('crm_attribute', '-N', 'n1', '-n', 'x', '-v', '1')).toMatchObject({ exitCode: 0 });
    expect(files.at(-1)?.[1]).toContain('name="x" value="1"');
    expect(await onFile('crm_attribute', '-n', 'no-quorum-policy', '-v', 'freeze')).toMatchObject({ exitCode: 0 });
    expect(files.at(-1)?.[1]).toContain('<nvpair id="cib-bootstrap-options-no-quorum-policy" name="no-quorum-policy" value="freeze"/>');
    expect(await onFile('crm_resource', '-r', 'db', '-m', '-p', 'priority', '-v', '5')).toMatchObject({ exitCode: 0 });
    expect(files.at(-1)?.[1]).toContain('name="priority" value="5"');
    expect(await onFile('crm_resource', '-r', 'db', '-m', '-d', 'priority')).toMatchObject({ exitCode: 0 });
    expect(files.at(-1)?.[1]).not.toContain('name="priority"');
    expect(await onFile('crm_attribute', '-N', 'n1', '-n', 'x', '-l', 'reboot', '-v', '1')).toMatchObject({ exitCode: 3 });
    expect(await onFile('crm_attribute', '-N', 'n9', '-n', 'x', '-v', '1')).toMatchObject({ exitCode: 105 });
  });
});
