import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { PROTOCOL } from '@systole/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LEASE_MS } from './api-config.js';
import { DEFAULT_CONNECTIONS } from './database-connections.js';
import { spawnApi, type ApiProcess } from './testing/api-process.js';
import { ADMIN, CIB } from './testing/api-under-test.js';

const HELD_MS = 4_000;

describe('agents while others hold what they do not need', () => {
  let database: ScratchDatabase;
  let api: ApiProcess | undefined;
  beforeEach(async () => {
    database = await createScratchDatabase({ poolSize: DEFAULT_CONNECTIONS + 5 });
  });
  afterEach(async () => {
    await api?.kill();
    await database.drop();
  });

  async function call(path: string, body: object, token = ADMIN): Promise<Readonly<Record<string, unknown>>> {
    const response = await fetch(`${api?.url ?? ''}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([path, response.status]).toEqual([path, response.status < 300 ? response.status : 200]);
    return response.status === 204 ? {} : ((await response.json()) as Readonly<Record<string, unknown>>);
  }

  interface Node {
    readonly cluster: string;
    readonly token: string;
    readonly incarnation: unknown;
  }

  async function join(name: string): Promise<Node> {
    const { id } = await call('/v1/clusters', { name, cib: CIB });
    const cluster = String(id);
    const { secret } = await call('/v1/tokens', { role: 'agent', name, cluster, node: 'n1' });
    const token = String(secret);
    const { incarnation } = await call('/v1/agent/join', { protocol: PROTOCOL, agentVersion: '1', bootId: randomUUID() }, token);
    return { cluster, token, incarnation };
  }

  it('renew their leases at once, however many reports wait', async () => {
    api = await spawnApi({ DATABASE_URL: database.url, SYSTOLE_ADMIN_TOKEN: ADMIN, SYSTOLE_REQUESTS_PER_SECOND: '10000' });
    const held = await Promise.all(Array.from({ length: DEFAULT_CONNECTIONS }, (_, index) => join(`held-${String(index)}`)));
    const free = await join('free');
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    // As an append does, of which the end does not come.
    for (const { cluster } of held) await holder.query('SELECT pg_advisory_xact_lock(1398362964, hashtext($1))', [cluster]);
    const reports = held.map(({ token, incarnation }) =>
      call('/v1/agent/attributes', { incarnation, changes: [{ name: 'a', value: '1', lifetime: 'reboot' }] }, token),
    );
    await sleep(500);
    let longest = 0;
    for (const until = performance.now() + HELD_MS; performance.now() < until;) {
      const begun = performance.now();
      await call('/v1/agent/poll', { incarnation: free.incarnation, waitMs: 0, known: [] }, free.token);
      longest = Math.max(longest, performance.now() - begun);
    }
    const { rows } = await database.pool.query<{ waiting: number }>(
      `SELECT count(*)::integer AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows[0]?.waiting).toBeGreaterThan(2);
    expect(longest).toBeLessThan(1_000);
    await holder.query('ROLLBACK');
    holder.release();
    await Promise.all(reports);
  }, 60_000);

  it('renew their leases, and are answered, while what is handed out is locked', async () => {
    api = await spawnApi({ DATABASE_URL: database.url, SYSTOLE_ADMIN_TOKEN: ADMIN, SYSTOLE_REQUESTS_PER_SECOND: '10000' });
    const { incarnation, token } = await join('free');
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE action_dispatches IN ACCESS EXCLUSIVE MODE');
    let longest = 0;
    for (const until = performance.now() + HELD_MS; performance.now() < until;) {
      const begun = performance.now();
      expect(await call('/v1/agent/poll', { incarnation, waitMs: 0, known: [] }, token)).toMatchObject({ actions: [] });
      longest = Math.max(longest, performance.now() - begun);
    }
    await holder.query('ROLLBACK');
    holder.release();
    // The sixth of a lease is what agents wait for.
    expect(longest).toBeLessThan(DEFAULT_LEASE_MS / 6);
  }, 60_000);
});
