import type { ToolRequest } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { ServerRefused } from '../../server/server-connection.js';
import { runTool, TOOL_NAMES } from '../run-tool.js';
import type { ToolCluster, ToolResult } from '../tool.js';
import type { AskedFor, ForcedOperation } from './cluster-connection.js';

const CIB = `<cib have-quorum="1"><configuration>
  <crm_config><cluster_property_set id="redis_replication"><nvpair id="redis_replication-R" name="R" value="n1"/></cluster_property_set></crm_config>
  <nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>
  <resources>
    <primitive id="db" class="ocf" provider="systole" type="Dummy">
      <instance_attributes id="db-p"><nvpair id="db-p-state" name="state" value="/x"/></instance_attributes>
      <operations><op id="db-start" name="start" interval="0" timeout="7s"/></operations>
    </primitive>
    <clone id="C"><primitive id="c" class="ocf" provider="systole" type="Stateful"/><meta_attributes id="C-m"><nvpair id="C-m-t" name="target-role" value="Started"/></meta_attributes></clone>
  </resources>
  <constraints><rsc_location id="l" rsc="db" node="n1" score="5"/><rsc_ticket id="t1" rsc="db" ticket="T"/></constraints>
  <rsc_defaults><meta_attributes id="rsc_defaults-options"><nvpair id="s" name="resource-stickiness" value="5"/></meta_attributes></rsc_defaults>
</configuration><status>
  <tickets><ticket_state id="T" granted="true" last-granted="1795788896" standby="true" owner="me"/><ticket_state id="U" granted="false"/></tickets>
</status></cib>`;

interface Ran {
  readonly result: ToolResult;
  readonly asked: readonly ToolRequest[];
  readonly by: readonly AskedFor[];
  readonly forced: readonly ForcedOperation[];
}

/** Runs a command line (words apart by spaces, those in quotes as one) as a resource agent of `db` on n1 would. */
async function run(line: string, more: Partial<ToolCluster> = {}): Promise<Ran> {
  const asked: ToolRequest[] = [];
  const by: AskedFor[] = [];
  const forced: ForcedOperation[] = [];
  const [tool = '', ...args] = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const result = await runTool(
    { tool, args, env: { OCF_RESOURCE_INSTANCE: 'db' } },
    {
      node: 'n1',
      nodeId: '1',
      clusterName: 'west',
      setAttributes: () => Promise.reject(new Error('no node attribute is meant')),
      transient: { read: () => Promise.resolve([]), own: { get: () => undefined, names: [], set: () => Promise.resolve() } },
      cib: () => Promise.resolve(CIB),
      request: (request, of) => {
        asked.push(request);
        by.push(of);
        return Promise.resolve({ changed: true });
      },
      force: (operation) => {
        forced.push(operation);
        return Promise.resolve({ rc: 0, output: 'printed' });
      },
      ...more,
    },
  );
  return { result, asked, by, forced };
}

const value = (section: string, name: string, to: string | null, more: object = {}): object => ({
  ask: 'set-section-value',
  section,
  name,
  value: to,
  ...more,
});
const document = (operation: string, xml: string, more: object = {}): object => ({
  ask: 'change-document',
  changes: [{ operation, xml, ...more }],
});

