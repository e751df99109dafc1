import { describe, expect, it } from 'vitest';
import type { AttributeChange } from '@systole/protocol';
import type { TransientAttributes } from '../attributes/transient-attributes.js';
import { ServerRefused, ServerUnavailable } from '../server/server-connection.js';
import { runTool } from './run-tool.js';
import type { ToolResult } from './tool.js';

const CIB = `<cib validate-with="none" have-quorum="1">
  <configuration>
    <crm_config><cluster_property_set id="o"><nvpair id="o1" name="cluster-name" value="west"/></cluster_property_set></crm_config>
    <nodes>
      <node id="1" uname="n1"><instance_attributes id="i"><nvpair id="i1" name="site" value="a"/></instance_attributes></node>
      <node id="2" uname="n2"><utilization id="u"><nvpair id="u1" name="cpu" value="8"/></utilization></node>
    </nodes>
    <resources>
      <group id="g"><primitive id="db" class="ocf" provider="systole" type="Dummy">
        <instance_attributes id="p"><nvpair id="p1" name="state" value="/x"/></instance_attributes>
        <meta_attributes id="m"><nvpair id="m1" name="target-role" value="Started"/></meta_attributes>
      </primitive></group>
    </resources>
    <constraints/>
  </configuration>
  <status>
    <node_state id="1" uname="n1" crmd="online" in_ccm="true" join="member" expected="member">
      <transient_attributes id="1"><instance_attributes id="t">
        <nvpair id="t1" name="master-db" value="10"/>
        <nvpair id="t2" name="fail-count-db#monitor_10000" value="2"/>
        <nvpair id="t3" name="fail-count-db#start_0" value="INFINITY"/>
      </instance_attributes></transient_attributes>
      <lrm id="1"><lrm_resources><lrm_resource id="db" type="Dummy" class="ocf" provider="systole">
        <lrm_rsc_op id="db_last_0" operation="start" interval="0" call-id="3" rc-code="0" op-status="0" transition-key="1:1:0:u" transition-magic="0:0;1:1:0:u"/>
        <lrm_rsc_op id="db_monitor_10000" operation="monitor" interval="10000" call-id="4" rc-code="0" op-status="0" transition-key="1:1:0:u" transition-magic="0:0;1:1:0:u"/>
      </lrm_resource></lrm_resources></lrm>
    </node_state>
    <node_state id="2" uname="n2" crmd="online" in_ccm="true" join="member" expected="member">
      <transient_attributes id="2"><instance_attributes id="t9"><nvpair id="t91" name="master-db" value="5"/></instance_attributes></transient_attributes>
      <lrm id="2"><lrm_resources><lrm_resource id="db" type="Dummy" class="ocf" provider="systole">
        <lrm_rsc_op id="db_last_0" operation="monitor" interval="0" call-id="1" rc-code="7" op-status="0" transition-key="1:1:7:u" transition-magic="0:7;1:1:7:u"/>
      </lrm_resource></lrm_resources></lrm>
    </node_state>
  </status>
</cib>`;

const changes: AttributeChange[] = [];

/** What the server knows of transient attributes, and what stays on the node. */
const told: { node: string; name: string; value: string; private?: boolean }[] = [
  { node: 'n1', name: 'master-db', value: '10' },
  { node: 'n1', name: 'ping-a', value: '1' },
  { node: 'n1', name: 'ping-b', value: '2' },
  { node: 'n2', name: 'master-db', value: '5' },
];
const own = new Map([['secret', 's3cret']]);
const transient: TransientAttributes = {
  read: ({ node, name }) =>
    Promise.resolve(told.filter((one) => (node === undefined || one.node === node) && (name === undefined || one.name === name))),
  own: {
    get: (name) => own.get(name),
    get names() {
      return [...own.keys()];
    },
    set: (name, value) => {
      if (value === undefined) own.delete(name);
      else own.set(name, value);
      return Promise.resolve();
    },
  },
};

/** Runs a command line as a resource agent of `db` on n1, or another node, would. */
async function call(line: string, cib = CIB, { node, nodeId } = { node: 'n1', nodeId: '1' }): Promise<ToolResult> {
  changes.length = 0;
  const [tool = '', ...args] = line.split(' ');
  return runTool(
    { tool, args, env: { OCF_RESOURCE_INSTANCE: 'db' } },
    {
      node,
      nodeId,
      clusterName: 'west',
      setAttributes: (wanted) => {
        changes.push(...wanted);
        return Promise.resolve();
      },
      transient,
      cib: () => Promise.resolve(cib),
      request: () => Promise.reject(new Error('nothing is written through this')),
    },
  );
}

