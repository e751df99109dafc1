import { includesRole, permissionFor, PERMISSIONS, type OperatorRole, type Permission } from '@systole/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

/** Who asks: nobody, somebody with a token that is none, an agent, or each role, for all clusters, for the one that is asked for, or for another one. */
interface Who {
  readonly name: string;
  readonly role?: OperatorRole;
  readonly where?: 'all' | 'this' | 'other';
  readonly token: string | null;
}

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** Stands in for whatever a path asks for; the cluster is there. A parameter that no operation knows is refused once somebody was let in, before anything is done. */
function addressOf(path: string): string {
  return `${path
    .replace('{cluster}', 'access')
    .replace('{number}', '1')
    .replaceAll(/\{\w+\}/g, 'none')}?nonsense=1`;
}

/** What the table says, as status and last part of the problem's type. */
function expectedFor({ who, reach }: Permission, { role, where, token, name }: Who): string {
  if (who === 'everyone') return 'open';
  if (token === null || name === 'stranger') return '401 unauthenticated';
  if (who === 'agent') return role === undefined ? 'open' : '403 agents-only';
  if (role === undefined) return '403 not-for-agents';
  if (!includesRole(role, who)) return '403 role-too-low';
  if (where !== 'all' && reach === 'server') return '403 scope-too-narrow';
  return where === 'other' && reach === 'cluster' ? '404 cluster-not-found' : 'open';
}

