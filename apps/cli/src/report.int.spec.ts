import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ClusterEvent } from '@systole/cluster';
import { ensureKeyFile } from '@systole/control-plane-postgres';
import { EventStore } from '@systole/event-store';
import { PROTOCOL } from '@systole/protocol';
import { extract } from 'tar';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EXIT } from './exit-code.js';
import { CommandLine, type Outcome } from './testing/command-line.js';

/** Each in a place of its own. Those that the server itself shows to nobody are marked so. */
const PLANTED = {
  sealedParameter: { secret: 'sealed-Geheim-1', isShown: false },
  parameterOfOld: { secret: 'of-old-Geheim-2', isShown: true },
  metaAttribute: { secret: 'meta-Geheim-3', isShown: true },
  nodeAttribute: { secret: 'node-Geheim-4', isShown: true },
  ofContainer: { secret: 'container-Geheim-5', isShown: true },
  inUrl: { secret: 'url-Geheim-6', isShown: true },
  reason: { secret: 'reason-Geheim-7', isShown: true },
  exitReason: { secret: 'exit-Geheim-8', isShown: true },
  output: { secret: 'output-Geheim-9', isShown: true },
  webhookPath: { secret: 'T0/B0/hook-Geheim-10', isShown: true },
  webhookQuery: { secret: 'hook-Geheim-11', isShown: true },
  header: { secret: 'aGVhZGVyLUdlaGVpbS0xMg==', isShown: true },
  description: { secret: 'described-Geheim-13', isShown: true },
  short: { secret: 'gh14', isShown: true },
  environment: { secret: 'environment-Geheim-15', isShown: false },
} as const;

const CIB = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0">
  <configuration>
    <crm_config>
      <cluster_property_set id="options"><nvpair id="fencing-off" name="stonith-enabled" value="false"/></cluster_property_set>
    </crm_config>
    <nodes><node id="1" uname="n1"/></nodes>
    <resources>
      <primitive id="db" class="ocf" provider="systole" type="Dummy" description="call 1234, password: ${PLANTED.description.secret}">
        <instance_attributes id="db-p">
          <nvpair id="db-password" name="password" value="${PLANTED.sealedParameter.secret}"/>
          <nvpair id="db-uri" name="uri" value="postgres://app:${PLANTED.inUrl.secret}@192.0.2.7/app"/>
        </instance_attributes>
        <meta_attributes id="db-m"><nvpair id="db-m-pw" name="admin_password" value="${PLANTED.metaAttribute.secret}"/></meta_attributes>
      </primitive>
      <bundle id="box">
        <podman image="localhost/app" replicas="1" options="--env APP_PASSWORD=${PLANTED.ofContainer.secret} --log-driver=none"/>
      </bundle>
    </resources>
    <constraints/>
  </configuration>
  <status/>
