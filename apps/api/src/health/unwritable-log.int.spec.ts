import { setTimeout as sleep } from 'node:timers/promises';
import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type ApiUnderTest } from '../testing/api-under-test.js';
import { WorkerByHand } from '../testing/worker-by-hand.js';

/** What PostgreSQL says of a full disk, where a row needs more room: updates in place go on. */
const FULL = `
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'could not extend file "base/1/1": No space left on device' USING ERRCODE = 'disk_full';
END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION full_disk()`;

describe.each([false, true])('a database whose disk is full (operators apart: %s)', (operatorsApart) => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest({ operatorsApart });
    await under.cluster('c', CIB);
  });
  afterAll(() => under.close());

  const ready = () => under.call('GET', '/health/ready', { token: null });
  const status = async () => (await under.call('GET', '/v1/clusters/c/status')).json;
  const unwritableSeconds = async (): Promise<number> =>
    Number(/^systole_log_unwritable_seconds (.*)$/m.exec((await under.call('GET', '/metrics', { token: null })).text)?.[1]);

  it('is said by whatever could not be stored, by readiness, status and metrics; and no more when there is room, though nobody writes', async () => {
    expect((await ready()).json).toMatchObject({ details: { log: { status: 'up' } } });
    await under.database.pool.query(FULL);

    expect(await under.call('POST', '/v1/clusters/c/nodes/n1/commands/standby', { body: {} })).toMatchObject({
      status: 503,
      json: {
        type: 'https://systole.dev/problems/database-unavailable',
        trouble: 'disk-full',
        outcome: 'none',
        detail: 'the disk of PostgreSQL is full: it answers, but cannot store anything; nothing was changed: try again later',
      },
    });
    await expect
      .poll(async () => (await ready()).json, { timeout: 4_000 })
      .toMatchObject({
        status: 'degraded',
        details: {
          database: { status: 'up' },
          log: { status: 'down', message: expect.stringContaining('disk of PostgreSQL is full') as string },
        },
      });
    expect((await ready()).status).toBe(200);
    await expect.poll(unwritableSeconds, { timeout: 4_000 }).toBeGreaterThan(0);
    expect(await status()).toMatchObject({
      settled: false,
      troubles: expect.arrayContaining([
        { code: 'log-unwritable', level: 'bad', text: expect.stringContaining('is full') as string },
      ]) as object,
    });

    await under.database.pool.query('DROP TRIGGER full_disk ON events');
    await expect.poll(async () => (await ready()).json, { timeout: 6_000 }).toMatchObject({ details: { log: { status: 'up' } } });
    expect(await unwritableSeconds()).toBe(0);
    await expect.poll(async () => JSON.stringify((await status())['troubles']), { timeout: 6_000 }).not.toContain('log-unwritable');
    const { rows } = await under.database.pool.query(`SELECT FROM events WHERE type = 'Tried'`);
    expect(rows).toEqual([]);
  }, 40_000);

  it('is known though nobody writes but the heartbeats, which then tell nobody: where it takes no writes at all', async () => {
    const name = new URL(under.database.url).pathname.slice(1);
    await under.database.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const others = `FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`;
    await under.database.pool.query(`SELECT pg_terminate_backend(pid) ${others}`);
    const codes = async () => ((await status())['troubles'] as readonly { readonly code: string }[] | undefined)?.map(({ code }) => code);
    await expect.poll(codes, { timeout: 6_000 }).toContain('log-unwritable');
    expect((await status())['settled']).toBe(false);
    await under.database.pool.query(`SET default_transaction_read_only = off; ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await under.database.pool.query(`SELECT pg_terminate_backend(pid) ${others}`);
    await expect.poll(codes, { timeout: 10_000 }).not.toContain('log-unwritable');
  }, 40_000);

  it('is known also where only another process met it', async () => {
    const beat = `INSERT INTO worker_heartbeats AS known (worker_id, up_since, beat_at, beats, trouble) VALUES ('w', now(), now(), 1, 'the disk is full')
      ON CONFLICT (worker_id) DO UPDATE SET beats = known.beats + 1`;
    const beating = setInterval(() => void under.database.pool.query(beat), 300);
    await expect.poll(async () => JSON.stringify((await status())['troubles']), { timeout: 6_000 }).toContain('log-unwritable');
    await expect.poll(async () => (await ready()).json['status'], { timeout: 6_000 }).toBe('degraded');
    clearInterval(beating);
    await expect.poll(async () => JSON.stringify((await status())['troubles']), { timeout: 10_000 }).not.toContain('log-unwritable');
  }, 40_000);
});

describe.each([
  { keptBy: 'a lock that only readers pass', by: 'LOCK TABLE action_dispatches IN SHARE MODE', says: 'PostgreSQL did not answer in time' },
  { keptBy: 'a lock on the row', by: 'UPDATE action_dispatches SET node = node', says: 'PostgreSQL did not answer in time' },
  { keptBy: 'its absence', by: 'ALTER TABLE action_dispatches RENAME TO elsewhere', committed: true, says: 'action_dispatches' },
])('a result that can not be stored, though events can be (the table of what was handed out is kept from it by $keptBy)', (scenario) => {
  it('is said all the time until it is stored', { timeout: 60_000 }, async () => {
    const { by, committed = false, says } = scenario;
    const under = await apiUnderTest({ leaseMs: 60_000 });
    const worker = new WorkerByHand(under);
    const cluster = await under.cluster('c', CIB);
    const token = await under.agent(cluster, 'n1');
    const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const incarnation = Number(joined.json['incarnation']);
    const { actionId, transitionKey, resource, operation, intervalMs } = await worker.handOut(cluster, 'n1', await worker.plan(cluster), 1);
    const result = {
      ...{ resultId: 'r1', actionId, transitionKey, resource, operation, intervalMs },
      ...{ status: 'done', rc: 7, callId: 1, startedAt: 1_800_000_000, execMs: 12, queueMs: 0, recurring: false },
    };
    const report = () => under.call('POST', '/v1/agent/results', { token, body: { incarnation, results: [result] } });
    const seen = async (): Promise<unknown> => {
      const [ready, status, metrics] = await Promise.all([
        under.call('GET', '/health/ready', { token: null }),
        under.call('GET', '/v1/clusters/c/status'),
        under.call('GET', '/metrics', { token: null }),
      ]);
      const { troubles, settled } = status.json as { readonly troubles: readonly { readonly code: string }[]; readonly settled: boolean };
      return {
        // Without a table of its own it is not ready at all.
        ready: ready.status === 503 ? 'down' : /"log":\{"status":"(\w+)"/.exec(ready.text)?.[1],
        trouble: troubles.some(({ code }) => code === 'log-unwritable'),
        settled,
        seconds: Number(/^systole_log_unwritable_seconds (.*)$/m.exec(metrics.text)?.[1]) > 0,
      };
    };
    const stranger = await under.database.pool.connect();
    await stranger.query('BEGIN');
    await stranger.query(by);
    if (committed) await stranger.query('COMMIT');
    expect((await report()).status).toBe(503);
    expect((await under.call('GET', '/health/ready', { token: null })).text).toContain(says);
    // Long enough for several attempts to find out.
    for (let look = 0; look < 16; look++) {
      expect(await seen()).toEqual({ ready: 'down', trouble: true, settled: false, seconds: true });
      await sleep(250);
    }
    await stranger.query(committed ? 'ALTER TABLE elsewhere RENAME TO action_dispatches' : 'ROLLBACK');
    stranger.release();
    expect((await report()).json).toMatchObject({ acknowledged: ['r1'] });
    await expect.poll(seen, { timeout: 5_000 }).toMatchObject({ ready: 'up', trouble: false, seconds: false });
    await worker.close();
    await under.close();
  });
});
