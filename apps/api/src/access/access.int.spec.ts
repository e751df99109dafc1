import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

type Who = 'nobody' | 'stranger' | 'agent' | 'viewer' | 'operator' | 'admin';

/** What each may do: 401 without a valid token, 403 for the wrong one, anything else means that the door was open. */
const DOORS: readonly { readonly method: string; readonly path: string; readonly body?: object; readonly open: readonly Who[] }[] = [
  { method: 'GET', path: '/v1/clusters', open: ['viewer', 'operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters', body: {}, open: ['admin'] },
  { method: 'GET', path: '/v1/clusters/access', open: ['viewer', 'operator', 'admin'] },
  { method: 'DELETE', path: '/v1/clusters/none', open: ['admin'] },
  { method: 'GET', path: '/v1/clusters/access/cib', open: ['viewer', 'operator', 'admin'] },
  { method: 'PUT', path: '/v1/clusters/access/cib', body: {}, open: ['operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/explanation', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/status', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/nodes', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/transitions', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/transitions/1', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/events', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/events/export', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/resources/none/history', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/diff', open: ['viewer', 'operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/restore', body: {}, open: ['operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/diff?from=1', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/none/events/stream', open: ['viewer', 'operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/commands/cancel-deletion', open: ['admin'] },
  { method: 'POST', path: '/v1/clusters/access/nodes/none/commands/standby', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/nodes/none/commands/unstandby', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/nodes/none/commands/maintenance', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/nodes/none/commands/unmaintenance', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/nodes/none/commands/fence', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/nodes/none/commands/allow-fencing', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/nodes/none/commands/confirm-down', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/cleanup', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/refresh', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/commands/maintenance', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/commands/unmaintenance', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/commands/stop-all', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/commands/start-all', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/commands/relocate', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/relocate', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/tickets/none/commands/cleanup', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/transitions/1/commands/abort', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/commands/standby', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/commands/unstandby', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/commands/cleanup', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/commands/refresh', open: ['operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/nodes/none/attributes', open: ['viewer', 'operator', 'admin'] },
  { method: 'PUT', path: '/v1/clusters/access/nodes/none/attributes/none', body: {}, open: ['operator', 'admin'] },
  { method: 'DELETE', path: '/v1/clusters/access/nodes/none/attributes/none', open: ['operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/nodes/none/utilization', open: ['viewer', 'operator', 'admin'] },
  { method: 'PUT', path: '/v1/clusters/access/nodes/none/utilization/none', body: {}, open: ['operator', 'admin'] },
  { method: 'DELETE', path: '/v1/clusters/access/nodes/none/utilization/none', open: ['operator', 'admin'] },
  { method: 'DELETE', path: '/v1/clusters/access/nodes/none', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/enable', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/disable', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/promote', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/demote', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/manage', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/unmanage', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/maintenance', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/unmaintenance', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/move', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/ban', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/clear', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resources/none/commands/restart', open: ['operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/fail-counts', open: ['viewer', 'operator', 'admin'] },
  { method: 'DELETE', path: '/v1/clusters/access/fail-counts', open: ['operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/tickets', open: ['viewer', 'operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/tickets/none/commands/grant', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/tickets/none/commands/revoke', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/tickets/none/commands/standby', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/tickets/none/commands/unstandby', open: ['operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/configuration', open: ['viewer', 'operator', 'admin'] },
  { method: 'PUT', path: '/v1/clusters/access/configuration', body: {}, open: ['operator', 'admin'] },
  { method: 'PATCH', path: '/v1/clusters/access/configuration', body: {}, open: ['operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/configuration/resources', open: ['viewer', 'operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/configuration/resources', body: {}, open: ['operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/configuration/resources/none', open: ['viewer', 'operator', 'admin'] },
  { method: 'PUT', path: '/v1/clusters/access/configuration/resources/none', body: {}, open: ['operator', 'admin'] },
  { method: 'PATCH', path: '/v1/clusters/access/configuration/resources/none', body: {}, open: ['operator', 'admin'] },
  { method: 'DELETE', path: '/v1/clusters/access/configuration/resources/none', open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/configuration/resources/none/move', body: {}, open: ['operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/configuration/properties', open: ['viewer', 'operator', 'admin'] },
  { method: 'PUT', path: '/v1/clusters/access/configuration/properties', body: {}, open: ['operator', 'admin'] },
  { method: 'PATCH', path: '/v1/clusters/access/configuration/properties', body: {}, open: ['operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/configuration/rsc-defaults', open: ['viewer', 'operator', 'admin'] },
  { method: 'PUT', path: '/v1/clusters/access/configuration/rsc-defaults', body: {}, open: ['operator', 'admin'] },
  { method: 'PATCH', path: '/v1/clusters/access/configuration/rsc-defaults', body: {}, open: ['operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/configuration/op-defaults', open: ['viewer', 'operator', 'admin'] },
  { method: 'PUT', path: '/v1/clusters/access/configuration/op-defaults', body: {}, open: ['operator', 'admin'] },
  { method: 'PATCH', path: '/v1/clusters/access/configuration/op-defaults', body: {}, open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/configuration/batch', body: {}, open: ['operator', 'admin'] },
  { method: 'POST', path: '/v1/clusters/access/resilience', body: {}, open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/metadata/cluster-options', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/metadata/resource-meta-attributes', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/metadata/operation-attributes', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/metadata/node-attributes', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/metadata/agents', open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/clusters/access/metadata/agents/none', open: ['viewer', 'operator', 'admin'] },
  { method: 'POST', path: '/v1/simulate', body: {}, open: ['viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/v1/tokens', open: ['admin'] },
  { method: 'POST', path: '/v1/tokens', body: {}, open: ['admin'] },
  { method: 'DELETE', path: '/v1/tokens/none', open: ['admin'] },
  { method: 'POST', path: '/v1/agent/join', body: {}, open: ['agent'] },
  { method: 'POST', path: '/v1/agent/poll', body: {}, open: ['agent'] },
  { method: 'POST', path: '/v1/agent/results', body: {}, open: ['agent'] },
  { method: 'POST', path: '/v1/agent/attributes', body: {}, open: ['agent'] },
  { method: 'POST', path: '/v1/agent/installed-agents', body: {}, open: ['agent'] },
  { method: 'POST', path: '/v1/agent/agent-descriptions', body: {}, open: ['agent'] },
  { method: 'POST', path: '/v1/agent/shutdown', body: {}, open: ['agent'] },
  { method: 'POST', path: '/v1/agent/leave', body: {}, open: ['agent'] },
  { method: 'GET', path: '/v1/agent/cib', open: ['agent'] },
  { method: 'GET', path: '/health/live', open: ['nobody', 'stranger', 'agent', 'viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/health/ready', open: ['nobody', 'stranger', 'agent', 'viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/health/ready/operators', open: ['nobody', 'stranger', 'agent', 'viewer', 'operator', 'admin'] },
  { method: 'GET', path: '/metrics', open: ['nobody', 'stranger', 'agent', 'viewer', 'operator', 'admin'] },
];

describe('access', () => {
  let under: ApiUnderTest;
  const secrets: Partial<Record<Who, string | null>> = { nobody: null, stranger: 'systole_no-such-token' };
  beforeAll(async () => {
    // A stranger tries every door here, which an api of its own would not let it do for long.
    under = await apiUnderTest({ limits: { wrongTokens: { perSecond: 1_000, burst: 1_000 } } });
    await under.cluster('access', CIB);
    for (const role of ['viewer', 'operator', 'admin'] as const) secrets[role] = await under.token(role, role);
    secrets.agent = await under.agent('access', 'n1');
  });
  afterAll(() => under.close());

  it.each(DOORS)('$method $path is open to $open', async ({ method, path, body, open }) => {
    for (const who of ['nobody', 'stranger', 'agent', 'viewer', 'operator', 'admin'] as const) {
      const answer = await under.call(method, path, { token: secrets[who] ?? null, ...(body === undefined ? {} : { body }) });
      const expected = open.includes(who) ? 'open' : who === 'nobody' || who === 'stranger' ? 401 : 403;
      expect({ who, door: answer.status === 401 || answer.status === 403 ? answer.status : 'open' }).toEqual({ who, door: expected });
      if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      if (answer.status >= 400) expect(answer.headers.get('content-type')).toContain('application/problem+json');
    }
  });

  it('has a line for every route', async () => {
    const { paths } = (await under.call('GET', '/openapi.json')).json as { paths: Record<string, Record<string, unknown>> };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const covered = new Set(
      DOORS.map(({ method, path }) => `${method} ${path}`).map((door) =>
        door
          .replace(/clusters\/(access|none)/, 'clusters/{cluster}')
          .replace(/configuration\/resources\/none/, 'configuration/{collection}/{id}')
          .replace(/configuration\/resources$/, 'configuration/{collection}')
          .replace(/nodes\/none/, 'nodes/{node}')
          .replace(/resources\/none/, 'resources/{resource}')
          .replace(/tickets\/none/, 'tickets/{ticket}')
          .replace(/(attributes|utilization)\/none/, '$1/{name}')
          .replace(/tokens\/none/, 'tokens/{id}')
          .replace('transitions/1', 'transitions/{number}')
          .replace('agents/none', 'agents/{agent}'),
      ),
    );
    // These read what the routes above them read, by the same declaration.
    const alike = [
      'GET /v1/clusters/{cluster}/nodes/{node}',
      'GET /v1/clusters/{cluster}/events/{version}',
      'GET /v1/clusters/{cluster}/transitions/{number}/dot',
      'GET /v1/clusters/{cluster}/transitions/{number}/explanation',
      'GET /v1/clusters/{cluster}/transitions/{number}/replay',
    ];
    expect(routes.filter((route) => !covered.has(route)).sort()).toEqual(alike.sort());
  });

  it('refuses a header that is no bearer token', async () => {
    for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer a b', `Bearer ${'x'.repeat(600)}`]) {
      expect((await under.call('GET', '/v1/clusters', { token: null, headers: { authorization } })).status).toBe(401);
    }
  });

  it('reads nothing of a body before it knows who asks', async () => {
    const answer = await under.call('POST', '/v1/clusters', { token: null, raw: { type: 'application/json', body: '{"broken' } });
    expect(answer.status).toBe(401);
  });

  describe('tokens', () => {
    it('are shown once and stored as sha256 only', async () => {
      const made = await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'bob' } });
      expect(made.status).toBe(201);
      expect(made.json).toMatchObject({ role: 'viewer', name: 'bob', createdBy: 'user:admin' });
      const { secret } = made.json as { secret: string };
      const list = await under.call('GET', '/v1/tokens');
      expect(list.text).toContain('"bob"');
      expect(list.text).not.toContain('secret');
      const { rows } = await under.database.pool.query<Record<string, unknown>>('SELECT * FROM tokens');
      expect(JSON.stringify(rows)).not.toContain(secret);
    });

    it('do not show their secret again to a repeated request', async () => {
      const headers = { 'idempotency-key': 'token-once' };
      const body = { role: 'viewer', name: 'carol' };
      const first = await under.call('POST', '/v1/tokens', { body, headers });
      const again = await under.call('POST', '/v1/tokens', { body, headers });
      expect(first.json).toHaveProperty('secret');
      expect(again.json).toEqual({ ...first.json, secret: undefined });
      expect(again.json).not.toHaveProperty('secret');
      const { rows } = await under.database.pool.query<Record<string, unknown>>('SELECT * FROM idempotency_keys');
      expect(JSON.stringify(rows)).not.toContain((first.json as { secret: string }).secret);
    });

    it('that are revoked with an Idempotency-Key have the same answer when that is sent again', async () => {
      const { id } = (await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'erin' } })).json as { id: string };
      const revoke = (): Promise<Answer> => under.call('DELETE', `/v1/tokens/${id}`, { headers: { 'idempotency-key': 'revoked-once' } });
      expect((await revoke()).status).toBe(204);
      const again = await revoke();
      expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([204, '', 'true']);
    });

    it('stop working when they are revoked; none can revoke itself', async () => {
      const made = await under.call('POST', '/v1/tokens', { body: { role: 'admin', name: 'dave' } });
      const { id, secret } = made.json as { id: string; secret: string };
      expect((await under.call('DELETE', `/v1/tokens/${id}`, { token: secret })).status).toBe(409);
      expect((await under.call('DELETE', `/v1/tokens/${id}`)).status).toBe(204);
      expect((await under.call('GET', '/v1/clusters', { token: secret })).status).toBe(401);
      expect((await under.call('DELETE', `/v1/tokens/${id}`)).status).toBe(404);
    });

    it('of agents name their cluster and node; others must not', async () => {
      const make = async (body: object): Promise<unknown> => {
        const answer = await under.call('POST', '/v1/tokens', { body });
        return [answer.status, (answer.json['errors'] as { pointer: string }[] | undefined)?.map(({ pointer }) => pointer)];
      };
      expect(await make({ role: 'agent', name: 'a' })).toEqual([422, ['/cluster', '/node']]);
      expect(await make({ role: 'viewer', name: 'a', cluster: 'access' })).toEqual([422, ['/cluster']]);
      expect(await make({ role: 'agent', name: 'a', cluster: 'nowhere', node: 'n1' })).toEqual([404, undefined]);
      expect(await make({ role: 'king', name: '' })).toEqual([422, ['/role', '/name']]);
    });
  });

  it('makes an admin token at the first start only, and tells it once', async () => {
    const told: string[] = [];
    const { createApi } = await import('../create-api.js');
    const config = { databaseUrl: under.database.url, port: 0, logLevel: 'silent', onAdminToken: (secret: string) => told.push(secret) };
    const second = await createApi(config);
    await second.close();
    expect(told).toEqual([]);
    await under.database.pool.query(`UPDATE tokens SET revoked_at = now() WHERE role = 'admin'`);
    const third = await createApi(config);
    await third.close();
    expect(told).toHaveLength(1);
    expect((await under.call('GET', '/v1/tokens', { token: told[0] ?? null })).status).toBe(200);
  });
});