</cib>
`;

let line: CommandLine;
let clusterId: string;
let agentToken: string;
let hookSecret: string;

function systole(args: readonly string[], by = line.token, signal?: AbortSignal): Promise<Outcome> {
  const environment = { SYSTOLE_SERVER: line.server.url, SYSTOLE_TOKEN: by, ADMIN_PASSWORD: PLANTED.environment.secret };
  return line.systole(args, { environment, ...(signal === undefined ? {} : { signal }) });
}

async function done(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await systole(args);
  expect(code === EXIT.ok ? EXIT.ok : err).toBe(EXIT.ok);
  return out;
}

async function told<T>(path: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${agentToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${line.server.url}/v1/agent/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

interface Action {
  readonly actionId: string;
  readonly transitionKey: string;
  readonly operation: string;
  readonly resource: { readonly id: string };
}

/** Lets a node join, and have its first probe fail. */
async function failingNode(): Promise<void> {
  const { incarnation } = await told<{ incarnation: number }>('join', { protocol: PROTOCOL, agentVersion: '1.2.3', bootId: 'boot' });
  let probes: readonly Action[] = [];
  for (let seq = 1; probes.length === 0 && seq < 20; seq += 1) {
    const { actions } = await told<{ actions: readonly Action[] }>('poll', { incarnation, waitMs: 2_000, seq, known: [] });
    probes = actions.filter(({ resource }) => resource.id === 'db');
  }
  const results = probes.map(({ actionId, transitionKey, operation, resource }) => ({
    ...{ actionId, transitionKey, operation, resource, intervalMs: 0, resultId: `r-${actionId}`, callId: 1 },
    ...{ startedAt: Math.floor(Date.now() / 1_000), execMs: 12, queueMs: 0, status: 'done', rc: 1, recurring: false },
    exitReason: `refused: user=app passwd=${PLANTED.exitReason.secret}`,
    output: `psql --password ${PLANTED.output.secret} -h db\nAuthorization: Basic ${PLANTED.header.secret}\nand ${PLANTED.parameterOfOld.secret}, ${PLANTED.short.secret}`,
  }));
  expect(results).toHaveLength(1);
  await told('results', { incarnation, results });
}

/** As a cluster has it that was there before the server had a key. */
async function writtenOfOld(): Promise<void> {
  const pair = (name: string, value: string): string => `<nvpair id="old-${name}" name="${name}" value="${value}"/>`;
  const after = `<primitive id="old" class="ocf" provider="systole" type="Dummy"><instance_attributes id="old-p">${pair('password', PLANTED.parameterOfOld.secret)}${pair('pin_token', PLANTED.short.secret)}</instance_attributes></primitive>`;
  const changes = [{ kind: 'primitive', id: 'old', path: 'configuration/resources', after }];
  const data = { command: 'add-element', arguments: {}, changes };
  const event = { type: 'ConfigurationChanged' as const, data, schemaVersion: 1, subjects: ['resource:old'] };
  const store = new EventStore<ClusterEvent>(line.database.pool);
  await store.append(clusterId, 'any', [event], { actor: 'user:before', command: 'add-element', correlationId: 'of-old' });
  await store.close();
}

beforeAll(async () => {
  line = await CommandLine.start(async (directory) => {
    const secretsKeyFile = join(directory, 'secrets.key');
    await ensureKeyFile(secretsKeyFile);
    const webhookAddresses = { allow: ['127.0.0.1'] };
    return { api: { secretsKeyFile, webhookAddresses }, worker: { secretsKeyFile, webhookAddresses } };
  });
  await writeFile(join(line.directory, 'cib.xml'), CIB);
  await done('cluster', 'create', 'prod', '--cib', join(line.directory, 'cib.xml'));
  const { items } = JSON.parse(await done('cluster', 'list', '--json')) as { items: readonly { id: string }[] };
  clusterId = items[0]?.id ?? '';
  await writtenOfOld();
  await done('node', 'attribute', 'set', 'n1', 'api_token', PLANTED.nodeAttribute.secret);
  const hook = `http://127.0.0.1:9/services/${PLANTED.webhookPath.secret}?key=${PLANTED.webhookQuery.secret}`;
  hookSecret = (await done('webhook', 'create', 'chat', hook, '--type', 'ConfigurationChanged')).trim();
  await done('property', 'set', 'cluster-name=prod', '--reason', `agreed, with password=${PLANTED.reason.secret}, by phone`);
  agentToken = (await done('token', 'create', 'n1', '--role', 'agent', '--node', 'n1')).trim();
  await failingNode();
  await vi.waitFor(
    async () => {
      expect(await done('events', '--type', 'OperationRecorded')).toContain('db');
      expect(await done('webhook', 'deliveries', 'chat')).toContain('ConfigurationChanged');
    },
    { timeout: 20_000, interval: 200 },
  );
}, 180_000);

afterAll(async () => {
  await line.stop();
});

