import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystoleClient } from '@systole/api-client';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { checkout, DemoCluster } from '@systole/examples';
import { freePort } from '@systole/queue/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Programs } from './programs.js';

const LEASE_MS = 5_000;
const ADMIN_TOKEN = 'an-admin-token-for-backup-and-restore';

/** docs/guide/backups.md, with a cluster that works while the backup is made, and goes on after it was restored. */
describe('a backup that is restored', () => {
  let database: ScratchDatabase;
  let directory: string;
  let programs: Programs;
  let cluster: DemoCluster;
  let url: string;
  let [api, health] = [0, 0];
  let file: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'systole-backup-'));
    file = join(directory, 'systole.dump');
    database = await createScratchDatabase();
    // The restore takes the database's place; nobody else may hold it.
    await database.pool.end();
    [api, health] = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${String(api)}`;
    programs = new Programs({ databaseUrl: database.url, adminToken: ADMIN_TOKEN, leaseMs: LEASE_MS });
    await startServers();
    const client = createSystoleClient({ baseUrl: url, token: ADMIN_TOKEN });
    cluster = await DemoCluster.create({ client, serverUrl: url, directory });
    await untilWell();
  }, 300_000);

  afterAll(async () => {
    await cluster.stop();
    await programs.stopAll();
    const admin = await connected('postgres');
    const { rows } = await admin.query<{ name: string }>('SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)', [
      name(),
    ]);
    for (const { name: one } of rows) await admin.query(`DROP DATABASE "${one}" WITH (FORCE)`);
    await admin.query(`DROP ROLE IF EXISTS "${owner()}"`);
    await admin.end();
    await rm(directory, { recursive: true, force: true });
  }, 60_000);

  const owner = (): string => `${name()}_owner`;

  const name = (): string => new URL(database.url).pathname.slice(1);

  async function connected(to: string): Promise<pg.Client> {
    const other = new URL(database.url);
    other.pathname = `/${to}`;
    const client = new pg.Client({ connectionString: other.toString() });
    await client.connect();
    return client;
  }

  async function startServers(): Promise<void> {
    await programs.startApi('api', checkout, api);
    await programs.startWorker('worker', checkout, health);
  }

  const run = (program: 'backup' | 'restore', ...args: readonly string[]): { readonly status: number | null; readonly said: string } => {
    const { status, stdout, stderr } = spawnSync(join(checkout, `deploy/backup/systole-${program}`), args, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: database.url },
    });
    return { status, said: stdout + stderr };
  };

  async function databases(): Promise<readonly string[]> {
    const client = await connected('postgres');
    const { rows } = await client.query<{ name: string }>('SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)', [
      name(),
    ]);
    await client.end();
    return rows.map((row) => row.name.replace(/\d{8}t\d{6}z$/, 'AT')).sort();
  }

  async function untilWell(): Promise<void> {
    for (;;) {
      const view = await cluster.view().catch(() => undefined);
      const well =
        view?.settled === true &&
        view.nodes.every(({ online, unclean }) => online && !unclean) &&
        view.resources.every(({ activeOn, failed }) => activeOn.length === 1 && !failed);
      if (well) return;
      await sleep(300);
    }
  }

  it('is made while servers work, for nobody else to read, and never over another one', async () => {
    const { status, said } = run('backup', file);
    expect([status, said]).toEqual([0, expect.stringContaining('Written: ')]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const before = (await stat(file)).mtimeMs;
    expect(run('backup', file)).toEqual({ status: 1, said: expect.stringContaining('is there already') as unknown });
    expect((await stat(file)).mtimeMs).toBe(before);
  });

  it('is not made of a database that is no one of Systole', () => {
    const other = new URL(database.url);
    other.pathname = '/postgres';
    const { status, stderr } = spawnSync(join(checkout, 'deploy/backup/systole-backup'), [join(directory, 'other.dump')], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: other.toString() },
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('the table events is not in it')]);
  });

  it('is not restored under servers, nor when it is damaged, and changes nothing then', { timeout: 120_000 }, async () => {
    expect(run('restore', file)).toEqual({ status: 1, said: expect.stringContaining('stop all apis and workers first') as unknown });
    expect(await databases()).toEqual([name()]);
    // What the backup does not know.
    await cluster.setStandby('charlie', true);
    await untilWell();
    await programs.stopAll();
    const damaged = join(directory, 'damaged.dump');
    spawnSync('cp', [file, damaged]);
    await truncate(damaged, Math.floor((await stat(damaged)).size / 2));
    expect(run('restore', damaged).status).not.toBe(0);
    expect(await databases()).toEqual([name()]);
  });

  it('begins a new epoch, in which everything that runs runs on and what was lost is told', { timeout: 300_000 }, async () => {
    const journal = async (): Promise<readonly string[]> => {
      const client = await connected(name());
      const { rows } = await client.query<{ type: string }>('SELECT type FROM events ORDER BY global_position');
      await client.end();
      return rows.map(({ type }) => type);
    };
    const lost = await journal();
    // As where servers have an account of their own, that may make no databases.
    const admin = await connected('postgres');
    await admin.query(`CREATE ROLE "${owner()}"`);
    await admin.query(`ALTER DATABASE "${name()}" OWNER TO "${owner()}"`);
    await admin.end();
    const restored = run('restore', file);
    expect([restored.status, restored.said]).toEqual([0, expect.stringMatching(/^Restored: \d+ events, the newest of 20/)]);
    expect(await databases()).toEqual([name(), `${name()}_before_AT`]);
    const restoredDatabase = await connected(name());
    const { rows: owners } = await restoredDatabase.query("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'");
    await restoredDatabase.end();
    expect(owners).toEqual([{ tableowner: owner() }]);
    const kept = await journal();
    expect(kept.length).toBeLessThan(lost.length);
    expect(lost.slice(0, kept.length)).toEqual(kept);

    await startServers();
    await untilEpoch();
    await untilWell();
    const events = (await cluster.eventsAfter(0)).map(({ event }) => event);
    const epoch = events.findIndex(({ type }) => type === 'EpochBegan');
    const since = events.slice(epoch + 1);
    expect(since.filter(({ type }) => ['FencingRequested', 'NodeLeaseLost'].includes(type))).toEqual([]);
    expect(since.filter(({ type }) => type === 'NodeJoined')).toHaveLength(3);
    // The standby was lost: an operator has to ask for it again.
    expect((await cluster.view()).nodes.find((node) => node.name === 'charlie')).toMatchObject({ standby: false });
    const pool = new pg.Pool({ connectionString: database.url, max: 2 });
    const store = new EventStore(pool);
    expect(await store.verifyChain()).toMatchObject({ intact: true });
    await store.close();
    await pool.end();
  });

  async function untilEpoch(): Promise<void> {
    while (!(await cluster.eventsAfter(0).catch(() => [])).some(({ event }) => event.type === 'EpochBegan')) await sleep(300);
  }
});
