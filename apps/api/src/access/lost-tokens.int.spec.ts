import { PROTOCOL } from '@systole/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApi, type Api } from '../create-api.js';
import { ADMIN, apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

const TOKENS_LOST = 'https://systole.dev/problems/tokens-lost';

describe('tokens that were lost', () => {
  let under: ApiUnderTest;
  let cluster: string;
  let agent: string;
  let incarnation: unknown;
  beforeEach(async () => {
    under = await apiUnderTest({ limits: { wrongTokens: { perSecond: 0.1, burst: 3 } } });
    cluster = await under.cluster('c', CIB);
    agent = await under.agent(cluster, 'n1');
    const body = { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' };
    incarnation = (await under.call('POST', '/v1/agent/join', { token: agent, body })).json['incarnation'];
  });
  afterEach(() => under.close());

  const poll = (token = agent): Promise<Answer> =>
    under.call('POST', '/v1/agent/poll', { token, body: { incarnation, waitMs: 0, known: [] } });
  const settledAnswer = async (ask: () => Promise<Answer>): Promise<unknown> => {
    const { status, json } = await ask();
    return [status, json['type']];
  };
  const ready = (): Promise<Answer> => under.call('GET', '/health/ready', { token: null });
  const empty = async (): Promise<void> => {
    await under.database.pool.query('CREATE TABLE kept AS SELECT * FROM tokens');
    await under.database.pool.query('DELETE FROM tokens');
  };

  it('are no reason to turn anybody away for good: 503 for every token, and readiness says so, until they are back', async () => {
    await empty();
    for (let times = 0; times < 5; times++) {
      const answer = await poll();
      expect(answer).toMatchObject({ status: 503, json: { type: TOKENS_LOST } });
      expect(answer.headers.get('retry-after')).toBe('2');
      expect(answer.json['detail']).toMatch(/tokens.*restore.*--new-admin-token/);
    }
    expect(await under.call('GET', '/v1/clusters')).toMatchObject({ status: 503, json: { type: TOKENS_LOST } });
    expect((await under.call('GET', '/v1/clusters', { token: null })).status).toBe(401);
    const { status, json } = await ready();
    expect(status).toBe(200);
    expect(json).toMatchObject({
      status: 'degraded',
      details: { tokens: { status: 'down', message: expect.stringContaining('restore') as string } },
    });

    await under.database.pool.query('INSERT INTO tokens SELECT * FROM kept');
    await expect.poll(() => settledAnswer(poll), { timeout: 3_000 }).toEqual([200, undefined]);
    await expect.poll(async () => (await ready()).json, { timeout: 3_000 }).toMatchObject({ details: { tokens: { status: 'up' } } });
  });

  it('are lost to the agents still when an operator has a new one', async () => {
    await empty();
    await under.database.pool.query(`INSERT INTO tokens SELECT * FROM kept WHERE role = 'admin'`);
    expect((await under.call('GET', '/v1/clusters')).status).toBe(200);
    expect(await settledAnswer(poll)).toEqual([503, TOKENS_LOST]);
    expect((await ready()).json).toMatchObject({ details: { tokens: { status: 'down' } } });
  });

  it('are not those that were revoked, or never were', async () => {
    const { items } = (await under.call('GET', '/v1/tokens')).json as { items: readonly { id: string; role: string }[] };
    const id = items.find(({ role }) => role === 'agent')?.id ?? '';
    await under.call('DELETE', `/v1/tokens/${id}`);
    expect((await poll()).status).toBe(401);
    expect((await poll('somebody-elses')).status).toBe(401);
    expect((await ready()).json).toMatchObject({ status: 'ok', details: { tokens: { status: 'up' } } });
  });

  it('are not replaced by a server that starts meanwhile: nobody took the first admin token for one', async () => {
    await empty();
    const made: string[] = [];
    const another: Api = await createApi({
      ...{ databaseUrl: under.database.url, port: 0, logLevel: 'silent' },
      onAdminToken: (secret) => made.push(secret),
    });
    const { status } = await fetch(`${another.url}/v1/clusters`, { headers: { authorization: `Bearer ${ADMIN}` } });
    await another.close();
    expect([made, status]).toEqual([[], 503]);
    expect(await settledAnswer(poll)).toEqual([503, TOKENS_LOST]);
  });
});
