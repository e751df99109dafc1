import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Embedded } from '@systole/embedded';
import type { ScratchDatabase } from '@systole/event-store/testing';
import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EXIT } from './exit-code.js';
import { CommandLine, type Given, type Outcome } from './testing/command-line.js';

const CIB = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0">
  <configuration>
    <crm_config>
      <cluster_property_set id="options"><nvpair id="fencing-off" name="stonith-enabled" value="false"/></cluster_property_set>
    </crm_config>
    <nodes><node id="1" uname="n1"/></nodes>
    <resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources>
    <constraints/>
  </configuration>
  <status/>
</cib>
`;

let commandLine: CommandLine;
let database: ScratchDatabase;
let server: Embedded;
let directory: string;
let token: string;

beforeAll(async () => {
  commandLine = await CommandLine.start();
  ({ database, server, directory, token } = commandLine);
});

afterAll(() => commandLine.stop());

function systole(args: readonly string[], given?: Given): Promise<Outcome> {
  return commandLine.systole(args, given);
}

/** Its output, when it went well. */
async function done(args: readonly string[], stdin?: string): Promise<string> {
  const { code, out, err } = await systole(args, stdin === undefined ? {} : { stdin });
  expect(err === '' ? code : err).toBe(EXIT.ok);
  return out;
}

describe('systole', () => {
  it('works from the login to the deletion of a cluster', async () => {
    expect(await systole(['status'])).toMatchObject({ code: EXIT.usage });
    expect(await systole(['login', server.url], { stdin: 'not-a-token-of-this-server' })).toMatchObject({ code: EXIT.denied });
    expect(await done(['login', server.url], token)).toContain('systole cluster create');
    const config = join(directory, 'config.json');
    expect((await stat(config)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(config, 'utf8'))).toEqual({ logins: [{ server: server.url, token }] });

    const file = join(directory, 'cib.xml');
    await writeFile(file, CIB);
    await done(['cluster', 'create', 'prod', '--cib', file, '--reason', 'as agreed']);
    expect(await done(['cluster', 'list'])).toMatch(/^prod /m);
    expect(await systole(['cluster', 'create', 'prod'])).toMatchObject({ code: EXIT.conflict });

    const status = await done(['status']);
    expect(status).toMatch(/^prod {2}version \d+/);
    expect(status).toMatch(/n1 +offline +its agent was never heard of/);
    expect(status).toMatch(/db +ocf:systole:Dummy +Unknown/);
    expect(JSON.parse(await done(['status', '--json']))).toMatchObject({ name: 'prod', resources: [{ id: 'db' }] });
    expect(await done(['status', '--resource', 'db', '--node', 'n1', '--output', 'yaml'])).toContain('name: prod\n');
    expect(await systole(['status', '--tag', 'none'])).toMatchObject({
      code: EXIT.failed,
      err: expect.stringContaining('no tag none') as string,
    });
    expect(await done(['status', '--wrong', '--at', '1'])).toMatch(/^prod .*\nAS OF .* Nobody knows of then: leases, .*n1 +offline/ms);
    expect(await done(['status', '--output', 'xml'])).toMatch(/^<pacemaker-result .*<resource id="db" .*<\/pacemaker-result>\n$/s);
    expect(await done(['config', 'show', '--at', '0s'])).toBe(await done(['config', 'show']));
    expect(await systole(['status', '--at', 'x'])).toMatchObject({ code: EXIT.failed });

    expect(await done(['explain'])).toMatch(/^Version 1, .*db +Stopped +no node can run it: n1: offline$.*nothing to do/ms);
    expect(await done(['explain', 'db', '--at', '1'])).toMatch(/^db {2}Stopped$.*n1 \(offline\) +0$/ms);
    expect(JSON.parse(await done(['explain', 'db', '--json']))).toMatchObject({
      placements: [{ resource: 'db', candidates: [{ parts: [] }] }],
    });
    expect(await systole(['explain', 'dbb'])).toMatchObject({
      code: EXIT.failed,
      err: expect.stringContaining('there is no resource dbb: did you mean db?') as string,
    });
    expect(await systole(['explain', '--transition', '1'])).toMatchObject({ code: EXIT.failed });
    expect(await systole(['explain', '--transition', '1', '--at', '1'])).toMatchObject({ code: EXIT.usage });

    const exported = await done(['cib', 'export']);
    expect(exported).toContain('<primitive id="db"');
    expect((await systole(['cib', 'export', '--for', 'pacemaker-2.1'])).out).toContain('validate-with="pacemaker-3.9"');
    const longer = exported.replace('</resources>', '<primitive id="ip" class="ocf" provider="systole" type="Dummy"/></resources>');
    expect(await done(['cib', 'diff', '-'], longer)).toMatch(/Dry run.*\+ primitive ip/s);
    expect(await done(['cib', 'export'])).toBe(exported);
    expect(await done(['cib', 'import', '-', '--reason', 'an address'], longer)).toContain('+ primitive ip');
    expect(await systole(['cib', 'import', '-', '--if-version', '1'], { stdin: exported })).toMatchObject({ code: EXIT.conflict });
    const refused = await systole(['cib', 'import', '-', '--overwrite'], { stdin: longer.replace('id="ip"', 'id="db"') });
    expect(refused).toMatchObject({ code: EXIT.failed });
    expect(refused.err).toMatch(/line \d+, \/cib\/configuration/);

    expect(await done(['node', 'standby', 'n1', '--dry-run'])).toMatch(
      /Dry run.*n1: standby = on.*Changes.*<nvpair .*name="standby" value="on"/s,
    );
    // No node ever joined, so nothing can be computed: the cluster is not settled.
    expect(await systole(['node', 'standby', 'n1', '--wait', '1'])).toMatchObject({ code: EXIT.unsettled });
    expect(await done(['cib', 'export'])).toContain('name="standby" value="on"');
    expect(await done(['node', 'list'])).toMatch(/^n1 +offline/);
    await done(['node', 'unstandby', 'n1']);
    expect(await systole(['node', 'confirm-down', 'n1'])).toMatchObject({ code: EXIT.usage });
    expect(await systole(['node', 'standby', 'n9'])).toMatchObject({ code: EXIT.failed, err: expect.stringContaining('n9') as string });
    expect(await systole(['resource', 'cleanup', 'db', '--node', 'n1'])).toMatchObject({ code: EXIT.ok });

    const events = await done(['events', '--type', 'ConfigurationChanged', '--json']);
    expect(events.trim().split('\n')).toHaveLength(1);
    expect(await done(['events', '--actor', 'user:admin'])).toMatch(/cluster prod created by user:admin \(as agreed\).*an address/s);
    expect(await done(['simulate', file, '--now', '1700000000'])).toMatch(/^Actions/);
    expect(await done(['simulate', file, '--explain', 'db'])).toMatch(/^db {2}Stopped\n {2}no node can run it: n1: offline$/m);

    const secret = await systole(['token', 'create', 'n1', '--role', 'agent', '--node', 'n1', '--reason', 'a new node']);
    expect(secret.out).toMatch(/^\S{20,}\n$/);
    const [, id = ''] = /^(\S+) +n1 +agent/m.exec(await done(['token', 'list'])) ?? [];
    expect(await done(['token', 'revoke', id, '--reason', 'a mistake'])).toContain(id);
    expect(await done(['audit', 'list'])).toMatch(/token issued: n1, agent of n1 .*: a new node\n.*token withdrawn .*: a mistake\n/s);
    expect(await systole(['token', 'revoke', id])).toMatchObject({ code: EXIT.failed });

    expect(await done(['admin', 'verify'])).toMatch(/^Intact: \d+ events of 1 clusters/);
    expect(await done(['admin', 'rebuild'])).toContain('1 clusters');
    expect(await done(['cib', 'export'])).toBe(await done(['cib', 'export', '--cluster', 'prod']));

    expect(await systole(['cluster', 'delete', 'prod'])).toMatchObject({ code: EXIT.usage });
    expect(await done(['cluster', 'delete', 'prod', '--yes', '--wait', '--reason', 'moved'])).toMatch(
      /cluster deleted by you \(moved\)$.*^The cluster is deleted \(version \d+\)\.$/ms,
    );
    expect(await done(['cluster', 'list'])).toContain('no cluster yet');
  });

  it('steers resources, tickets, nodes and the cluster by name', async () => {
    const elsewhere = ['--cluster', 'steered'];
    await done(['login', server.url], token);
    await done(['cluster', 'create', 'steered', '--cib', '-'], CIB);
    const on = (args: readonly string[]): Promise<string> => done([...args, ...elsewhere]);
    const tried = (args: readonly string[]): Promise<Outcome> => systole([...args, ...elsewhere]);
    expect(await on(['resource', 'disable', 'db', '--safe', '--dry-run', '--reason', 'backup'])).toMatch(/Dry run.*target-role/s);
    expect(await on(['resource', 'disable', 'db', '--reason', 'backup'])).toContain('target-role');
    expect(await on(['resource', 'enable', 'db'])).toContain('target-role');
    expect(await tried(['resource', 'move', 'db'])).toMatchObject({
      code: EXIT.conflict,
      err: expect.stringContaining('active nowhere') as string,
    });
    expect(await on(['resource', 'ban', 'db', 'n1', '--lifetime', 'PT2H'])).toMatch(
      /Warning: no node is left where db may run.*cli-ban-db-on-n1/s,
    );
    expect(await on(['resource', 'clear', 'db', '--expired'])).toContain('Nothing to do');
    expect(await on(['resource', 'clear', 'db', 'n1'])).toContain('cli-ban-db-on-n1');
    expect(await tried(['resource', 'promote', 'db'])).toMatchObject({ code: EXIT.failed });
    expect(await tried(['resource', 'restart', 'db'])).toMatchObject({ code: EXIT.conflict });
    for (const command of ['unmanage', 'manage', 'maintenance', 'unmaintenance']) await on(['resource', command, 'db']);
    expect(await on(['resource', 'failcount'])).toContain('Nothing has failed');
    await on(['resource', 'cleanup', '--operation', 'monitor', '--interval', '10000']);
    await on(['resource', 'refresh']);

    expect(await on(['ticket', 'list'])).toContain('no ticket');
    expect(await on(['ticket', 'grant', 'site-a', '--reason', 'failover'])).toContain('ticket site-a granted (by you) (failover)');
    expect(await on(['ticket', 'standby', 'site-a'])).toContain('site-a in standby');
    expect(await on(['ticket', 'list'])).toMatch(/^site-a +granted, standby/m);
    await on(['ticket', 'unstandby', 'site-a']);
    await on(['ticket', 'revoke', 'site-a']);

    expect(await on(['cluster', 'maintenance', '--dry-run'])).toContain('maintenance-mode');
    await on(['cluster', 'maintenance']);
    await on(['cluster', 'unmaintenance']);
    expect(await on(['cluster', 'standby', 'n1'])).toContain('standby');
    await on(['cluster', 'unstandby']);
    await on(['node', 'attribute', 'set', 'n1', 'rack', 'r1']);
    expect(await on(['node', 'attribute', 'list', 'n1'])).toMatch(/^rack +r1 +for ever/m);
    await on(['node', 'attribute', 'clear', 'n1', 'rack']);
    await on(['node', 'utilization', 'set', 'n1', 'cpu', '4']);
    expect(await on(['node', 'utilization', 'list', 'n1'])).toMatch(/^cpu +4/m);
    await on(['node', 'utilization', 'clear', 'n1', 'cpu']);
    expect(await tried(['node', 'remove', 'n1'])).toMatchObject({ code: EXIT.usage });
    expect(await on(['node', 'remove', 'n1', '--dry-run'])).toContain('- node 1');
    expect(await on(['events', '--type', 'ConfigurationChanged'])).toMatch(/disable-resource resource=db: ~ primitive db \(backup\)/);
    expect(await on(['events', '--subject', 'resource:db', '--text', 'BACKUP', '--since', '1h'])).toMatch(/disable-resource/);
    expect(await on(['events', '--format', 'csv', '--text', 'backup'])).toMatch(/^version,occurredAt,.*\r\n\d+,.*ConfigurationChanged/);
    expect(await on(['history', 'db'])).toMatch(/^configuration .*disable-resource resource=db/m);
    expect(await on(['restore', '1', '--dry-run'])).toContain('Dry run');
    expect(await tried(['restore', '9999'])).toMatchObject({ code: EXIT.failed });
  });

  it('gives a new resource the operations that its agent advertises', async () => {
    await done(['login', server.url], token);
    await done(['cluster', 'create', 'advertised', '--cib', '-'], CIB);
    const on = (line: string): Promise<string> => done([...line.split(' '), '--cluster', 'advertised']);
    const secret = await systole(['token', 'create', 'n1', '--role', 'agent', '--node', 'n1', '--cluster', 'advertised']);
    const agentToken = secret.out.trim();
    const tell = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
      const headers = { authorization: `Bearer ${agentToken}`, 'content-type': 'application/json' };
      const answer = await fetch(`${server.url}/v1/agent/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(200);
      return (await answer.json()) as Readonly<Record<string, unknown>>;
    };
    const { incarnation } = await tell('join', { protocol: PROTOCOL, agentVersion: '1', bootId: 'boot' });
    const state = { class: 'ocf', provider: 'systole', type: 'State', digest: 's1' };
    const device = { class: 'stonith', type: 'fence_test', digest: 'f1' };
    const dummy = { class: 'ocf', provider: 'systole', type: 'Dummy', digest: 'd1' };
    await tell('installed-agents', { incarnation, classes: ['ocf', 'stonith'], agents: [state, device, dummy] });
    const action = (name: string, timeoutMs: number, more = {}): object => ({
      name,
      timeoutMs,
      automatic: false,
      onTarget: false,
      ...more,
    });
    const actions = [
      ...[action('start', 40_000), action('stop', 50_000), action('promote', 30_000), action('meta-data', 5_000)],
      ...['Master', 'Slave'].map((role) => action('monitor', 20_000, { intervalMs: 10_000, role })),
    ];
    await tell('agent-descriptions', { incarnation, ...state, metadata: { name: 'State', parameters: [], actions } });
    await tell('agent-descriptions', { incarnation, ...device, metadata: { name: 'fence_test', parameters: [], actions } });

    const line = 'resource create state ocf:systole:State op stop timeout=3min promotable';
    for (const dryRun of [' --dry-run', '']) {
      expect(await on(`${line}${dryRun}`)).toMatch(
        /\nOperations that were added, as ocf:systole:State advertises them: monitor interval=10s timeout=20s role=Promoted, monitor interval=11s timeout=20s role=Unpromoted, start timeout=40s, promote timeout=30s\n/,
      );
    }
    await on('resource create plain ocf:systole:State --no-default-ops');
    await on('resource create device stonith:fence_test op monitor timeout=1min');
    const shown = async (id: string): Promise<unknown> => JSON.parse(await on(`get resource ${id} --output json`));
    expect(await shown('state')).toMatchObject({
      operations: [
        ...[{ id: 'state-stop-interval-0s', name: 'stop', interval: '0s', timeout: '3min' }],
        ...[
          { name: 'monitor', interval: '10s', timeout: '20s', role: 'Promoted' },
          { interval: '11s', role: 'Unpromoted' },
        ],
        ...[{ id: 'state-start-interval-0s', timeout: '40s' }, { name: 'promote' }],
      ],
    });
    expect(await shown('plain')).toMatchObject({ operations: [{ name: 'monitor' }, { name: 'monitor' }] });
    expect(await shown('device')).toMatchObject({ operations: [{ name: 'monitor', interval: '60s', timeout: '1min' }] });
    expect(await on('cib verify')).toContain('warning: db: it has no recurring monitor');
  });

  it('makes and changes a configuration in the words of pcs and crmsh', async () => {
    const elsewhere = ['--cluster', 'made'];
    await done(['login', server.url], token);
    await done(['cluster', 'create', 'made', '--cib', '-'], CIB);
    const on = (line: string, ...more: string[]): Promise<string> => done([...line.split(' '), ...more, ...elsewhere]);
    const tried = (line: string, stdin = ''): Promise<Outcome> => systole([...line.split(' '), ...elsewhere], { stdin });
    const shown = async (id: string): Promise<unknown> => JSON.parse(await on(`get resource ${id} --output json`));

    const made = await on(
      'resource create ip ocf:heartbeat:IPaddr2 ip=192.0.2.1 op monitor interval=10s timeout=20s meta priority=5 group site',
    );
    expect(made).not.toContain('Operations that were added');
    expect(await shown('ip')).toEqual({
      ...{ element: 'primitive', id: 'ip', class: 'ocf', provider: 'heartbeat', type: 'IPaddr2', parent: 'site' },
      ...{ instance_attributes: { ip: '192.0.2.1' }, meta_attributes: { priority: '5' } },
      operations: [{ id: 'ip-monitor-interval-10s', name: 'monitor', interval: '10s', timeout: '20s' }],
    });
    await on('resource create web systemd:nginx group site --before ip');
    await on('resource create pg ocf:heartbeat:pgsql promotable notify=true');
    expect(await on('resource create never ocf:heartbeat:Dummy --dry-run')).toMatch(
      /^Dry run .*\nOperations that were added, no node has told what ocf:heartbeat:Dummy advertises: monitor interval=60s\n.*\+ primitive never.*<op .*interval="60s"/s,
    );
    expect(await tried('resource config never')).toMatchObject({ code: EXIT.failed });
    expect(await tried('resource create wrong Dummy')).toMatchObject({ code: EXIT.usage });

    await on('resource update ip cidr_netmask=24 op monitor timeout=30s start timeout=1min meta priority=');
    expect(await shown('ip')).toMatchObject({
      instance_attributes: { ip: '192.0.2.1', cidr_netmask: '24' },
      operations: [{ timeout: '30s' }, { name: 'start', timeout: '1min' }],
    });
    expect(await shown('ip')).not.toHaveProperty('meta_attributes');
    await on('resource op add ip monitor interval=60s OCF_CHECK_LEVEL=10');
    const deep = async (): Promise<unknown> => ((await shown('ip')) as { operations: readonly object[] }).operations.at(-1);
    expect(await deep()).toMatchObject({ interval: '60s', instance_attributes: { OCF_CHECK_LEVEL: '10' } });
    await on('resource update ip op monitor interval=60s OCF_CHECK_LEVEL=');
    expect(await deep()).not.toHaveProperty('instance_attributes');
    await on('resource op delete ip monitor interval=60s');
    await on('resource group add site db --after web');
    await on('resource group remove site db');
    await on('resource clone db copies interleave=true');
    await on('resource unclone db');
    await on('resource meta site resource-stickiness=100');

    await on('constraint location add site n1 100 --id other');
    await on('constraint location add site n1 10 --role Promoted --id promoted');
    expect(await on('constraint location add site n1 50 --dry-run')).toMatch(
      /^Dry run .*\nIn place of other, with the score 100: scores for one node would add up\n.*- rsc_location other .*\+ rsc_location /s,
    );
    expect(await on('constraint location add site n1 50')).toContain('In place of other');
    expect(await on('constraint location add site n1 50')).toContain('Nothing to do');
    await on('constraint delete promoted');
    await on('constraint colocation add site pg-clone --with-role Promoted --reason', 'with its database');
    await on('constraint order add pg-clone site --first-action promote --then-action start');
    await on('constraint ticket add site-a pg-clone --loss-policy stop');
    expect(await on('constraint list')).toBe(
      [
        'location location-site-n1-50 site 50: n1',
        'colocation colocation-site-pg-clone-INFINITY site with pg-clone:Promoted INFINITY',
        'order order-pg-clone-site pg-clone:promote then site:start',
        'ticket ticket-site-a-pg-clone site-a pg-clone loss-policy=stop\n',
      ].join('\n'),
    );
    const [line, ...none] = (await on('constraint location list --output json')).trimEnd().split('\n');
    expect([none, JSON.parse(line ?? '')]).toEqual([
      [],
      { items: [{ element: 'rsc_location', id: 'location-site-n1-50', rsc: 'site', node: 'n1', score: '50' }] },
    ]);
    expect(await on('constraint list --json')).toBe(await on('constraint list --output json'));
    expect(await on('property list --output json')).toBe('{"element":"crm_config","cluster_property_set":{"stonith-enabled":"false"}}\n');
    expect(await on('acl list --output json')).toBe('{"items":[]}\n');
    expect((await on('config show --output json')).trimEnd()).not.toContain('\n');
    await on('constraint ticket delete ticket-site-a-pg-clone');
    await on('constraint location add db n1 -INFINITY --role Started --id never');
    expect(await tried('constraint location add db n1 --rle Started')).toMatchObject({ code: EXIT.usage });
    await on('constraint delete never');
    const inUse = await tried('resource delete pg-clone');
    expect([inUse.code, inUse.err]).toEqual([EXIT.conflict, expect.stringMatching(/refers to "pg-clone".*or give --cascade/)]);
    expect(await on('resource delete pg-clone --cascade --dry-run')).toMatch(/- rsc_colocation .*- rsc_order /s);

    await on('property set no-quorum-policy=stop');
    expect(await on('property list')).toBe('property stonith-enabled=false\nproperty no-quorum-policy=stop\n');
    await on('property unset no-quorum-policy');
    expect(await tried('property unset no-quorum-policy')).toMatchObject({ code: EXIT.usage });
    await on('resource defaults set resource-stickiness=1');
    await on('resource op defaults set timeout=60s');
    await on('resource create power stonith:fence_ipmilan pcmk_host_list=n1');
    await on('fencing level add 1 n1 power');
    expect(await tried('fencing level add 1 n1 power')).toMatchObject({
      code: EXIT.failed,
      err: expect.stringContaining('is there already: fl-n1-1 has the same target, index and devices') as string,
    });
    expect(await on('fencing levels list')).toBe('fencing-level fl-n1-1 n1 1: power\n');
    await on('fencing level delete 1 n1');
    await on('tag create important ip web');
    await on('tag remove important web');
    await on('alert create /bin/mail --option to=root');
    await on('alert recipient add alert root');
    await on('alert create /bin/page --id page --select nodes --select attribute=temp');
    expect(await on('get alert page')).toMatch(/select_nodes[^]*select_attributes[^]*temp/);
    expect(await tried('alert create /bin/page --select odd')).toMatchObject({ code: EXIT.usage });
    expect(await on('alert runs')).toBe('No run.\n');
    expect(await tried('alert test page')).toMatchObject({ code: EXIT.conflict, err: 'systole: no node is there that could run it\n' });
    await on('alert delete page');
    await on('acl role create ro read xpath /cib');
    await on('acl user create joe ro');
    expect(await on('config show')).toBe(
      [
        'primitive db ocf:systole:Dummy',
        'group site',
        '    meta resource-stickiness=100',
        '    primitive web systemd:nginx',
        '        op monitor interval=60s',
        '    primitive ip ocf:heartbeat:IPaddr2',
        '        params ip=192.0.2.1 cidr_netmask=24',
        '        op monitor interval=10s timeout=30s',
        '        op start interval=0s timeout=1min',
        'clone pg-clone',
        '    meta promotable=true notify=true',
        '    primitive pg ocf:heartbeat:pgsql',
        '        op monitor interval=60s',
        'primitive power stonith:fence_ipmilan',
        '    params pcmk_host_list=n1',
        '    op monitor interval=60s',
        'location location-site-n1-50 site 50: n1',
        'colocation colocation-site-pg-clone-INFINITY site with pg-clone:Promoted INFINITY',
        'order order-pg-clone-site pg-clone:promote then site:start',
        'node 1 n1',
        'tag important ip',
        'alert alert /bin/mail',
        '    params to=root',
        '    recipient alert-recipient value=root',
        'acl-role ro',
        '    acl_permission ro-read kind=read xpath=/cib',
        'acl-user joe ro',
        'property stonith-enabled=false',
        'resource defaults resource-stickiness=1',
        'op defaults timeout=60s\n',
      ].join('\n'),
    );
    expect(await on('events --type ConfigurationChanged')).toContain('with its database');

    expect(await tried('patch primitive ip -p @-', '[{op: test, path: /type, value: Wrong}]')).toMatchObject({ code: EXIT.conflict });
    await on('patch primitive ip description=address');
    await on('move primitive ip --before web --parent site');
    expect(JSON.parse(await on('get group site --output json'))).toMatchObject({
      primitive: [{ id: 'ip', description: 'address' }, { id: 'web' }],
    });
    expect(await tried('get wish')).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('there is no "wish"') as string });
    expect(await tried('create group')).toMatchObject({
      code: EXIT.failed,
      err: expect.stringContaining('needs the attribute id') as string,
    });
    // What is surely not meant is refused with the option that takes it all the same, which every such command has.
    const misspelt = 'property set no-quorum-policy=freze';
    const refused = await tried(misspelt);
    expect(refused.code).not.toBe(EXIT.ok);
    expect(refused.err).toContain('--force');
    expect(await on(misspelt, '--force')).toContain('freze');
    expect(await on('property set no-quorum-policy=stop')).toContain('stop');
  });

  it('applies, edits and compares a configuration, and loses no update of others', async () => {
    const elsewhere = ['--cluster', 'edited'];
    await done(['login', server.url], token);
    await done(['cluster', 'create', 'edited', '--cib', '-'], CIB);
    const on = (args: readonly string[], stdin?: string): Promise<string> => done([...args, ...elsewhere], stdin);
    const version = async (): Promise<string> => /version (\d+)/.exec(await on(['status']))?.[1] ?? '';
    const file = join(directory, 'desired.yaml');
    await writeFile(
      file,
      [
        'properties: { cluster_property_set: { no-quorum-policy: stop } }',
        'resources:',
        '  - { element: primitive, id: db, class: ocf, provider: systole, type: Dummy, meta_attributes: { priority: 5 } }',
        '  - element: group',
        '    id: site',
        '    primitive: [{ id: ip, class: ocf, provider: systole, type: Dummy }]',
        'constraints: [{ element: rsc_order, first: db, then: site }]',
      ].join('\n'),
    );
    expect(await on(['config', 'diff', file])).toMatch(/^Dry run.*\+ group site.*\+ meta_attributes db-meta_attributes/s);
    expect(await on(['config', 'apply', file, '--reason', 'from git'])).toContain('+ group site');
    expect(await on(['config', 'apply', file])).toContain('Nothing to do');
    const applied = await version();
    expect(await on(['config', 'apply', '-'], '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>')).toContain(
      '- meta_attributes',
    );
    expect(await on(['config', 'diff', '--from', '1', '--to', applied])).toContain('+ group site');
    expect(await on(['config', 'apply', '-', '--prune', '--dry-run'], 'constraints: []')).toContain('- rsc_order');
    expect(await on(['config', 'show', 'constraints', '--output', 'xml'])).toContain('<rsc_order id="order-db-site"');
    expect(await on(['config', 'show', 'properties', '--output', 'yaml'])).toContain('no-quorum-policy: stop');
    expect(await on(['config', 'show', '--at', '1'])).not.toContain('group site');
    for (const wrong of ['resources: [', 'just a text', '<cib', '<resources/>']) {
      expect(await systole(['config', 'apply', '-', ...elsewhere], { stdin: wrong }), wrong).toMatchObject({ code: EXIT.usage });
    }

    const editor = join(directory, 'editor.sh');
    const edit = (script: string, ...args: string[]): Promise<Outcome> =>
      writeFile(editor, script).then(() =>
        systole(['config', 'edit', ...args, ...elsewhere], { environment: { PATH: process.env['PATH'], EDITOR: `sh ${editor}` } }),
      );
    expect(await edit('true')).toMatchObject({ code: EXIT.ok, out: 'Nothing was edited.\n' });
    expect(await edit(`sed -i 's/id: ip$/id: address/' "$1"`)).toMatchObject({
      code: EXIT.ok,
      out: expect.stringContaining('+ primitive address') as string,
    });
    expect(await edit(`sed -i 's/type="Dummy"/type="Stateful"/' "$1"`, 'primitive', 'db', '--format', 'xml')).toMatchObject({
      code: EXIT.ok,
    });
    const broken = await edit(`sed -i 's/type:/tpye:/' "$1"`, 'primitive', 'db');
    expect([broken.code, broken.err]).toEqual([
      EXIT.failed,
      expect.stringMatching(/What you have edited is kept: .*\n.*"tpye" is not known/),
    ]);
    const kept = /is kept: (\S+)/.exec(broken.err)?.[1] ?? '';
    expect(await readFile(kept, 'utf8')).toContain('tpye: Stateful');
    expect(await edit('exit 1')).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('ended with 1') as string });

    // Somebody else changes it while the editor is open.
    const other = `fetch('${server.url}/v1/clusters/edited/configuration/properties', { method: 'PATCH', body: '{"cluster_property_set":{"no-quorum-policy":"freeze"}}', headers: { authorization: 'Bearer ${token}', 'if-match': '*', 'content-type': 'application/merge-patch+json' } })`;
    const late = await edit(
      `'${process.execPath}' -e ${JSON.stringify(other.replaceAll('"', '\\"')).replaceAll('\\\\\\"', '\\"')} && sed -i 's/Stateful/Dummy/' "$1"`,
    );
    expect([late.code, late.err]).toEqual([EXIT.conflict, expect.stringMatching(/Changed since version \d+:.*value="freeze".*is kept: /s)]);
    expect(await on(['get', 'primitive', 'db'])).toContain('Stateful');

    const exported = join(directory, 'exported.xml');
    await on(['cib', 'export', '--output', exported]);
    expect(await on(['cib', 'import', exported])).toContain('Nothing to do');
    await on(['property', 'set', 'no-quorum-policy=stop']);
    const outdated = await systole(['cib', 'import', exported, ...elsewhere]);
    expect([outdated.code, outdated.err]).toEqual([EXIT.conflict, expect.stringMatching(/Changed since version \d+:.*value="stop"/s)]);
    const unmarked = (await readFile(exported, 'utf8')).replace(/<!--[^]*?-->\s*/, '');
    const older = await systole(['cib', 'import', '-', ...elsewhere], { stdin: unmarked });
    expect([older.code, older.err]).toEqual([
      EXIT.usage,
      expect.stringMatching(/value="freeze".*is lower than that of the cluster \(0\.\d+\)/s),
    ]);
    expect(await on(['cib', 'import', exported, '--overwrite'])).toContain('value="freeze"');
    await done(['cluster', 'create', 'copied']);
    expect(await done(['cib', 'import', exported, '--cluster', 'copied'])).toContain('+ ');
  });

  it('says what stands when it is interrupted while it waits', async () => {
    await done(['cluster', 'create', 'left', '--cib', '-'], CIB);
    const waiting = new AbortController();
    const interrupting = systole(['--cluster', 'left', 'resource', 'disable', 'db', '--wait', '50'], { signal: waiting.signal });
    await expect.poll(async () => done(['--cluster', 'left', 'cib', 'export']), { timeout: 10_000 }).toContain('value="Stopped"');
    waiting.abort();
    expect(await interrupting).toEqual({
      code: EXIT.interrupted,
      out: '',
      err: expect.stringMatching(
        /^Interrupted while waiting\. The change was made and stands: version \d+\.\n.*disable-resource.*\n.*systole status --watch/,
      ) as string,
    });
    await done(['cluster', 'delete', 'left', '--yes']);
  });

  it('follows events until it is interrupted', async () => {
    await done(['login', server.url], token);
    await done(['cluster', 'create', 'followed'], '');
    const interruption = new AbortController();
    const following = systole(['events', '--follow', '--cluster', 'followed', '--type', 'ConfigurationChanged'], {
      signal: interruption.signal,
      onOutput: () => {
        interruption.abort();
      },
    });
    await done(['cib', 'import', '-', '--cluster', 'followed'], CIB);
    const { code, out } = await following;
    expect(code).toBe(EXIT.ok);
    expect(out.match(/configuration changed/g)).toHaveLength(1);
  });

  it('lists clusters as people count', async () => {
    for (const name of ['k10', 'k2', 'k1']) await done(['cluster', 'create', name]);
    const listed = JSON.parse(await done(['cluster', 'list', '--json'])) as { readonly items: readonly { readonly name: string }[] };
    expect(listed.items.map(({ name }) => name).filter((name) => /^k\d/.test(name))).toEqual(['k1', 'k2', 'k10']);
  });

  it('shows whatever it shows as a table, JSON or YAML', async () => {
    const first = ['events', '--cluster', 'followed', '-n', '1', '--oldest-first'];
    const shown = (format: string): Promise<string> => done([...first, '--output', format]);
    expect(await shown('json')).toBe(await done([...first, '--json']));
    expect(parse((await shown('yaml')).replace(/^---\n/, ''))).toEqual(JSON.parse(await shown('json')));
    expect(await shown('table')).toBe(await done(first));
    expect((await systole(['cluster', 'list', '--output', 'xml'])).err).toMatch(/table, json, yaml/);
    // Where one is told to write a file, the option is that file's.
    expect((await systole(['status', '--output', 'table', '--cluster', 'followed'])).err).toMatch(/text, yaml, json, xml/);
  });

  it('lists events and histories from either end', async () => {
    const versions = async (...options: string[]): Promise<readonly number[]> => {
      const lines = (await done(['events', '--cluster', 'followed', '-n', '2', '--json', ...options])).trim().split('\n');
      return lines.map((line) => (JSON.parse(line) as { readonly version: number }).version);
    };
    expect(await versions('--oldest-first')).toEqual([1, 2]);
    const [newest = 0, ...others] = await versions('--newest-first');
    expect(others).toEqual([newest - 1]);
    expect(await versions()).toEqual([newest - 1, newest]);
    expect((await systole(['events', '--oldest-first', '--newest-first'])).code).toBe(EXIT.usage);
    expect((await systole(['history', 'r', '--oldest-first', '--newest-first'])).code).toBe(EXIT.usage);
  });

  it('shows how nodes were fenced since somebody has noted to have seen it', async () => {
    const cluster = ['--cluster', 'fenced'];
    await done(['cluster', 'create', 'fenced', '--cib', '-'], CIB);
    const history = async (...more: readonly string[]): Promise<string> => (await systole(['fencing', 'history', ...more, ...cluster])).out;
    expect(await history()).toBe('No node was fenced yet.\n');
    await done(['node', 'confirm-down', 'n1', '--yes', '--reason', 'unplugged', ...cluster]);
    expect(await history()).toContain('n1');
    expect(await history('n1')).toContain('unplugged');
    await done(['fencing', 'history-cleanup', '--reason', 'read it', ...cluster]);
    expect(await history()).toBe('Nothing since it was last seen (--all shows what was before).\n');
    expect(await history('n1')).toBe('Nothing since it was last seen (--all shows what was before).\n');
    expect(await history('--all')).toContain('unplugged');
  });

  it('says where it looked for a database', async () => {
    const nowhere = join(directory, 'nowhere');
    const { code, err } = await systole(['admin', 'verify', '--data-dir', nowhere]);
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(nowhere)]);
    expect((await systole(['admin', 'verify', '--data-dir', nowhere, '--database-url', database.url])).code).toBe(EXIT.usage);
  });

  it('tells a changed event from an intact log', async () => {
    await database.pool.query('ALTER TABLE events DISABLE TRIGGER USER');
    await database.pool.query(`UPDATE events SET actor = 'nobody' WHERE version = 1`);
    const { code, out } = await systole(['admin', 'verify']);
    expect(out).toMatch(/NOT INTACT: changed-content at version 1/);
    expect(code).toBe(EXIT.failed);
  });

  it('says when nothing answers', async () => {
    const { code, err } = await systole(['status', '--server', 'http://127.0.0.1:9', '--token', 'any-token-at-all']);
    expect(code).toBe(EXIT.unreachable);
    expect(err).toContain('http://127.0.0.1:9 cannot be reached');
  });

  it('completes in the shell what it has', async () => {
    expect(await done(['completion', 'bash'])).toContain("'resource group') words='add remove");
    expect(await done(['completion', 'zsh'])).toMatch(/^#compdef systole\n/);
    expect(await done(['completion', 'fish'])).toContain("-a 'constraint' -d '");
    expect(await systole(['completion', 'csh'])).toMatchObject({ code: EXIT.usage });
  });

  it('explains what it does not understand', async () => {
    expect(await systole(['statsu'])).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('status') as string });
    expect(await systole(['events', '--limit', 'many'])).toMatchObject({ code: EXIT.usage });
    expect(await systole(['--help'])).toMatchObject({ code: EXIT.ok, out: expect.stringContaining('Usage: systole') as string });
  });
});
