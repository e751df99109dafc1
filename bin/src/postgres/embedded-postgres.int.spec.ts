import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restoreSymlinks } from './binaries.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { isAlive } from './postmaster.js';

describe('the embedded PostgreSQL', () => {
  let dataDir: string;
  let running: EmbeddedPostgres | undefined;
  const told: string[] = [];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'systole-embedded-'));
    told.length = 0;
  });

  afterEach(async () => {
    await running?.stop();
    running = undefined;
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(): Promise<EmbeddedPostgres> {
    running = await startEmbeddedPostgres({ dataDir, progress: (line) => told.push(line) });
    return running;
  }

  async function ask(databaseUrl: string, query: string): Promise<unknown> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(query);
      return Object.values(rows[0] ?? {})[0];
    } finally {
      await client.end();
    }
  }

  it('is made in UTF-8 with the C locale at the first start, keeps its data and its port', async () => {
    const first = await start();
    expect(first.initialised).toBe(true);
    expect(await ask(first.databaseUrl, 'SHOW server_encoding')).toBe('UTF8');
    expect(await ask(first.databaseUrl, 'SELECT datcollate FROM pg_database WHERE datname = current_database()')).toBe('C');
    await ask(first.databaseUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);

    const second = await start();
    expect(second.initialised).toBe(false);
    expect(second.databaseUrl).toBe(first.databaseUrl);
    expect(await ask(second.databaseUrl, 'SELECT answer FROM kept')).toBe(42);
  });

  it('is not for two at a time', async () => {
    const { databaseUrl } = await start();
    const second = startEmbeddedPostgres({ dataDir, progress: () => undefined });
    await expect(second).rejects.toThrow(EmbeddedPostgresError);
    await expect(second).rejects.toThrow(/Another Systole is running on .*--data-dir/);
    expect(await ask(databaseUrl, 'SELECT 1')).toBe(1);
  });

  it('is taken over from an owner that was killed', async () => {
    const module = fileURLToPath(new URL('./embedded-postgres.js', import.meta.url.replace('/bin/src/', '/bin/dist/')));
    const program = `
      import { startEmbeddedPostgres } from ${JSON.stringify(module)};
      const { pid } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, progress: () => undefined });
      console.log(pid);`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const orphan = Number(line.toString());
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(isAlive(orphan)).toBe(true);

    const { databaseUrl, pid } = await start();
    expect(pid).not.toBe(orphan);
    expect(isAlive(orphan)).toBe(false);
    expect(told.join('\n')).toContain('interrupted');
    expect(await ask(databaseUrl, 'SELECT 1')).toBe(1);
  });

  it('does not mind a pid file whose process is another one by now', async () => {
    await (await start()).stop();
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(dataDir, 'postgres')}\n0\n1\n\n127.0.0.1\n`);
    const { databaseUrl } = await start();
    expect(await ask(databaseUrl, 'SELECT 1')).toBe(1);
  });

  it('gets the links that an npm package cannot hold', async () => {
    const root = join(dataDir, 'package');
    await mkdir(join(root, 'native', 'lib'), { recursive: true });
    await writeFile(join(root, 'native', 'lib', 'libpq.so.5.18'), 'library');
    await writeFile(
      join(root, 'native', 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
    );
    await restoreSymlinks(root);
    await restoreSymlinks(root);
    const link = join(root, 'native', 'lib', 'libpq.so.5');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readlink(link)).toBe('libpq.so.5.18');
  });
});
