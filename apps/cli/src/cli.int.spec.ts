import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { startEmbedded, type Embedded } from '@systole/embedded';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from './exit-code.js';
import { run } from './program.js';

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

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Given {
  readonly stdin?: string;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

let database: ScratchDatabase;
let server: Embedded;
let directory: string;
const token = 'an-admin-token-for-the-command-line';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'systole-cli-'));
  database = await createScratchDatabase();
  server = await startEmbedded({ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: token });
});

afterAll(async () => {
  await server.stop();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

async function systole(args: readonly string[], given: Given = {}): Promise<Outcome> {
  let out = '';
  let err = '';
  const code = await run(args, {
    environment: { SYSTOLE_CONFIG: join(directory, 'config.json'), DATABASE_URL: database.url },
    home: directory,
    stdin: Readable.from([given.stdin ?? '']),
    write: (text) => {
      out += text;
      given.onOutput?.(text);
    },
    complain: (line) => {
      err += `${line}\n`;
    },
    interactive: false,
    interrupted: given.signal ?? new AbortController().signal,
  });
  return { code, out, err };
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
    expect(JSON.parse(await readFile(config, 'utf8'))).toEqual({ server: server.url, token });

    const file = join(directory, 'cib.xml');
    await writeFile(file, CIB);
    await done(['cluster', 'create', 'prod', '--cib', file]);
    expect(await done(['cluster', 'list'])).toMatch(/^prod /m);
    expect(await systole(['cluster', 'create', 'prod'])).toMatchObject({ code: EXIT.conflict });

    const status = await done(['status']);
    expect(status).toMatch(/^prod {2}version \d+/);
    expect(status).toMatch(/n1 +offline +its agent was never heard of/);
    expect(status).toMatch(/db +ocf:systole:Dummy +Unknown/);
    expect(JSON.parse(await done(['status', '--json']))).toMatchObject({ name: 'prod', resources: [{ id: 'db' }] });

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
    const longer = exported.replace('</resources>', '<primitive id="ip" class="ocf" provider="systole" type="Dummy"/></resources>');
    expect(await done(['cib', 'diff', '-'], longer)).toMatch(/Dry run.*\+ primitive ip/s);
    expect(await done(['cib', 'export'])).toBe(exported);
    expect(await done(['cib', 'import', '-', '--reason', 'an address'], longer)).toContain('+ primitive ip');
    expect(await systole(['cib', 'import', '-', '--if-version', '1'], { stdin: exported })).toMatchObject({ code: EXIT.conflict });
    const refused = await systole(['cib', 'import', '-'], { stdin: longer.replace('id="ip"', 'id="db"') });
    expect(refused).toMatchObject({ code: EXIT.failed });
    expect(refused.err).toMatch(/line \d+, \/cib\/configuration/);

    expect(await done(['node', 'standby', 'n1', '--dry-run'])).toContain('Dry run');
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
    expect(await done(['events', '--actor', 'user:admin'])).toMatch(/cluster prod created by user:admin.*an address/s);
    expect(await done(['simulate', file, '--now', '1700000000'])).toMatch(/^Actions/);
    expect(await done(['simulate', file, '--explain', 'db'])).toMatch(/^db {2}Stopped\n {2}no node can run it: n1: offline$/m);

    const secret = await systole(['token', 'create', 'n1', '--role', 'agent', '--node', 'n1']);
    expect(secret.out).toMatch(/^\S{20,}\n$/);
    const [, id = ''] = /^(\S+) +n1 +agent/m.exec(await done(['token', 'list'])) ?? [];
    expect(await done(['token', 'revoke', id])).toContain(id);
    expect(await systole(['token', 'revoke', id])).toMatchObject({ code: EXIT.failed });

    expect(await done(['admin', 'verify'])).toMatch(/^Intact: \d+ events of 1 clusters/);
    expect(await done(['admin', 'rebuild'])).toContain('1 clusters');
    expect(await done(['cib', 'export'])).toBe(await done(['cib', 'export', '--cluster', 'prod']));

    expect(await systole(['cluster', 'delete', 'prod'])).toMatchObject({ code: EXIT.usage });
    expect(await done(['cluster', 'delete', 'prod', '--yes', '--wait'])).toMatch(/^The cluster is deleted \(version \d+\)\.$/m);
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
    expect(await on(['events', '--type', 'ConfigurationChanged'])).toMatch(/disable-resource resource=db \(backup\)/);
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

  it('explains what it does not understand', async () => {
    expect(await systole(['statsu'])).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('status') as string });
    expect(await systole(['events', '--limit', 'many'])).toMatchObject({ code: EXIT.usage });
    expect(await systole(['--help'])).toMatchObject({ code: EXIT.ok, out: expect.stringContaining('Usage: systole') as string });
  });
});

describe('status --watch', () => {
  it('says how old its picture is while the server is away', async () => {
    const status = {
      ...{ clusterId: 'c', name: 'prod', version: 7, settled: true },
      ...{
        troubles: [],
        nodes: [],
        resources: [],
        failures: [],
        failCounts: [],
        fencing: [],
        safety: [],
        messages: [],
        findings: { count: 0, items: [] },
      },
    };
    const brief = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.setHeader('connection', 'close');
      response.end(JSON.stringify(status), () => brief.close());
    });
    await new Promise<void>((resolve) => {
      brief.listen(0, '127.0.0.1', resolve);
    });
    const { port } = brief.address() as AddressInfo;
    const watching = new AbortController();
    const patience = setTimeout(() => {
      watching.abort();
    }, 20_000);
    const { out } = await systole(['--server', `http://127.0.0.1:${port}`, '--token', 'any', '--cluster', 'prod', 'status', '-w', '1'], {
      signal: watching.signal,
      onOutput: (text) => {
        if (text.includes('STALE')) watching.abort();
      },
    });
    clearTimeout(patience);
    expect(out).toContain('prod  version 7, settled');
    expect(out).toMatch(/STALE: as of .*, \d+ s ago; the server can't be reached/);
  });

  it('goes on, and says what it shows is old, while the server has no database', async () => {
    const status = {
      ...{ clusterId: 'c', name: 'prod', version: 7, settled: true },
      ...{
        troubles: [],
        nodes: [],
        resources: [],
        failures: [],
        failCounts: [],
        fencing: [],
        safety: [],
        messages: [],
        findings: { count: 0, items: [] },
      },
    };
    const away = {
      type: 'https://systole.dev/problems/database-unavailable',
      title: 'x',
      status: 503,
      detail: 'PostgreSQL cannot be reached',
      instance: '/',
    };
    let asked = 0;
    const server = createServer((_request, response) => {
      const lost = ++asked === 2;
      response.writeHead(lost ? 503 : 200, { 'content-type': lost ? 'application/problem+json' : 'application/json' });
      response.end(JSON.stringify(lost ? away : status));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const watching = new AbortController();
    let shown = '';
    const { out, err } = await systole(
      ['--server', `http://127.0.0.1:${port}`, '--token', 'any', '--cluster', 'prod', 'status', '-w', '1'],
      {
        signal: AbortSignal.any([watching.signal, AbortSignal.timeout(20_000)]),
        onOutput: (text) => {
          shown += text;
          if (/STALE[^]*prod {2}version 7/.test(shown)) watching.abort();
        },
      },
    );
    server.close();
    expect(out).toMatch(
      /prod {2}version 7[^]*STALE: as of .*, \d+ s ago; the server answers, but not with the status[^]*prod {2}version 7/,
    );
    expect(err).toContain('PostgreSQL cannot be reached');
  });
});