/** Command line, what it asks for, and what it prints if anything. */
const WRITES: readonly (readonly [string, object, string?])[] = [
  ['crm_attribute --type op_defaults --name timeout --update 20s', value('op_defaults', 'timeout', '20s')],
  [
    'crm_attribute -t rsc_defaults -n resource-stickiness -D',
    value('rsc_defaults', 'resource-stickiness', null),
    'Deleted rsc_defaults attribute: id=s name=resource-stickiness\n',
  ],
  ['crm_attribute --name symmetric-cluster --update false', value('crm_config', 'symmetric-cluster', 'false')],
  ['crm_attribute --type crm_config -s redis_replication --name R -v n2', value('crm_config', 'R', 'n2', { set: 'redis_replication' })],
  ['crm_attribute -t crm_config -n R -D', value('crm_config', 'R', null), 'Deleted crm_config option: id=redis_replication-R name=R\n'],
  ['crm_attribute -t nodes --node n2 -z -n cpu -v 4', { ask: 'set-node-utilization', node: 'n2', name: 'cpu', value: '4' }],
  ['crm_attribute -t nodes -z -n cpu -D', { ask: 'set-node-utilization', node: 'n1', name: 'cpu', value: null }],
  ['crm_resource -r db -z -p cpu -v 2', { ask: 'set-resource-value', resource: 'db', kind: 'utilization', name: 'cpu', value: '2' }],
  [
    'crm_resource -r db -p state -v /x',
    { ask: 'set-resource-value', resource: 'db', kind: 'instance_attributes', name: 'state', value: '/x' },
    "Set 'db' option: id=db-p-state set=db-p name=state value=/x\n",
  ],
  [
    'crm_resource -r c:0 --meta -p target-role -v Started',
    { ask: 'set-resource-value', resource: 'c', kind: 'meta_attributes', name: 'target-role', value: 'Started' },
    "Performing update of 'target-role' on 'C', the parent of 'c'\nSet 'C' option: id=C-m-t set=C-m name=target-role value=Started\n",
  ],
  [
    'crm_resource --resource=db --delete-parameter=state',
    { ask: 'set-resource-value', resource: 'db', kind: 'instance_attributes', name: 'state', value: null },
    "Deleted 'db' option: id=db-p-state name=state\n",
  ],
  ['crm_resource -r db --ban -N n1', { ask: 'ban', resource: 'db', node: 'n1' }],
  ['crm_resource -B -r db:1 --promoted -u PT1H', { ask: 'ban', resource: 'db', promoted: true, lifetime: 'PT1H' }],
  ['crm_resource --move -r db -N n2', { ask: 'move', resource: 'db', node: 'n2' }],
  ['crm_resource -U -r db -N n1 --expired', { ask: 'clear', resource: 'db', node: 'n1', expired: true }],
  [
    'crm_resource --cleanup -r db -N n1 -n monitor -I 10s',
    { ask: 'clean-up', resource: 'db', node: 'n1', operation: 'monitor', intervalMs: 10_000 },
    'Cleaned up db on n1\n',
  ],
  ['crm_resource -C', { ask: 'clean-up' }, 'Cleaned up all resources on all nodes\n'],
  ['crm_resource --refresh -r db', { ask: 'refresh', resource: 'db' }, 'Cleaned up db on n1\nCleaned up db on n2\n'],
  ['crm_failcount -D -r db', { ask: 'clean-up', resource: 'db', node: 'n1' }, 'Cleaned up db on n1\n'],
  [
    'crm_failcount -v 0 -r db -N n2 -n start',
    { ask: 'clean-up', resource: 'db', node: 'n2', operation: 'start', intervalMs: 0 },
    'Cleaned up db on n2\n',
  ],
  [
    `cibadmin --modify --xml-text '<op id="public-ip-check" enabled="false"/>'`,
    document('modify', '<op id="public-ip-check" enabled="false"/>'),
  ],
  [`cibadmin -C -o constraints -X '<rsc_location id="m"/>'`, document('create', '<rsc_location id="m"/>', { within: 'constraints' })],
  [
    `cibadmin -M -c -o resources -X '<primitive id="m"/>'`,
    document('modify', '<primitive id="m"/>', { within: 'resources', allowCreate: true }),
  ],
  [`cibadmin -R -o constraints -X '<constraints/>'`, document('replace', '<constraints/>', { within: 'constraints' })],
  [`cibadmin -D -X '<rsc_location id="l"/>'`, document('delete', '<rsc_location id="l"/>')],
  [`cibadmin -D --xpath //rsc_location[@node="n1"]`, document('delete', '<rsc_location id="l"/>')],
  [`cibadmin -C --xpath //resources -X '<primitive id="m"/>'`, document('create', '<primitive id="m"/>', { within: 'resources' })],
  [
    `cibadmin -M --xpath //primitive[@id="c"] -X '<primitive id="c" description="d"/>'`,
    document('modify', '<primitive id="c" description="d"/>'),
  ],
  ['crm_ticket -t T -g --force', { ask: 'change-ticket', ticket: 'T', granted: true }],
  ['crm_ticket --ticket T --revoke --force', { ask: 'change-ticket', ticket: 'T', granted: false }],
  ['crm_ticket -t T -s', { ask: 'change-ticket', ticket: 'T', standby: true }],
  ['crm_ticket -t T -a', { ask: 'change-ticket', ticket: 'T', standby: false }],
  ['crm_ticket -t T -S owner -v me', { ask: 'change-ticket', ticket: 'T', attributes: { owner: 'me' } }],
  ['crm_ticket -t T -D owner', { ask: 'change-ticket', ticket: 'T', attributes: { owner: null } }],
  ['crm_ticket -t T --set-attr standby --attr-value true', { ask: 'change-ticket', ticket: 'T', standby: true }],
  ['crm_ticket -t U --cleanup', { ask: 'forget-ticket', ticket: 'U' }, 'Cleaned up U\n'],
  ['stonith_admin -F n2', { ask: 'fence', node: 'n2', action: 'off' }],
  ['stonith_admin --reboot n2', { ask: 'fence', node: 'n2', action: 'reboot' }],
  ['stonith_admin -U n2', { ask: 'power-on', node: 'n2' }],
  ['stonith_admin --confirm=n2', { ask: 'confirm-down', node: 'n2' }],
  ['crm_node -R n2 --force', { ask: 'remove-node', node: 'n2' }],
];