describe('setting attributes', () => {
  it.each([
    ['crm_attribute -N n1 -l reboot --name x -v 1', { name: 'x', value: '1', lifetime: 'reboot' }],
    ['crm_attribute --node=n1 --lifetime=forever --name=x --update=1', { name: 'x', value: '1', lifetime: 'forever' }],
    ['crm_attribute -l reboot -n x -D', { name: 'x', value: null, lifetime: 'reboot' }],
    ['crm_attribute -t status -n x -v 1', { name: 'x', value: '1', lifetime: 'reboot' }],
    ['crm_attribute -N n2 -n x -v 1', { name: 'x', value: '1', lifetime: 'forever', node: 'n2' }],
    ['crm_attribute --promotion -v 10', { name: 'master-db', value: '10', lifetime: 'reboot' }],
    ['crm_attribute --promotion=other -D', { name: 'master-other', value: null, lifetime: 'reboot' }],
    ['crm_master -l reboot -v 100', { name: 'master-db', value: '100', lifetime: 'reboot' }],
    ['crm_master -Q -D', { name: 'master-db', value: null, lifetime: 'reboot' }],
    ['attrd_updater -n pingd -B 1000 -d 5s', { name: 'pingd', value: '1000', lifetime: 'reboot', delay: { ms: 5_000, sets: 'also' } }],
    ['attrd_updater -n pingd -U 1000 -d 5', { name: 'pingd', value: '1000', lifetime: 'reboot', delay: { ms: 5_000, sets: 'new' } }],
    ['attrd_updater -n pingd -Y -d 250ms', { name: 'pingd', value: '', lifetime: 'reboot', delay: { ms: 250, sets: 'only' } }],
    ['attrd_updater -n x -U value++', { name: 'x', value: null, add: 1, lifetime: 'reboot' }],
    ['attrd_updater -n x -U value+=-7', { name: 'x', value: null, add: -7, lifetime: 'reboot' }],
    ['attrd_updater -n count -U count+=INFINITY', { name: 'count', value: null, add: 1_000_000, lifetime: 'reboot' }],
    ['attrd_updater -n x -U value--', { name: 'x', value: 'value--', lifetime: 'reboot' }],
    ['attrd_updater -n x -U ++', { name: 'x', value: '++', lifetime: 'reboot' }],
    ['attrd_updater --lifetime reboot --name x --update 1', { name: 'x', value: '1', lifetime: 'reboot' }],
    ['attrd_updater -l forever -n x -U 1', { name: 'x', value: '1', lifetime: 'reboot' }],
    ['attrd_updater -n x -U 1 --wait=cluster', { name: 'x', value: '1', lifetime: 'reboot' }],
    ['crm_attribute -N n1 -n x -l forever -v value+=4', { name: 'x', value: null, add: 4, lifetime: 'forever' }],
    ['attrd_updater -S status -n pingd -v 2', { name: 'pingd', value: '2', lifetime: 'reboot' }],
    ['attrd_updater -n pingd -D', { name: 'pingd', value: null, lifetime: 'reboot' }],
  ] as const)('%s', async (line, change) => {
    expect(await call(line)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(changes).toEqual([change]);
  });

  it.each([
    ['attrd_updater -n a\u001b -U 1', "the name 'a\\u{1b}' of an attribute holds U+001B, which can't be seen"],
    ['attrd_updater -n al\u202epha -U 1', "the name 'al\\u{202e}pha' of an attribute holds U+202E, which can't be seen"],
    ['crm_attribute -N n1 -n al\u200bpha -l forever -v 1', "the name 'al\\u{200b}pha' of an attribute holds U+200B, which can't be seen"],
    ['attrd_updater -n a\uffff -U 1', 'of an attribute holds what no text can hold'],
    ['attrd_updater -n a -U \u001b[31m', "the value of a holds a character that XML can't carry"],
    ['attrd_updater -p -n a -U \uffff', "the value of a holds a character that XML can't carry"],
  ])('writes nothing that would be kept as something else: %j', async (line, why) => {
    const { stderr, exitCode } = await call(line);
    expect(stderr).toContain(why);
    expect(exitCode).toBe(64);
    expect(changes).toEqual([]);
  });
});

describe('a pattern', () => {
  it.each([
    ['attrd_updater -P ^ping -U 7', ['ping-a', 'ping-b'], '7'],
    ['attrd_updater -P -b$ -D', ['ping-b'], null],
    ['crm_attribute -l reboot -P a|b -v 3', ['master-db', 'ping-a', 'ping-b'], '3'],
    ['crm_attribute -N n2 -l reboot -P . -D', ['master-db'], null],
    ['attrd_updater -P ^ping-[[:alpha:]]$ -U 7', ['ping-a', 'ping-b'], '7'],
  ] as const)('%s changes what it finds', async (line, names, value) => {
    expect(await call(line)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(changes.map(({ name }) => name)).toEqual(names);
    expect(changes.every((change) => change.value === value)).toBe(true);
  });

  it('of a stranger takes no longer than its text is long: the node would lose its lease meanwhile', async () => {
    const cib = CIB.replace('name="site"', `name="${'s'.repeat(60)}!"`);
    expect(cib).not.toBe(CIB);
    const begun = performance.now();
    expect((await call('crm_attribute -N n1 -P ^(s+)+$ -G', cib)).stdout).not.toContain('sss');
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('finds what is to be read as well', async () => {
    expect((await call('crm_attribute -N n1 -P ^si -G')).stdout).toBe('scope=nodes  name=site value=a\n');
    expect((await call('crm_attribute -N n1 -l reboot -P ^master -G -q')).stdout).toBe('10\n');
    expect((await call('crm_attribute -N n2 -l reboot')).stdout).toBe('scope=status  name=master-db value=5\n');
  });
});

describe('a private attribute', () => {
  const answer = 'name="secret" host="n1" value="changed"\n';

  it('stays on the node, is read and counted there, and is private until it is deleted', async () => {
    await call('attrd_updater -n secret -p -U changed');
    expect(changes).toEqual([]);
    for (const line of ['-n secret -Q', '-n secret', '-n secret -QA', '-Q -N n1 -n secret']) {
      expect((await call(`attrd_updater ${line}`)).stdout, line).toBe(answer);
    }
    await call('attrd_updater -n secret -U 5');
    await call('attrd_updater -P ^secret$ -U value+=3');
    expect(changes).toEqual([]);
    expect((await call('attrd_updater -n secret -Q')).stdout).toContain('"8"');
    await call('attrd_updater -n secret -D');
    expect(changes).toEqual([]);
    await call('attrd_updater -n secret -U 1');
    expect(changes).toHaveLength(1);
  });

  it('of another node is read like others, and changed on that node only', async () => {
    told.push({ node: 'n2', name: 'lsn_location-db', value: '3#117', private: true });
    try {
      const answer = 'name="lsn_location-db" host="n2" value="3#117"\n';
      expect(await call('attrd_updater -p -n lsn_location-db -Q -N n2')).toMatchObject({ exitCode: 0, stdout: answer });
      expect(await call('attrd_updater -n lsn_location-db -QA')).toMatchObject({ exitCode: 0, stdout: answer });
      expect(await call('attrd_updater -n lsn_location-db -Q')).toMatchObject({ exitCode: 78 });
      await call('attrd_updater -P ^lsn_ -N n2 -D');
      expect(changes).toEqual([]);
    } finally {
      told.pop();
    }
    const set = await call('attrd_updater -n secret -p -U 1 -N n2');
    expect(set.exitCode).toBe(3);
    expect(set.stderr).toContain('n2 has to set it itself');
    expect(await call('attrd_updater -n secret -Q -N n2')).toMatchObject({ exitCode: 78 });
  });
});

describe('asking of remote and guest nodes', () => {
  const cib = CIB.replace(
    '<resources>',
    '<resources><primitive id="far" class="ocf" provider="pacemaker" type="remote"/><primitive id="vm" class="ocf" provider="heartbeat" type="VirtualDomain"><meta_attributes id="vm-m"><nvpair id="vm-r" name="remote-node" value="inside"/></meta_attributes></primitive>',
  ).replace(
    '</status>',
    '<node_state id="far" uname="far" remote_node="true" crmd="online" in_ccm="true" join="member"><transient_attributes id="far"><instance_attributes id="tf"><nvpair id="tf1" name="fail-count-db#start_0" value="3"/><nvpair id="tf2" name="master-db" value="7"/></instance_attributes></transient_attributes></node_state></status>',
  );
  const asked = (line: string): Promise<ToolResult> => call(line, cib, { node: 'far', nodeId: 'far' });

  it.each([
    ['crm_node -n', 'far\n'],
    ['crm_node -p', 'n1 n2 \n'],
    ['crmadmin -N', 'cluster node: n1 (1)\ncluster node: n2 (2)\nremote node: far (far)\nguest node: inside (inside)\n'],
    ['crm_failcount -G -r db -q', '3\n'],
    ['crm_failcount -G -r db -N inside -q', '0\n'],
    ['crm_attribute --promotion -G -q', '7\n'],
  ])('%s', async (line, stdout) => {
    expect(await asked(line)).toMatchObject({ stdout, exitCode: 0 });
  });
});

describe('asking', () => {
  it.each([
    ['crm_attribute -N n1 -n site -G', 'scope=nodes  name=site value=a\n'],
    ['crm_attribute -N n1 -l forever -n site --quiet', 'a\n'],
    ['crm_attribute --promotion -G -q', '10\n'],
    ['crm_attribute -N n2 --promotion -q', '5\n'],
    ['crm_attribute -n cluster-name -G -q', 'west\n'],
    ['crm_attribute -t nodes --node n2 -z -n cpu --quiet', '8\n'],
    ['crm_attribute -l reboot -n none -G -q -d 7', '7\n'],
    ['crm_master -N n2 -G --quiet', '5\n'],
    ['attrd_updater -Q -n master-db', 'name="master-db" host="n1" value="10"\n'],
    ['attrd_updater -QA -n master-db', 'name="master-db" host="n1" value="10"\nname="master-db" host="n2" value="5"\n'],
    ['crm_failcount -G -r db -q', 'INFINITY\n'],
    ['crm_failcount -G -r db', 'scope=status  name=fail-count-db value=INFINITY\n'],
    ['crm_failcount -G -r db -I 10s -q', 'INFINITY\n'],
    ['crm_failcount -G -r db -n monitor', 'scope=status  name=fail-count-db#monitor_0 value=0\n'],
    ['crm_failcount --query -r db -N n1 -n monitor -I 10s', 'scope=status  name=fail-count-db#monitor_10000 value=2\n'],
    ['crm_failcount --query -r db -N n1 -n monitor -I 20s', 'scope=status  name=fail-count-db#monitor_20000 value=0\n'],
    ['crm_failcount -G -r none -N n1 -q', '0\n'],
    ['crm_failcount -G -r db -N n2 -q', '0\n'],
    ['crm_node -n', 'n1\n'],
    ['crm_node -i', '1\n'],
    ['crm_node -l', '1 n1 member\n2 n2 member\n'],
    ['crm_node -p', 'n1 n2 \n'],
    ['crm_node -q', '1\n'],
    ['crm_resource -r db -g state', '/x\n'],
    ['crm_resource -r db --meta -g target-role', 'Started\n'],
    ['crm_resource -W -r db', 'resource db is running on: n1\n'],
    ['crm_resource --locate -r g -Q', 'n1\n'],
    ['crm_resource -r db -G type', 'Dummy\n'],
    ['crm_resource -l', 'db\n'],
    ['crm_resource', 'Full List of Resources:\n  * Resource Group: g:\n    * db\t(ocf:systole:Dummy):\t Started n1\n'],
    ['crm_resource --why', 'Resource g is running\n'],
    ['crm_resource -Y -r db -N n2', 'Resource db is not running on host n2\n'],
    ['cibadmin -Q -e -A //node', "/cib/configuration/nodes/node[@id='1']\n/cib/configuration/nodes/node[@id='2']\n"],
    ['cibadmin -Q -n -o nodes', '<nodes/>\n'],
    ['crm_error -X 105', 'No such object\n'],
    ['crm_error -n -- -22', 'EINVAL - Invalid argument\n'],
    ['crm_error -n -X 300', 'CRM_EX_UNKNOWN - Unknown exit status\n'],
    ['crm_error -r -- -1013', 'Update was older than existing configuration\n'],
    ['crm_error 999', 'Unknown error 999\n'],
    ['crm_mon --version', 'Pacemaker 2.1.5 (as Systole does it)\n'],
    ['crmadmin -D', 'Designated Controller is: systole\n'],
    ['crmadmin -N', 'cluster node: n1 (1)\ncluster node: n2 (2)\n'],
    ['crmadmin -S n1', 'Controller on n1 in state S_NOT_DC: ok\n'],
    ['crm_verify -L', ''],
    ['stonith_admin -L', '0 fence devices found\n'],
    ["cibadmin -Q --xpath //node_state[@crmd='online']//nvpair[@value='5']", '<nvpair id="t91" name="master-db" value="5"/>\n'],
    ['cibadmin -Q -A /cib/configuration/nodes/node[@id="1"]/instance_attributes/nvpair', '<nvpair id="i1" name="site" value="a"/>\n'],
    ['cibadmin -Q -o constraints', '<constraints/>\n'],
  ])('%s', async (line, stdout) => {
    expect(await call(line)).toEqual({ stdout, stderr: '', exitCode: 0 });
  });

  it('with an XPath that names several elements wraps them', async () => {
    const { stdout } = await call("cibadmin -Q --xpath //transient_attributes//nvpair[@name='master-db']");
    expect(stdout).toBe(
      '<xpath-query>\n  <nvpair id="t1" name="master-db" value="10"/>\n  <nvpair id="t91" name="master-db" value="5"/>\n</xpath-query>\n',
    );
  });

  it('crm_mon -1 shows the status as text, and what its flags add', async () => {
    const { stdout } = await call('crm_mon -1rfA');
    expect(stdout).toContain('Node List:\n  * Online: [ n1 n2 ]\n');
    expect(stdout).toContain('Full List of Resources:\n  * Resource Group: g:\n    * db\t(ocf:systole:Dummy):\t Started n1\n');
    expect(stdout).toContain('Migration Summary:\n  * Node: n1:\n    * db: migration-threshold=1000000 fail-count=1000000\n');
    expect(stdout).toContain('    * site                            \t: a');
    expect((await call('crm_mon -1D --exclude=resources,failures')).stdout).toBe('Node List:\n  * Online: [ n1 n2 ]\n');
    expect((await call('crm_mon -1 --include=none,resources --resource=db')).stdout).toContain('db\t(ocf:');
    expect((await call('crm_mon -1f --include=none,failcounts --resource=db')).stdout).toContain('db: migration-threshold');
    expect((await call('crm_mon -1f --include=none,failcounts --resource=other')).stdout).not.toContain('db');
    expect(await call('crm_mon -s')).toMatchObject({ stdout: 'CLUSTER OK: 2 nodes online, 1 resource instance configured\n', exitCode: 0 });
  });

  it('crm_mon says who changed the configuration last, as the document has it', async () => {
    const change =
      'cib-last-written="Tue Nov 14 22:13:20 2023" update-origin="systole" update-client="ban-resource" update-user="user:alice"';
    const changed = CIB.replace('<cib ', `<cib ${change} `);
    expect((await call('crm_mon -1 --include=none,times', changed)).stdout).toMatch(
      /Last change: .* 2023 by user:alice via ban-resource on systole$/m,
    );
    expect((await call('crm_mon -1X', changed)).stdout).toContain('user="user:alice" client="ban-resource" origin="systole"');
  });

  it('crm_mon writes a page for browsers in which nothing of the cluster is markup', async () => {
    const { stdout } = await call('crm_mon -1 --output-as=html', CIB.replaceAll('"n2"', '"n&lt;b>"'));
    expect(stdout).toContain('<li>Online: [ n1 n&lt;b&gt; ]</li>');
  });

  it.each(['crm_mon -1 --as-xml', 'crm_mon -1X', 'crm_mon -1 --output-as=xml'])('%s shows nodes and resources', async (line) => {
    const { stdout, exitCode } = await call(line);
    expect(exitCode).toBe(0);
    // The very patterns that pgsql, redis and galera look for.
    expect(stdout).toMatch(/<node name="n1" .* online="true"/);
    expect(stdout).toMatch(/<node name="n1".* unclean="false".* type="member"/);
    expect(stdout).toMatch(/resource.*id="db".* role="Started".* active="true".* orphaned="false".* failed="false"/);
    expect(stdout).toContain('<node name="n1" id="1" cached="true"/>');
  });

  it('for everything gives the whole CIB', async () => {
    expect((await call('cibadmin -Q')).stdout.trim()).toBe(CIB);
  });

  it.each([
    // As Pacemaker's own say it.
    ['crm_attribute -l reboot -n none -G', 105, 'crm_attribute: Error performing operation: No such device or address\n'],
    ['crm_attribute -N n1 -n none -G -q', 105, 'crm_attribute: Error performing operation: No such device or address\n'],
    ['crm_attribute -N nowhere -n x -G', 105, 'crm_attribute: Could not map name=nowhere to a UUID\n'],
    ['attrd_updater -Q -n none', 78, 'attrd_updater: Could not query value of none: attribute does not exist\n'],
    ['attrd_updater -QA -n none', 78, 'attrd_updater: Could not query value of none: attribute does not exist\n'],
    ['attrd_updater -U 1', 64, 'attrd_updater: Command requires --name argument\n'],
    ['attrd_updater -n x -B 1', 0, "Warning: 'B' command given without required --delay\n"],
    ['attrd_updater -n x -Y', 0, "Warning: 'Y' command given without required --delay\n"],
    ['attrd_updater -n x -B 1 -d soon', 64, 'is a time such as 5s'],
    ['attrd_updater -n x -U 1 -W soon', 64, 'no, local or cluster'],
    ['attrd_updater -n x -U 1 -D', 64, 'give one of'],
    ['attrd_updater -n x -U 1 -s my-set', 3, 'leave --set away'],
    ['attrd_updater -P x -Q', 64, 'goes with'],
    ['attrd_updater -P ( -D', 64, 'is no POSIX extended regular expression'],
    ['attrd_updater -P (x)\\1 -D', 64, 'refers back to a part of itself'],
    ['crm_attribute -N n1 -n x -v 1 -i an-id', 3, '--id away'],
    ['crm_attribute -N n1 -P ^x -v 1', 64, 'pattern can only be used with query, or with till-reboot update or delete'],
    ['crm_attribute -l reboot -v 1', 64, 'needs the name'],
    ['crm_failcount -r db', 64, 'must specify a command'],
    ['crm_failcount -G -r db -N nope', 105, 'there is no node nope'],
    ['crm_failcount -G -r db -n monitor -I soon', 64, 'an interval is e.g.'],
    ['crm_resource -r db -g none', 105, "Attribute 'none' not found for 'db'"],
    ['crm_attribute -t surprise -n x -v 1', 76, 'there is no section surprise'],
    ['cibadmin --query --xpath id(1)', 3, 'is more than'],
    ['crm_resource -W -r none', 105, "Resource 'none' not found"],
    ['crm_resource -W', 64, 'Must supply a resource id with -r'],
    ['crm_resource --show-metadata ocf:nope:No', 105, 'Metadata query for ocf:nope:No failed'],
    ['crm_resource --list-agents ocf:none', 1, "No agents found for standard 'ocf' and provider 'none'"],
    ['crm_verify -X <cib/>', 78, 'config not valid'],
    ['crm_verify -X what', 1, "Couldn't parse input"],
    ['crm_verify -x /nowhere', 66, "can't be read"],
    ['stonith_admin -M -a fence_nope', 105, "Can't get fence agent meta-data"],
    ['stonith_admin -Q none', 105, 'Could not find fence device'],
    ['stonith_admin', 64, 'is needed'],
    ['cibadmin --query --xpath //nothing', 105, 'nothing in the CIB matches'],
    ['crm_mon -1 --include=surprise', 64, '--include options: all'],
    ['crm_mon -1 what', 64, "what is 'what' for"],
    ['crm_mon -d', 64, '--daemonize requires'],
    ['crm_mon -1 -W', 3, 'is not done here'],
  ])('%s fails with %d', async (line, exitCode, message) => {
    const result = await call(line);
    expect(result).toMatchObject({ exitCode, stderr: expect.stringContaining(message) as string });
    expect(changes).toEqual([]);
  });

  it('says of a node that the server does not know what Pacemaker says of it', async () => {
    const refused = new ServerRefused(404, 'urn:systole:problem:node-not-found', 'the cluster has no node nowhere');
    const cluster = {
      node: 'n1',
      nodeId: '1',
      clusterName: 'c',
      transient,
      setAttributes: () => Promise.reject(refused),
      cib: () => Promise.resolve(CIB),
      request: () => Promise.reject(refused),
    };
    const result = await runTool({ tool: 'crm_attribute', args: ['-N', 'nowhere', '-n', 'x', '-v', '1'], env: {} }, cluster);
    expect(result).toEqual({ stdout: '', stderr: 'crm_attribute: Could not map name=nowhere to a UUID\n', exitCode: 105 });
  });

  it('is refused with what Pacemaker ends with, and why, where the cluster lets nobody set it', async () => {
    const refused = new ServerRefused(
      403,
      'https://systole.dev/problems/attribute-reserved',
      'standby is acted upon by the cluster itself',
    );
    const cluster = { node: 'n1', nodeId: '1', clusterName: 'c', transient, cib: () => Promise.resolve(CIB) };
    const refuse = { setAttributes: () => Promise.reject(refused), request: () => Promise.reject(refused) };
    for (const [tool, ...args] of [
      ['crm_attribute', '-N', 'n2', '-n', 'standby', '-v', 'on'],
      ['crm_standby', '-N', 'n2', '-v', 'on'],
      ['attrd_updater', '-N', 'n2', '-n', 'terminate', '-U', '1'],
    ] as const) {
      expect(await runTool({ tool, args, env: {} }, { ...cluster, ...refuse }), tool).toEqual({
        ...{ stdout: '', exitCode: 4 },
        stderr: `${tool}: Error performing operation: Permission denied\nstandby is acted upon by the cluster itself\n`,
      });
    }
  });

  it('fails, and says why, where the server refuses the name of an attribute that the tool let through', async () => {
    const why = 'the name "a\\u{200b}" of an attribute holds U+200B, which can\'t be seen: write it without';
    const refused = new ServerRefused(422, 'https://systole.dev/problems/invalid-argument', why);
    const cluster = { node: 'n1', nodeId: '1', clusterName: 'c', transient, cib: () => Promise.resolve(CIB) };
    const refuse = { setAttributes: () => Promise.reject(refused), request: () => Promise.reject(refused) };
    const { exitCode, stderr } = await runTool({ tool: 'attrd_updater', args: ['-n', 'a', '-U', '1'], env: {} }, { ...cluster, ...refuse });
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr).toContain(why);
  });

  it('fails like a tool without its cluster when the server is away', async () => {
    const cluster = {
      node: 'n1',
      nodeId: '1',
      clusterName: 'c',
      setAttributes: () => Promise.reject(new ServerUnavailable('gone')),
      transient,
      cib: () => Promise.resolve(''),
      request: () => Promise.reject(new ServerUnavailable('gone')),
    };
    expect(await runTool({ tool: 'attrd_updater', args: ['-n', 'x', '-U', '1'], env: {} }, cluster)).toMatchObject({ exitCode: 102 });
  });
});

it.each(['toString', '__proto__', 'crm_nothing'])('there is no tool %s', async (tool) => {
  expect(await call(tool)).toEqual({ stdout: '', stderr: `${tool}: there is no tool ${tool}\n`, exitCode: 64 });
});

describe('a program of another account than root', () => {
  const asked: string[] = [];
  const note = (what: string) => (): Promise<never> => {
    asked.push(what);
    return Promise.reject(new Error(`not ${what}`));
  };
  async function reads(line: string, env: Readonly<Record<string, string>> = {}): Promise<ToolResult> {
    const [tool = '', ...args] = line.split(' ');
    const writes = { setAttributes: note('attributes'), request: note('request'), force: note('force') };
    const cluster = { ...{ node: 'n1', nodeId: '1', clusterName: 'west', transient, ...writes }, cib: () => Promise.resolve(CIB) };
    return runTool({ tool, args, env, isReader: true }, cluster);
  }

  it.each([
    ['crm_attribute --query -n cluster-name -q', 'west\n'],
    ['crm_node -n', 'n1\n'],
    ['attrd_updater -n master-db -Q', 'name="master-db" host="n1" value="10"\n'],
    ['crm_resource -r db -g state', '/x\n'],
  ])('asks: %s', async (line, stdout) => {
    expect(await reads(line)).toEqual({ stdout, stderr: '', exitCode: 0 });
  });

  it.each([
    'crm_attribute -n x -v 1 -l reboot',
    'crm_attribute -t crm_config -n x_y -v 1',
    'crm_attribute -t op_defaults -n timeout -v 1',
    'attrd_updater -n x -U 1',
    'attrd_updater -n x -U 1 --private',
    'attrd_updater -n secret -D',
    'crm_standby -v on',
    'crm_resource -r db --ban',
    'crm_resource -r db --force-start',
    'crm_resource -C -r db',
    'crm_failcount -r db -D',
    'crm_ticket -t T -g --force',
    'crm_node -R n2 --force',
    'cibadmin -D --xpath //primitive',
    'cibadmin -M --xml-text <op/>',
    'stonith_admin --fence n2',
    'stonith_admin --confirm n2',
    'crm_verify -x /etc/passwd',
    'cibadmin -R -x /etc/passwd',
    'crm_resource --show-metadata ocf:heartbeat:Dummy',
    'stonith_admin --metadata -a fence_dummy',
  ])('has nothing changed, read or run for it: %s', async (line) => {
    asked.length = 0;
    const { exitCode, stdout } = await reads(line);
    expect([exitCode, stdout]).toEqual([4, '']);
    expect(asked).toEqual([]);
  });

  it('sees nothing private, and no file in the place of the cluster', async () => {
    expect((await reads('attrd_updater -n secret -Q')).exitCode).toBe(78);
    told.push({ node: 'n2', name: 'lsn_location-db', value: '3#117', private: true });
    expect(await reads('attrd_updater -n lsn_location-db -QA')).toMatchObject({ exitCode: 78, stdout: '' });
    told.pop();
    expect(await reads('cibadmin -Q', { CIB_file: '/etc/passwd' })).toMatchObject({ exitCode: 4, stdout: '' });
  });
});

describe('what the tools say is what counts', () => {
  const cib = `<cib validate-with="none" have-quorum="1"><configuration>
    <crm_config>
      <cluster_property_set id="weak"><nvpair id="w" name="stonith-enabled" value="true"/></cluster_property_set>
      <cluster_property_set id="strong" score="9"><nvpair id="s" name="stonith-enabled" value="false"/></cluster_property_set>
    </crm_config>
    <nodes><node id="1" uname="n1">
      <instance_attributes id="i"><nvpair id="i1" name="site" value="a"/><nvpair id="i2" name="standby" value="on"/></instance_attributes>
      <instance_attributes id="j" score="5"><rule id="r-j"><expression id="e-j" attribute="#uname" operation="defined"/></rule><nvpair id="j1" name="site" value="b"/></instance_attributes>
    </node></nodes>
    <resources>
      <template id="t" class="ocf" provider="systole" type="Dummy"><instance_attributes id="tp"><nvpair id="tp1" name="state" value="/t"/></instance_attributes></template>
      <clone id="k"><meta_attributes id="km"><nvpair id="k1" name="promotable" value="yes"/><nvpair id="k2" name="is-managed" value="off"/></meta_attributes>
        <primitive id="db" template="t"><instance_attributes id="p"><nvpair id="p1" name="ip" value="1"/></instance_attributes>
          <instance_attributes id="q" score="5"><rule id="r-q"><expression id="e-q" attribute="#uname" operation="eq" value="n1"/></rule><nvpair id="q1" name="ip" value="2"/></instance_attributes>
        </primitive></clone>
    </resources><constraints/>
    <rsc_defaults><meta_attributes id="d"><nvpair id="d1" name="resource-stickiness" value="7"/></meta_attributes></rsc_defaults>
  </configuration><status><node_state id="1" uname="n1" crmd="online" in_ccm="true" join="member" expected="member">
    <transient_attributes id="1"><instance_attributes id="ta"><nvpair id="ta1" name="standby" value="off"/></instance_attributes></transient_attributes>
  </node_state></status></cib>`;

  it.each([
    ['crm_attribute --type crm_config --name stonith-enabled -q', 'false'],
    ['crm_attribute --type crm_config --name fencing-enabled -q', 'false'],
    ['crm_attribute --node n1 --name site --lifetime forever -q', 'a'],
    ['crm_resource -r db -g state', '/t'],
    ['crm_resource -r db:0 -g ip', '2'],
    ['crm_resource -r db -m -g resource-stickiness', '7'],
  ])('%s', async (line, expected) => {
    expect((await call(line, cib)).stdout.trim()).toBe(expected);
  });

  it('in the output of crm_mon', async () => {
    const { stdout } = await call('crm_mon -1 -X', cib);
    expect(stdout).toContain('<node name="n1" id="1" online="true" standby="false"');
    expect(stdout).toContain(
      '<resource id="db" resource_agent="ocf:systole:Dummy" role="Stopped" active="false" orphaned="false" blocked="false" managed="false"',
    );
  });
});
