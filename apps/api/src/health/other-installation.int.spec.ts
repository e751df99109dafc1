import { createScratchDatabase, swapDatabases, type ScratchDatabase } from '@systole/event-store/testing';
import { openInstallation } from '@systole/control-plane-postgres';
import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

const PROBLEMS = 'https://systole.dev/problems';

describe.each([false, true])('an api whose database gives way to that of another installation (operators apart: %s)', (operatorsApart) => {
  let under: ApiUnderTest;
  let other: ScratchDatabase;
  beforeAll(async () => {
    other = await createScratchDatabase();
    // Scratch databases are clones of one.
    await other.pool.query('DELETE FROM installation');
    await openInstallation(other.pool);
    under = await apiUnderTest({ operatorsApart });
  });
  afterAll(async () => {
    await under.close();
    await other.drop();
  });

  it('reads and writes nothing there, says so to everybody, and goes on by itself when its own is back', async () => {
    const cluster = await under.cluster('kept', CIB);
    const token = await under.agent(cluster, 'n1');
    const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const poll = { token, body: { incarnation: joined.json['incarnation'], waitMs: 0, known: [] } };
    const requests = (): Promise<readonly Answer[]> =>
      Promise.all([
        under.call('GET', '/v1/clusters'),
        under.call('GET', '/v1/clusters/kept/status'),
        under.call('POST', '/v1/clusters', { body: { name: 'new' } }),
        under.call('POST', '/v1/clusters/kept/nodes/n1/commands/standby', { body: {} }),
        under.call('POST', '/v1/agent/poll', poll),
      ]);
    const [before] = await rowsOf(other);

    let closed: readonly Answer[] = [];
    await swapDatabases(under.database.url, other.url, async () => {
      closed = await requests();
    });
    expect(closed.map(({ status, json }) => [status, json['type'], json['trouble']])).toEqual(
      closed.map(() => [503, `${PROBLEMS}/database-unavailable`, 'not-open']),
    );

    const refused = await requests();
    expect(refused.map(({ status, json, headers }) => [status, json['type'], headers.get('retry-after')])).toEqual(
      refused.map(() => [503, `${PROBLEMS}/other-installation`, '2']),
    );
    const ready = await under.call('GET', '/health/ready', { token: null });
    expect(ready.status).toBe(503);
    expect(ready.text).toContain('not that of the installation of Systole that this program was started with');
    // Both pools of this test were cut off; each finds the database of its name.
    expect(await rowsOf(under.database)).toEqual([before]);

    await swapDatabases(under.database.url, other.url);
    await expect.poll(async () => (await under.call('POST', '/v1/agent/poll', poll)).status, { timeout: 5_000 }).toBe(200);
    await expect.poll(async () => (await under.call('GET', '/v1/clusters/kept/status')).status, { timeout: 5_000 }).toBe(200);
    expect((await under.call('GET', '/health/ready', { token: null })).status).toBe(200);
  }, 30_000);
});

/** Everything that a server writes into first. */
async function rowsOf({ pool }: ScratchDatabase): Promise<readonly object[]> {
  const tables = ['events', 'clusters', 'tokens', 'node_leases', 'api_heartbeats', 'worker_heartbeats', 'idempotency_keys'];
  const { rows } = await pool.query<object>(`SELECT ${tables.map((name) => `(SELECT count(*) FROM ${name}) AS ${name}`).join(', ')}`);
  return rows;
}
