import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { HeadSigning } from '@systole/event-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest, type Json } from '../testing/api-under-test.js';

describe('the audit of the server', () => {
  let under: ApiUnderTest;
  let alice: string;
  let viewer: string;
  let carl: string;
  let cluster: string;

  const entries = async (query = '', token?: string): Promise<readonly Json[]> => {
    const answer = await under.call('GET', `/v1/audit${query}`, token === undefined ? {} : { token });
    expect(answer.text === '' ? answer.status : answer.json['detail']).toBeUndefined();
    return answer.json['items'] as Json[];
  };
  const dataOf = async (query: string): Promise<readonly Json[]> => (await entries(query)).map(({ data }) => data as Json);
  /** Waits for what is appended apart from the answer. */
  const eventually = async (query: string, count: number): Promise<readonly Json[]> => {
    await expect.poll(async () => (await entries(query)).length, { timeout: 5_000 }).toBeGreaterThanOrEqual(count);
    return entries(query);
  };
  const standby = (id: string, token: string, reason: string): Promise<Answer> =>
    under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/standby`, { token, body: { reason } });

  /** The status of the answer to a target that is sent to the letter, which `fetch` would not do. */
  const target = (method: string, path: string, token: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(under.api.url);
      const sent = request({ hostname, port, method, path, headers: { authorization: `Bearer ${token}` } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on('error', reject).end();
    });

  beforeAll(async () => {
    under = await apiUnderTest();
    alice = await under.token('operator', 'alice');
    viewer = await under.token('viewer', 'bob');
    carl = await under.token('viewer', 'carl');
    cluster = await under.cluster('first', CIB);
  });
  afterAll(() => under.close());

  it('says that the server was started, with settings and without secrets', async () => {
    const [started] = await eventually('?type=ServerStarted', 1);
    expect(started).toMatchObject({ streamId: 'server/audit', data: { program: 'api', settings: { port: 0 } } });
    const { database } = (started?.['data'] as { settings: { database: string } }).settings;
    expect(under.database.url.endsWith(database)).toBe(true);
    expect(JSON.stringify(started)).not.toMatch(/admin-token|postgres(ql)?:\/\//);
  });

  it('has tokens and clusters from the moment at which they are there', async () => {
    const id = await under.cluster('short-lived');
    expect(await dataOf(`?type=ClusterAdded&cluster=short-lived`)).toEqual([{ clusterId: id, name: 'short-lived' }]);
    const made = await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'carol' } });
    const tokenId = String(made.json['id']);
    const [issued] = await entries(`?type=TokenIssued&subject=${tokenId}`);
    expect(issued).toMatchObject({ actor: 'user:admin', data: { tokenId, name: 'carol', role: 'viewer' } });
    expect(issued?.['correlationId']).toBe(made.headers.get('x-request-id'));
    expect(JSON.stringify(issued)).not.toContain(String(made.json['secret']));
    await under.call('DELETE', `/v1/tokens/${tokenId}`);
    expect(await dataOf(`?type=TokenWithdrawn&subject=${tokenId}`)).toEqual([{ tokenId }]);
  });

  it('keeps the events of a deleted cluster readable for administrators, by its id', async () => {
    const id = await under.cluster('gone', CIB);
    expect((await under.call('DELETE', `/v1/clusters/${id}`)).status).toBe(200);
    expect(await dataOf(`?type=ClusterRemoved&cluster=${id}`)).toEqual([{ clusterId: id }]);
    const read = await under.call('GET', `/v1/clusters/${id}/events`);
    expect((read.json['items'] as Json[]).map(({ type }) => type)).toEqual(['ClusterCreated', 'ClusterDeleted']);
    expect((await under.call('GET', `/v1/clusters/${id}/events/2`)).json).toMatchObject({ type: 'ClusterDeleted' });
    expect((await under.call('GET', `/v1/clusters/${id}/events/export`)).text.trim().split('\n')).toHaveLength(2);
    expect((await under.call('GET', `/v1/clusters/${id}/events`, { token: viewer })).status).toBe(404);
    expect((await under.call('GET', `/v1/clusters/gone/events`)).status).toBe(404);
    expect((await under.call('GET', `/v1/clusters/${id}/status`)).status).toBe(404);
    // The name is free again, and means the new one.
    const next = await under.cluster('gone');
    expect((await under.call('GET', `/v1/clusters/gone/events/1`)).json).toMatchObject({ subjects: [] });
    expect((await entries(`?everything=true&cluster=gone&type=ClusterCreated`)).map(({ streamId }) => streamId)).toEqual([id, next]);
  });

  it('has who asked with which token, whence, for each change that was carried out, by the id of the request', async () => {
    const answer = await standby(cluster, alice, 'replace the disk');
    expect(answer.status).toBe(200);
    const id = answer.headers.get('x-request-id') ?? '';
    const [carriedOut] = await eventually(`?correlation=${id}`, 1);
    expect(carriedOut).toMatchObject({
      type: 'RequestCarriedOut',
      actor: 'user:alice',
      data: { method: 'POST', path: `/v1/clusters/${cluster}/nodes/n1/commands/standby`, status: 200, cluster, address: '127.0.0.1' },
    });
    const { tokenId } = carriedOut?.['data'] as { tokenId: string };
    expect((await entries(`?subject=${tokenId}&type=TokenIssued`)).map(({ data }) => (data as Json)['name'])).toEqual(['alice']);
    const both = await entries(`?everything=true&correlation=${id}`);
    expect(both.map(({ type, clusterName }) => [type, clusterName])).toEqual([
      ['NodeAttributeSet', 'first'],
      ['RequestCarriedOut', undefined],
    ]);
  });

  it('tells nothing of what changed nothing', async () => {
    const tried = await under.call('POST', `/v1/clusters/${cluster}/nodes/n1/commands/standby?dryRun=true`);
    const simulated = await under.call('POST', `/v1/simulate`, { raw: { type: 'application/xml', body: CIB } });
    const after = await standby(cluster, alice, 'again');
    await eventually(`?correlation=${after.headers.get('x-request-id') ?? ''}`, 1);
    for (const { status, headers } of [tried, simulated]) {
      expect(status).toBe(200);
      expect(await entries(`?correlation=${headers.get('x-request-id') ?? ''}`)).toEqual([]);
    }
  });

  it('goes by what was done, however its path is spelled or ends', async () => {
    const path = `/v1/clusters/${cluster}/nodes/n1/attributes/simulate`;
    const written = await under.call('PUT', path, { body: { value: '1' } });
    const [entry] = await eventually(`?correlation=${written.headers.get('x-request-id') ?? ''}`, 1);
    expect(entry).toMatchObject({ type: 'RequestCarriedOut', data: { path } });
    expect(await target('GET', `http://anywhere/v1/clusters/${cluster}/cib`, carl)).toBe(200);
    const reads = await eventually('?type=ConfigurationRead&actor=user:carl', 1);
    expect(reads[0]).toMatchObject({ data: { path: `/v1/clusters/${cluster}/cib`, cluster } });
    for (const unclear of [`${path}#/simulate`, `/v1\\clusters\\${cluster}\\cib`, `/v1/clusters/${cluster}/cib#x`])
      expect(await target('GET', unclear, carl)).toBe(400);
  });

  it('finds everything that somebody did in all clusters, in the order of time, page by page', async () => {
    const clusters = [cluster, await under.cluster('second', CIB), await under.cluster('third', CIB)];
    const carol = await under.token('operator', 'carol-2');
    for (const round of [1, 2, 3]) for (const id of clusters) await standby(id, carol, `round ${String(round)}`);
    const query = '?everything=true&actor=user:carol-2&type=NodeAttributeSet&since=1h';
    const all = await entries(query);
    expect(all.map(({ streamId }) => streamId)).toEqual([...clusters, ...clusters, ...clusters]);
    expect(all.map(({ clusterName }) => clusterName).slice(0, 3)).toEqual(['first', 'second', 'third']);
    for (const order of ['asc', 'desc']) {
      const paged: Json[] = [];
      for (let next = ''; ;) {
        const page = await under.call('GET', `/v1/audit${query}&order=${order}&limit=2${next}`);
        paged.push(...(page.json['items'] as Json[]));
        const cursor = page.json['next'];
        if (typeof cursor !== 'string') break;
        next = `&cursor=${encodeURIComponent(cursor)}`;
      }
      expect(paged).toEqual(order === 'asc' ? all : [...all].reverse());
    }
    expect(await entries(`${query}&text=round%202`)).toHaveLength(3);
    expect(await entries(`${query}&cluster=second`)).toHaveLength(3);
    expect(await entries('?everything=true&actor=user:carol-2&until=1h')).toEqual([]);
    const csv = (await under.call('GET', `/v1/audit/export${query}&format=csv`)).text.trim().split('\r\n');
    expect(csv).toHaveLength(10);
    expect(csv[0]).toMatch(/^streamId,clusterName,version,occurredAt,type,/);
    const ndjson = (await under.call('GET', `/v1/audit/export${query}`)).text.trim().split('\n');
    expect(ndjson.map((line) => JSON.parse(line) as Json)).toEqual(all);
  });

  it('has what was signed of the log among everything, by its type, as the document says', async () => {
    await new HeadSigning(under.database.pool, generateKeyPairSync('ed25519').privateKey, randomUUID()).signNow();
    const everything = (await entries('?everything=true&order=desc&limit=1000')).filter(({ type }) => type === 'HeadsSigned');
    expect(everything).toMatchObject([{ streamId: 'server/evidence', actor: 'worker', data: { statement: { number: 1 } } }]);
    expect(await entries('?everything=true&type=HeadsSigned')).toEqual(everything);
    expect(await entries('?type=HeadsSigned')).toEqual([]);
    const exported = (await under.call('GET', '/v1/audit/export?everything=true&type=HeadsSigned')).text.trim().split('\n');
    expect(exported.map((line) => JSON.parse(line) as Json)).toEqual(everything);
  });

  it('has what was refused, the same again only by number, later', async () => {
    for (let i = 0; i < 30; i++) await under.call('POST', '/v1/clusters', { token: viewer, body: { name: 'x' } });
    const forbidden = async (): Promise<readonly Json[]> =>
      (await dataOf('?type=RequestRefused&actor=user:bob')).filter(({ status }) => status === 403);
    await expect
      .poll(forbidden, { timeout: 5_000 })
      .toMatchObject([{ method: 'POST', path: '/v1/clusters', problem: 'role-too-low', address: '127.0.0.1' }]);
    await under.call('GET', '/v1/clusters', { token: 'no-token-of-this-server' });
    await under.call('GET', '/v1/clusters/no-such-cluster/status', { token: alice });
    await under.call('GET', `/v1/clusters/${cluster}/nonsense`, { token: viewer });
    const unknown = await eventually('?type=RequestRefused&actor=anonymous', 1);
    expect(unknown[0]).toMatchObject({ data: { status: 401, problem: 'unauthenticated' } });
    expect(JSON.stringify(unknown)).not.toContain('no-token-of-this-server');
    expect((await eventually('?type=RequestRefused&cluster=no-such-cluster', 1))[0]).toMatchObject({ data: { status: 404 } });
  });

  it('has who read configurations, and from which token', async () => {
    await under.call('GET', `/v1/clusters/${cluster}/cib`, { token: viewer });
    await under.call('GET', `/v1/clusters/${cluster}/cib`, { token: viewer });
    const reads = await eventually('?type=ConfigurationRead&actor=user:bob', 1);
    expect(reads).toHaveLength(1);
    expect(reads[0]).toMatchObject({ data: { path: `/v1/clusters/${cluster}/cib`, cluster } });
    // A plan has the parameters of what is to be done.
    await under.call('GET', `/v1/clusters/${cluster}/transitions`, { token: viewer });
    const plans = await eventually('?type=ConfigurationRead&actor=user:bob', 2);
    expect(plans.map(({ data }) => (data as { path: string }).path)).toContain(`/v1/clusters/${cluster}/transitions`);
  });

  it('is for administrators alone, and says what is wrong with a question', async () => {
    for (const path of ['/v1/audit', '/v1/audit/export', '/v1/evidence/heads', '/v1/evidence/export']) {
      expect((await under.call('GET', path, { token: alice })).status).toBe(403);
    }
    for (const query of ['?cursor=x', '?cursor=99999999999999999.1.a', '?type=Nonsense', '?actr=x', '?cursor=1.1.a%00b']) {
      expect((await under.call('GET', `/v1/audit${query}`)).status).toBe(400);
    }
  });
});