describe('a tool that writes', () => {
  it.each(WRITES.map(([line, request, stdout = '']) => [line, request, stdout] as const))('%s', async (line, request, stdout) => {
    const { result, asked, by } = await run(line);
    expect(asked).toEqual([request]);
    expect(by).toEqual([{ tool: line.split(' ')[0], calledBy: 'db' }]);
    expect([result.exitCode, result.stdout]).toEqual([0, stdout]);
  });

  it.each([
    ['crm_attribute -t bogus -n R -v 1', 76, 'No message of desired type'],
    ['crm_attribute -t tickets -n R -v 1', 3, 'crm_ticket'],
    ['crm_attribute -t op_defaults -v 1', 64, 'name'],
    ['crm_resource --clear', 64, 'Must supply a resource id with -r'],
    ['crm_resource -r db -p state', 64, 'Must supply a value with -v'],
    ['crm_resource -C -n monitor', 64, '--operation needs --resource'],
    ['crm_resource -C -r db -n monitor -I soon', 64, 'soon'],
    ['crm_attribute -n x -i o-x -v 1', 3, '--set-name'],
    ['crm_resource --clear -r db --promoted', 3, '--promoted is not done here'],
    ['crm_resource --cleanup -r db --force', 3, '--force is not done here'],
    ['crm_resource -r db -p x -v 1 --recursive', 3, '--recursive is not done here'],
    ['stonith_admin -F n2 -t 5', 3, 'leave --timeout out'],
    ['crm_standby -v on -i x', 64, '-i'],
    ['crm_failcount -v 5 -r db', 64, 'no other value'],
    ['cibadmin -B', 3, 'epoch'],
    ['cibadmin -E --force', 3, 'erased'],
    ['cibadmin -R', 64, 'XML is needed'],
    ['cibadmin -M --user joe -X <op/>', 3, 'whose token'],
    ["cibadmin -M --xml-text '<op id='", 78, "Couldn't parse input"],
    ['cibadmin -d --xpath //rsc_location', 107, 'considered dangerous'],
    ['cibadmin -D -o status -X <lrm/>', 3, 'status is what agents report'],
    ['cibadmin -M --xpath //nothing -X \'<op id="x"/>\'', 105, 'Call cib_modify failed: No such device or address'],
    ['cibadmin -C -o resources --xml-pipe', 3, 'standard input'],
    ['cibadmin -C -o resources --xml-file here.xml', 64, 'absolute'],
    ['cibadmin -C -o resources --xml-file /dev/zero', 78, 'not a file'],
    ['crm_ticket -t T -g', 4, 'Ticket modification not allowed'],
    ['crm_ticket -t T --revoke', 4, 'Ticket modification not allowed'],
    ['crm_ticket -t T --cleanup', 4, 'Ticket modification not allowed'],
    ['crm_ticket -t X --cleanup', 105, "No such ticket 'X'"],
    ['crm_ticket -g --force', 64, 'Must supply ticket ID with -t'],
    ['crm_ticket -t T', 64, 'is needed'],
    ['crm_node -R n2', 64, 'considered dangerous'],
  ] as const)('%s ends with %d and asks for nothing', async (line, exitCode, text) => {
    const { result, asked } = await run(line);
    expect(asked).toEqual([]);
    expect([result.exitCode, result.stdout]).toEqual([exitCode, '']);
    expect(result.stderr).toContain(text);
  });

  it('deletes nothing where an XPath names nothing', async () => {
    for (const line of ['cibadmin -D --xpath //nothing', 'cibadmin -d --force --xpath //nothing']) {
      const { result, asked } = await run(line);
      expect([result, asked]).toEqual([{ stdout: '', stderr: '', exitCode: 0 }, []]);
    }
  });

  it.each([
    ['crm_attribute -t rsc_defaults -n resource-stickiness -G', 'scope=rsc_defaults  name=resource-stickiness value=5\n'],
    ['crm_attribute -t rsc_defaults -n resource-stickiness -G -q', '5\n'],
    ['crm_attribute --type crm_config --name R -s redis_replication --query -q', 'n1\n'],
    ['crm_ticket -t T -G owner', 'me\n'],
    ['crm_ticket -t T -G nope -d dd', 'dd\n'],
    ['crm_ticket -t T -q', 'State XML:\n\n<ticket_state id="T" granted="true" last-granted="1795788896" standby="true" owner="me"/>\n'],
    ['crm_ticket -t T -l', "T\tgranted [standby] last-granted='Fri Nov 27 14:14:56 2026'\n"],
    ['crm_ticket -L -t T', "T\tgranted [standby] (granted=true, standby=true, last-granted='Fri Nov 27 14:14:56 2026', owner=me)\n"],
    ['crm_ticket -w', 'T\nU\n'],
    ['crm_standby -G -N n1', 'scope=nodes  name=standby value=off\n'],
  ])('%s only asks', async (line, stdout) => {
    const { result, asked } = await run(line);
    expect([result, asked]).toEqual([{ stdout, stderr: '', exitCode: 0 }, []]);
  });

  it.each([
    [403, 'not-for-this-agent', 4, 'crm_resource: Error performing operation: Permission denied\nwhy\n'],
    [404, 'resource-not-found', 105, 'crm_resource: Error performing operation: No such object\nwhy\n'],
    [409, 'already-there', 108, 'crm_resource: Error performing operation: Requested item already exists\nwhy\n'],
    [
      422,
      'doubtful-configuration',
      78,
      'crm_resource: Error performing operation: Update does not conform to the configured schema\nwhy\n',
    ],
    [404, 'not-found', 3, 'crm_resource: Error performing operation: Not supported by this server\nwhy\n'],
    [409, 'cluster-stopping', 1, 'crm_resource: Error performing operation: Operation not permitted\nwhy\n'],
  ] as const)('ends as Pacemaker’s would when the server refuses with %d %s', async (status, problem, exitCode, stderr) => {
    const refused = new ServerRefused(status, `https://systole.dev/problems/${problem}`, '{"detail":"why"}', [], 'why');
    const { result } = await run('crm_resource --ban -r db -N n2', { request: () => Promise.reject(refused) });
    expect(result).toEqual({ stdout: '', stderr, exitCode });
  });

  it('says what can be done at a tool, which has no force=true', async () => {
    const detail = 'my-thing is not known: nothing here reads it. Correct it, or take it all the same with force=true';
    const refused = new ServerRefused(422, 'https://systole.dev/problems/doubtful-configuration', '{}', [], detail);
    const { result } = await run('crm_attribute -n my-thing -v 1', { request: () => Promise.reject(refused) });
    expect(result).toMatchObject({ exitCode: 78, stdout: '' });
    expect(result.stderr).toContain('an underscore in its name');
    expect(result.stderr).toContain('"systole property set" with --force');
    expect(result.stderr).not.toContain('force=true');
  });

  it('has this node do what is forced, with what is configured there', async () => {
    const { result, forced } = await run('crm_resource -r db --force-start');
    expect(forced).toEqual([
      {
        resource: { id: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' },
        operation: 'start',
        timeoutMs: 7_000,
        parameters: { state: '/x' },
      },
    ]);
    expect(result).toEqual({
      stdout: 'Operation force-start for db (ocf:systole:Dummy) returned 0 (ok)\nprinted\n',
      stderr: '',
      exitCode: 0,
    });
    const failing = await run('crm_resource -r C --force-check', {
      force: () => Promise.resolve({ rc: 7, output: '', exitReason: 'gone' }),
    });
    expect(failing.result).toMatchObject({
      exitCode: 7,
      stdout: expect.stringMatching(/^Operation force-check for c .*returned 7 .*\nocf-exit-reason:gone\n$/) as string,
    });
    expect((await run('crm_resource -r none --force-stop')).result).toMatchObject({ exitCode: 105 });
  });

  it('is found in the PATH of resource agents', () => {
    expect(TOOL_NAMES).toEqual(expect.arrayContaining(['crm_ticket', 'crm_standby', 'stonith_admin']));
  });
});
