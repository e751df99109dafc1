import { randomUUID } from 'node:crypto';
import { createScratchDatabase, mostConnectionsWhile, type ScratchDatabase } from '@systole/event-store/testing';
import { migrate } from '@systole/migrations';
import { PROTOCOL } from '@systole/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_CONNECTIONS } from './database-connections.js';
import { spawnApi, type ApiProcess } from './testing/api-process.js';
import { ADMIN, CIB } from './testing/api-under-test.js';

const CLUSTERS = 24;
const LOADED_MS = 4_000;

describe('the connections of an api process', () => {
  let database: ScratchDatabase;
  let api: ApiProcess | undefined;
  beforeEach(async () => {
    database = await createScratchDatabase();
  });
  afterEach(async () => {
    await api?.kill();
    await database.drop();
  });

  async function call(method: string, path: string, body?: object, token = ADMIN): Promise<Readonly<Record<string, unknown>>> {
    const response = await fetch(`${api?.url ?? ''}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([method, path, response.status]).toEqual([method, path, response.status < 300 ? response.status : 200]);
    return (await response.json()) as Readonly<Record<string, unknown>>;
  }

  it('are as few as was said, however many clusters have something to say at a time', async () => {
    api = await spawnApi({ DATABASE_URL: database.url, SYSTOLE_ADMIN_TOKEN: ADMIN, SYSTOLE_REQUESTS_PER_SECOND: '10000' });
    const busy = async (): Promise<void> => {
      const { id } = await call('POST', '/v1/clusters', { name: `c-${randomUUID()}`, cib: CIB });
      const cluster = String(id);
      const { secret } = await call('POST', '/v1/tokens', { role: 'agent', name: cluster, cluster, node: 'n1' });
      const token = String(secret);
      const agent = (path: string, body: object): ReturnType<typeof call> => call('POST', `/v1/agent/${path}`, body, token);
      const { incarnation } = await agent('join', { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' });
      const until = performance.now() + LOADED_MS;
      const again = async (ask: (turn: number) => Promise<unknown>): Promise<void> => {
        for (let turn = 0; performance.now() < until; turn++) await ask(turn);
      };
      await Promise.all([
        again(() => agent('poll', { incarnation, waitMs: 0, known: [] })),
        again((turn) => agent('attributes', { incarnation, changes: [{ name: 'a', value: String(turn), lifetime: 'reboot' }] })),
        again(() => call('GET', `/v1/clusters/${cluster}/events`)),
        again(() => call('GET', `/v1/clusters/${cluster}/status`)),
        again((turn) => call('POST', `/v1/clusters/${cluster}/nodes/n2/commands/${turn % 2 === 0 ? 'standby' : 'unstandby'}`, {})),
      ]);
    };
    const { inAll, byName } = await mostConnectionsWhile(database.pool, async () => {
      await Promise.all(Array.from({ length: CLUSTERS }, busy));
    });
    expect(byName.get('systole-api')).toBeGreaterThan(6);
    expect([inAll <= DEFAULT_CONNECTIONS, inAll, Object.fromEntries(byName)]).toEqual([true, inAll, expect.anything()]);
  }, 90_000);

  it('are waited for at its start when PostgreSQL has none free', async () => {
    const role = `programs_${randomUUID().slice(0, 8)}`;
    await migrate(database.url, { applicationRole: role, applicationPassword: role });
    await database.pool.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
    const url = new URL(database.url);
    url.username = role;
    url.password = role;
    try {
      let said = '';
      const starting = spawnApi({ DATABASE_URL: url.href, SYSTOLE_ADMIN_TOKEN: ADMIN }, (text) => {
        said = text;
      });
      await Promise.race([expect.poll(() => said, { timeout: 30_000 }).toContain('PostgreSQL takes no further connections'), starting]);
      expect(said).not.toContain('the API listens');
      await database.pool.query(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
      api = await starting;
      expect(await call('GET', '/v1/clusters')).toEqual({ items: [] });
    } finally {
      await api?.kill();
      await database.pool.query(`DROP OWNED BY ${role}`);
      await database.pool.query(`DROP ROLE ${role}`);
    }
  }, 60_000);
});