/** Everything of a report, by path below its folder. */
async function unpacked(file: string): Promise<ReadonlyMap<string, string>> {
  const to = await mkdtemp(join(line.directory, 'unpacked-'));
  await extract({ file, cwd: to });
  const [folder = ''] = await readdir(to);
  const entries = await readdir(join(to, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (path) => [path.slice(join(to, folder).length + 1), await readFile(path, 'utf8')] as const),
  );
  return new Map(texts);
}

interface Contents {
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly request?: string; readonly isCut?: boolean }[];
  readonly missing: readonly { readonly path: string; readonly status?: number; readonly detail: string }[];
}

function contentsOf(files: ReadonlyMap<string, string>): Contents {
  return JSON.parse(files.get('contents.json') ?? '') as Contents;
}

const archive = (name: string): string => join(line.directory, `${name}.tar.gz`);

describe('systole report', () => {
  it('takes all that is of use, and says in the beginning what is wrong', async () => {
    expect(await done('report', '--output', archive('all'))).toMatch(/^Wrote .*all\.tar\.gz: \d+ files about prod, \d+ KiB\./);
    expect((await stat(archive('all'))).mode & 0o777).toBe(0o600);
    const files = await unpacked(archive('all'));
    const { files: listed, missing } = contentsOf(files);
    expect(missing).toEqual([]);
    expect([...files.keys()].sort()).toEqual(['README.md', 'contents.json', ...listed.map(({ path }) => path)].sort());
    for (const { path, bytes } of listed) expect([path, Buffer.byteLength(files.get(path) ?? '')]).toEqual([path, bytes]);
    const of = 'clusters/prod';
    for (const name of ['cib.xml', 'configuration.xml', 'crm_mon.xml', 'events.ndjson', 'transitions/1.json', 'transitions/1.input.xml'])
      expect(files.has(`${of}/${name}`), name).toBe(true);
    expect(listed.find(({ path }) => path === `${of}/fencing.json`)?.request).toBe(`GET /v1/clusters/${clusterId}/fencing`);

    const readme = files.get('README.md') ?? '';
    expect(readme).toMatch(/## What is wrong now\n.*### prod\n\n {4}health \w+, .*## Last failures\n\n### prod\n\n {4}20.*db/s);
    expect(readme).toMatch(/## Timeline\n.*user:before.*## What is in here\n.*clusters\/prod\/cib\.xml/s);
    expect(readme).toContain('nothing: all was there that was asked for');
    expect(files.get(`${of}/crm_mon.txt`)).toMatch(/Last change: .* by \S+ via .*Node List:.*n1.*Failed Resource Actions:.*db/s);
    expect(files.get(`${of}/status.txt`)).toMatch(/^prod {2}version \d+/);
    expect(files.get(`${of}/nodes.json`)).toContain('"agentVersion": "1.2.3"');
    expect(files.get(`${of}/failed-operations.ndjson`)?.split('\n')).toHaveLength(2);
    expect(JSON.parse(files.get('server/health.json') ?? '')).toMatchObject({ details: { queue: { status: 'up' } } });
    expect(files.get('server/starts.ndjson')).toContain('"settings"');
  });

  it('has no secret, wherever it lay', async () => {
    const raw = gunzipSync(await readFile(archive('all'))).toString('utf8');
    const secrets = [...Object.values(PLANTED).map(({ secret }) => secret), line.token, agentToken, hookSecret];
    for (const secret of secrets) {
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) expect(raw).not.toContain(form);
    }
    expect(raw).toContain('********');
    // What a report is for stays.
    for (const kept of ['--log-driver=none', 'postgres://app:********@192.0.2.7/app', 'agreed, with password=********, by phone'])
      expect(raw).toContain(kept);
  });

  it('would have them otherwise: the server shows what was planted', async () => {
    const headers = { authorization: `Bearer ${line.token}` };
    const paths = [`clusters/${clusterId}/cib`, `clusters/${clusterId}/events?limit=1000`, 'webhooks', 'audit'];
    const texts = await Promise.all(paths.map(async (path) => (await fetch(`${line.server.url}/v1/${path}`, { headers })).text()));
    for (const [place, { secret, isShown }] of Object.entries(PLANTED))
      expect([place, texts.join('\n').includes(secret)]).toEqual([place, isShown]);
  });

  it('takes what the caller may see, and lists what it may not', async () => {
    const viewer = (await done('token', 'create', 'support', '--role', 'viewer', '--only', 'prod')).trim();
    const { code, out } = await systole(['report', '--output', archive('viewer')], viewer);
    expect([code, out]).toEqual([EXIT.ok, expect.stringMatching(/3 of its parts could not be had:\n {2}server\/starts\.ndjson: /)]);
    const files = await unpacked(archive('viewer'));
    const { missing } = contentsOf(files);
    expect(missing.map(({ path, status }) => [path, status])).toEqual([
      ['server/starts.ndjson', 403],
      ['server/audit.ndjson', 403],
      ['server/webhooks.json', 403],
    ]);
    expect(files.get('README.md')).toMatch(/## What could not be had\n\n {4}server\/starts\.ndjson.*403: /);
    expect(files.has('clusters/prod/cib.xml')).toBe(true);
  });

  it('never writes over anything, and leaves nothing behind where it can not be made', async () => {
    const before = await readFile(archive('all'));
    expect(await systole(['report', '--output', archive('all')])).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('is there already') as unknown,
    });
    expect(await readFile(archive('all'))).toEqual(before);
    const staged = async (): Promise<readonly string[]> =>
      (await readdir(tmpdir())).filter((name) => /^systole-report-(?!spec-)/.test(name));
    expect(await systole(['report', 'no-such-cluster', '--output', archive('none')])).toMatchObject({ code: EXIT.failed });
    expect(await systole(['report', '--from', 'yesterday', '--output', archive('none')])).toMatchObject({ code: EXIT.usage });
    const ended = new AbortController();
    const ending = systole(['report', '--output', archive('none')], line.token, ended.signal);
    await expect.poll(staged, { interval: 2 }).toHaveLength(1);
    ended.abort();
    expect((await ending).code).toBe(EXIT.interrupted);
    expect([await staged(), (await readdir(line.directory)).filter((name) => name.startsWith('none'))]).toEqual([[], []]);
  });

  it('takes no more than it is asked for, and says so', async () => {
    await done('report', 'prod', '--events', '3', '--transitions', '1', '--output', archive('few'));
    const files = await unpacked(archive('few'));
    expect(files.get('clusters/prod/events.ndjson')?.trimEnd().split('\n')).toHaveLength(3);
    expect(contentsOf(files).files.find(({ path }) => path.endsWith('/events.ndjson'))).toMatchObject({ items: 3, isCut: true });
    expect(files.get('README.md')).toContain('its events; the newest first; 3, and there are more');
    await done('report', 'prod', '--from', '2020-01-01', '--to', '2020-01-02', '--output', archive('past'));
    expect((await unpacked(archive('past'))).get('clusters/prod/events.ndjson')).toBe('');
  });

  it('lists what it would take', async () => {
    const listed = await done('report', '--dry-run');
    expect(listed).toMatch(
      /^FILE +WHAT IT IS\nREADME\.md .*clusters\/prod\/transitions\/<number>\.json .*server\/webhook-deliveries\/<id>/s,
    );
    const { files } = JSON.parse(await done('report', '--dry-run', '--json')) as { files: readonly { path: string }[] };
    const general = ({ path }: { path: string }): string =>
      path.replace(/transitions\/\d+/, 'transitions/<number>').replace(/deliveries\/[^/]+\./, 'deliveries/<id>.');
    const taken = contentsOf(await unpacked(archive('all'))).files;
    expect(new Set(files.map(general))).toEqual(new Set(['README.md', 'contents.json', ...taken.map(general)]));
  });
});
