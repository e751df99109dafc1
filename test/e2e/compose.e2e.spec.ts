import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { createSystoleClient } from '@systole/api-client';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { checkout } from '@systole/examples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '@systole/queue/testing';
import { composeService } from './compose-file.js';

const redisUrl = process.env['REDIS_URL'];
const ADMIN = 'an-admin-token-for-the-compose-test';

/** Everything but the container engine: the commands of the images with the environment of docker-compose.yml, against real servers. */
describe.skipIf(redisUrl === undefined)('what docker-compose.yml starts', () => {
  const role = `systole_test_${randomBytes(4).toString('hex')}`;
  const settings = {
    POSTGRES_PASSWORD: 'owner',
    SYSTOLE_DATABASE_ROLE: role,
    SYSTOLE_DATABASE_PASSWORD: 'programs',
    REDIS_PASSWORD: 'redis',
  };
  const running: ChildProcess[] = [];
  const output: string[] = [];
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase({ empty: true });
  });
  afterAll(async () => {
    await Promise.all(
      running.map(async (child) => {
        if (child.exitCode !== null) return;
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }),
    );
    await database.pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await database.drop();
  });

  /** Where the containers would find one another by name. */
  const here = (text: string): string => {
    const { hostname, port, pathname } = new URL(database.url);
    return text
      .replace('postgres://systole:', `postgres://${new URL(database.url).username}:`)
      .replace('@postgres:5432/systole', `@${hostname}:${port || '5432'}${pathname}`)
      .replace(/^redis:\/\/.*@redis:6379$/, redisUrl ?? '');
  };

  const start = (name: string, ports: Readonly<Record<string, string>> = {}): ChildProcess => {
    const { command, environment } = composeService(name, settings);
    const [program = '', ...args] = command;
    const placed = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, here(value)]));
    const env = { PATH: process.env['PATH'] ?? '', ...placed, SYSTOLE_ADMIN_TOKEN: ADMIN, ...ports };
    const child = spawn(program, args, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    running.push(child);
    return child;
  };

  it('needs its passwords', () => {
    expect(() => composeService('api', { ...settings, SYSTOLE_DATABASE_PASSWORD: '' })).toThrow('set SYSTOLE_DATABASE_PASSWORD in .env');
  });

  it('migrates as the owner, serves under a role that owns nothing, and is reachable from outside', async () => {
    const [code] = (await once(start('migrate'), 'exit')) as [number];
    expect(code, output.join('')).toBe(0);

    const port = await freePort();
    start('api', { PORT: String(port) });
    start('worker', { HEALTH_PORT: String(await freePort()) });
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal);
    const url = `http://${outside?.address ?? '127.0.0.1'}:${port}`;
    const ready = async (): Promise<unknown> => {
      const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
      return answer?.status;
    };
    await expect.poll(ready, { timeout: 30_000, message: output.join('') }).toBe(200);

    const client = createSystoleClient({ baseUrl: url, token: ADMIN });
    const made = await client.POST('/v1/clusters', { body: { name: 'composed' } });
    expect(made.response.status).toBe(201);
    const changed = await client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/standby', {
      params: { path: { cluster: 'composed', node: 'nowhere' }, query: {} },
    });
    expect(changed.response.status).toBe(404);

    const programs = async (): Promise<readonly { readonly program: string; readonly role: string; readonly superuser: boolean }[]> =>
      (
        await database.pool.query<{ program: string; role: string; superuser: boolean }>(
          `SELECT DISTINCT application_name AS program, usename AS role, rolsuper AS superuser
           FROM pg_stat_activity JOIN pg_roles ON rolname = usename
           WHERE datname = current_database() AND application_name LIKE 'systole_%'`,
        )
      ).rows;
    await expect
      .poll(async () => (await programs()).map(({ program }) => program), { timeout: 20_000 })
      .toEqual(expect.arrayContaining(['systole-api', 'systole worker']));
    expect((await programs()).filter((one) => one.role !== role || one.superuser)).toEqual([]);
    // One transaction: when it fails, the role is as before.
    await expect(database.pool.query(`SET ROLE ${role}; DELETE FROM events`)).rejects.toThrow('permission denied');
  });
});