function doorOf({ status, json }: Answer): string {
  const code = String(json['type']).replace(/^.*\//, '');
  return (status >= 200 && status < 300) || code === 'invalid-parameter' ? 'open' : `${String(status)} ${code}`;
}

describe('access', () => {
  let under: ApiUnderTest;
  const asking: Who[] = [
    { name: 'nobody', token: null },
    { name: 'stranger', token: 'systole_no-such-token' },
  ];
  beforeAll(async () => {
    // A stranger tries every door here, which an api of its own would not let it do for long.
    under = await apiUnderTest({ limits: { wrongTokens: { perSecond: 1_000, burst: 1_000 } } });
    const here = await under.cluster('access', CIB);
    const elsewhere = await under.cluster('elsewhere', CIB);
    const scopes = { all: {}, this: { clusters: [here] }, other: { clusters: [elsewhere] } };
    for (const role of ['viewer', 'operator', 'admin'] as const) {
      for (const where of ['all', 'this', 'other'] as const) {
        const name = `${role}-${where}`;
        const made = await under.call('POST', '/v1/tokens', { body: { role, name, ...scopes[where] } });
        asking.push({ name, role, where, token: String(made.json['secret']) });
      }
    }
    asking.push({ name: 'agent', token: await under.agent('access', 'n1') });
  });
  afterAll(() => under.close());

  it('is as the table of permissions says, for each operation of the document, role and scope', { timeout: 120_000 }, async () => {
    const { paths } = (await under.call('GET', '/openapi.json')).json as {
      paths: Record<string, Record<string, { readonly operationId: string; readonly security: unknown }>>;
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId: id }]): Operation => ({ id, method: method.toUpperCase(), path })),
    );
    expect(operations.length).toBeGreaterThan(100);
    const named = PERMISSIONS.flatMap((permission) => permission.operations);
    expect(operations.map(({ id }) => id).sort()).toEqual(named.toSorted());
    for (const { id, method, path } of operations) {
      const permission = permissionFor(id);
      expect([id, permission.who !== 'agent' && path.includes('{cluster}')]).toEqual([
        id,
        permission.who !== 'agent' && permission.reach === 'cluster',
      ]);
      const answers = await Promise.all(
        asking.map(async (who) => {
          const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
          const answer = await under.call(method, addressOf(path), { token: who.token, ...body });
          if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toContain('Bearer');
          if (answer.status >= 400) expect(answer.headers.get('content-type')).toContain('application/problem+json');
          return [id, who.name, doorOf(answer)];
        }),
      );
      expect(answers).toEqual(asking.map((who) => [id, who.name, expectedFor(permission, who)]));
    }
  });

  it('shows a token its own clusters only, by id and by name', async () => {
    const token = asking.find(({ name }) => name === 'admin-other')?.token ?? '';
    const { items } = (await under.call('GET', '/v1/clusters', { token })).json as { items: { name: string; id: string }[] };
    expect(items.map(({ name }) => name)).toEqual(['elsewhere']);
    expect((await under.call('GET', `/v1/clusters/${items[0]?.id ?? ''}/status`, { token })).status).toBe(200);
    expect((await under.call('GET', '/v1/clusters/elsewhere', { token })).status).toBe(200);
    const hidden = await under.call('GET', '/v1/clusters/access', { token });
    const absent = await under.call('GET', '/v1/clusters/nowhere', { token });
    expect(hidden.json['detail']).toBe(String(absent.json['detail']).replace('nowhere', 'access'));
    for (const text of ['access%00', '%00', '%ED%A0%80'])
      expect((await under.call('GET', `/v1/clusters/${text}/status`, { token })).status, text).toBeOneOf([400, 404]);
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
    it('have names of their own, rights and an end, which are listed', async () => {
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      const body = { role: 'operator', name: 'fiona', clusters: ['access', 'elsewhere', 'access'], seesSecrets: true, expiresAt };
      const tried = await under.call('POST', '/v1/tokens?dryRun=true', { body });
      const made = await under.call('POST', '/v1/tokens', { body });
      expect(made.status).toBe(201);
      const { clusters } = made.json as { clusters: string[] };
      expect(clusters).toHaveLength(2);
      expect(tried.json).toEqual({ dryRun: true, role: 'operator', name: 'fiona', clusters, seesSecrets: true, expiresAt });
      const { items } = (await under.call('GET', '/v1/tokens')).json as { items: { name: string }[] };
      expect(items.find(({ name }) => name === 'fiona')).toMatchObject({ clusters, seesSecrets: true, expiresAt });
      for (const query of ['', '?dryRun=true']) {
        const again = await under.call('POST', `/v1/tokens${query}`, { body });
        expect([again.status, again.json['type']]).toEqual([409, 'https://systole.dev/problems/token-name-taken']);
      }
    });

    it('are not made with rights that do not go with their role, or that are over', async () => {
      const agent = { role: 'agent', name: 'x', cluster: 'access', node: 'n1' };
      for (const [body, pointer] of [
        [{ ...agent, expiresAt: '2999-01-01T00:00:00Z' }, '/expiresAt'],
        [{ ...agent, clusters: ['access'] }, '/clusters'],
        [{ ...agent, seesSecrets: true }, '/seesSecrets'],
        [{ role: 'viewer', name: 'x', clusters: [] }, '/clusters'],
        [{ role: 'viewer', name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
        [{ role: 'viewer', name: 'x', cluster: 'access' }, '/cluster'],
      ] as const) {
        const answer = await under.call('POST', '/v1/tokens', { body });
        expect([answer.status, answer.json['errors']]).toEqual([422, [expect.objectContaining({ pointer })]]);
      }
      expect((await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'x', clusters: ['nowhere'] } })).status).toBe(404);
    });

    it('that may not see secrets make none that may, and none of an agent, which is told them', async () => {
      const token = await under.token('admin', 'no-secrets');
      for (const body of [
        { role: 'viewer', name: 'sees', seesSecrets: true },
        { role: 'agent', name: 'agent-of-n9', cluster: 'access', node: 'n9' },
      ])
        for (const query of ['', '?dryRun=true']) {
          const answer = await under.call('POST', `/v1/tokens${query}`, { body, token });
          expect([answer.status, answer.json['type']]).toEqual([403, 'https://systole.dev/problems/right-not-held']);
        }
      expect((await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'sees-not' }, token })).status).toBe(201);
    });

    it('are shown once and stored as sha256 only', async () => {
      const made = await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'bob' } });
      expect(made.status).toBe(201);
      expect(made.json).toMatchObject({ role: 'viewer', name: 'bob', createdBy: 'user:admin' });
      const { secret } = made.json as { secret: string };
      const list = await under.call('GET', '/v1/tokens');
      expect(list.text).toContain('"bob"');
      expect(list.text).not.toContain('"secret"');
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
