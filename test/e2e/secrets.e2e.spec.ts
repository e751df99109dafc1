import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSystoleClient, unwrap, unwrapJson, type SystoleClient } from '@systole/api-client';
import { ensureKeyFile } from '@systole/control-plane-postgres';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { DemoCluster, hasMountNamespaces } from '@systole/examples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServerProcesses } from './server-processes.js';

const FIRST = 'gEhEiM-7311-first';
const SECOND = 'gEhEiM-7311-second';
const redisUrl = process.env['REDIS_URL'];

const sumOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

describe.skipIf(redisUrl === undefined || !hasMountNamespaces())('a password, from the operator to the resource agent', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  let directory: string;
  let database: ScratchDatabase;
  let servers: ServerProcesses;
  let client: SystoleClient;
  let cluster: DemoCluster;
  let seen: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'systole-secrets-'));
    cleanups.push(() => rm(directory, { recursive: true, force: true }));
    seen = join(directory, 'seen');
    const keyFile = join(directory, 'secrets.key');
    await ensureKeyFile(keyFile);
    database = await createScratchDatabase();
    cleanups.push(() => database.drop());
    servers = await ServerProcesses.start({
      databaseUrl: database.url,
      leaseMs: 10_000,
      ...(redisUrl === undefined ? {} : { redisUrl }),
      settings: { SYSTOLE_SECRETS_KEY_FILE: keyFile, LOG_LEVEL: 'trace' },
    });
    cleanups.push(() => servers.stop());
    // The part that serves operators comes a little later.
    const isReady = (): Promise<boolean> =>
      fetch(`${servers.url}/health/ready/operators`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isReady())) await sleep(500);
    client = createSystoleClient({ baseUrl: servers.url, token: servers.adminToken });
    const cib = `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>
      <crm_config><cluster_property_set id="cps"><nvpair id="cps-fencing" name="stonith-enabled" value="false"/></cluster_property_set></crm_config>
      <nodes><node id="1" uname="alpha"/><node id="2" uname="bravo"/><node id="3" uname="charlie"/></nodes>
      <resources><primitive id="db" class="ocf" provider="test" type="Confidant">
        <instance_attributes id="db-p"><nvpair id="db-password" name="password" value="${FIRST}"/><nvpair id="db-seen" name="seen" value="${seen}"/></instance_attributes>
        <operations><op id="db-monitor" name="monitor" interval="1s" timeout="5s"/></operations>
      </primitive></resources><constraints/>
    </configuration></cib>`;
    const ocfRoots = [fileURLToPath(new URL('agents/ocf', import.meta.url))];
    cluster = await DemoCluster.create({ client, serverUrl: servers.url, directory, cib, ocfRoots });
    cleanups.push(() => cluster.stop());
  });
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });

  const seenLines = (): readonly string[] => (existsSync(seen) ? readFileSync(seen, 'utf8').trim().split('\n') : []);
  const until = async (what: string, reached: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 600; tries++) {
      if (await reached()) return;
      await sleep(100);
    }
    throw new Error(`${what}: not in time; ${JSON.stringify(await cluster.view())}\n${servers.log}`);
  };
  const secrets = async () =>
    unwrap(await client.GET('/v1/clusters/{cluster}/secrets', { params: { path: { cluster: cluster.id } } })).items;
  const status = async (): Promise<string> =>
    JSON.stringify(unwrapJson(await client.GET('/v1/clusters/{cluster}/status', { params: { path: { cluster: cluster.id } } })));

  it('arrives, also after a change of it and a crash of the agent', async () => {
    await until('it is started with the password', () => seenLines().includes(`start ${sumOf(FIRST)}`));
    await until('it is monitored with the password', () => seenLines().includes(`monitor ${sumOf(FIRST)}`));
    const params = { path: { cluster: cluster.id, collection: 'resources' as const, id: 'db' }, header: { 'If-Match': '*' } };
    const changed = await client.PATCH('/v1/clusters/{cluster}/configuration/{collection}/{id}', {
      params,
      body: { instance_attributes: { password: SECOND } } as never,
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(changed.response.status, JSON.stringify(changed.error)).toBe(200);
    // A new value is a new parameter: what was started with the old one is stopped with it.
    await until('it is started with the new one', () => seenLines().includes(`start ${sumOf(SECOND)}`));
    expect(seenLines()).toContain(`stop ${sumOf(FIRST)}`);
    expect(new Set(seenLines().map((line) => line.split(' ')[1]))).toEqual(new Set([sumOf(FIRST), sumOf(SECOND)]));
    const { resources } = await cluster.view();
    const [place = ''] = resources.find(({ id }) => id === 'db')?.activeOn ?? [];
    const node = cluster.node(place);
    node.kill();
    await node.whenDown();
    await node.startAgent();
    const monitored = seenLines().length;
    const again = (): readonly string[] => seenLines().slice(monitored);
    await until('it is monitored again', () => again().filter((line) => line.startsWith('monitor ')).length > 1);
    expect(new Set(again().map((line) => line.split(' ')[1]))).toEqual(new Set([sumOf(SECOND)]));
  });

  it('is nowhere else: not in the database, in its dump, in the logs of servers and agents, or in journals', async () => {
    const dump = execFileSync('pg_dump', ['--inserts', database.url], { maxBuffer: 1 << 30 });
    const { rows } = await database.pool.query<{ text: string }>('SELECT e::text AS text FROM events e');
    expect(rows.length).toBeGreaterThan(10);
    expect(dump.length).toBeGreaterThan(10_000);
    for (const secret of [FIRST, SECOND]) {
      for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64'), sumOf(secret)]) {
        expect(dump.includes(form), form).toBe(false);
        expect(servers.wholeLog.includes(form), form).toBe(false);
      }
      for (const node of cluster.nodes) {
        expect(await readFile(node.logFile, 'utf8')).not.toContain(secret);
        expect(await readFile(join(node.stateDirectory, 'journal'), 'utf8')).not.toContain(secret);
      }
    }
    // The agent told it, and nobody passed it on.
    expect(dump.includes('the password is ********')).toBe(true);
  });

  it('fails what is started with it once it is erased, and says why', async () => {
    const [, current] = await secrets();
    const params = { path: { cluster: cluster.id, id: current?.id ?? '' } };
    unwrap(await client.DELETE('/v1/clusters/{cluster}/secrets/{id}', { params }));
    expect(await status()).toMatch(/erased-secret/);
    unwrap(
      await client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/restart', {
        params: { path: { cluster: cluster.id, resource: 'db' } },
      }),
    );
    await until('it fails', async () => /the secret was erased: give its value anew/.test(await status()));
    const dump = execFileSync('pg_dump', ['--inserts', database.url], { maxBuffer: 1 << 30 });
    expect(dump.includes(SECOND)).toBe(false);
  });
});
