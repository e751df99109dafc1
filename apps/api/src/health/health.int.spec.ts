import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LateQueues } from '@systole/queue';
import { TABLES } from '@systole/migrations';
import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type ApiUnderTest } from '../testing/api-under-test.js';

describe('the running server', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest({ pollMs: 60_000, leaseMs: 60_000 });
  });
  afterAll(() => under.close());

  it('says that it lives and is ready', async () => {
    expect((await under.call('GET', '/health/live', { token: null })).json).toEqual({ status: 'ok' });
    expect((await under.call('GET', '/health/ready', { token: null })).json).toMatchObject({
      status: 'ok',
      details: { database: { status: 'up' }, queue: { status: 'up', backend: 'postgres' } },
    });
  });

  it.each(TABLES)('is not ready without its table %s, and names it', async (table) => {
    await under.database.pool.query(`ALTER TABLE ${table} RENAME TO elsewhere`);
    const answer = await under.call('GET', '/health/ready', { token: null });
    await under.database.pool.query(`ALTER TABLE elsewhere RENAME TO ${table}`);
    expect(answer.status).toBe(503);
    expect(answer.json).toMatchObject({
      type: 'https://systole.dev/problems/not-ready',
      checks: { database: { status: 'down', message: expect.stringContaining(`lacks the table ${table}: put it back`) as string } },
    });
  });

  it.each([
    [
      'ALTER TABLE node_leases RENAME COLUMN answered TO elsewhere',
      'ALTER TABLE node_leases RENAME COLUMN elsewhere TO answered',
      'the column node_leases.answered',
    ],
    [
      'ALTER FUNCTION append_events RENAME TO elsewhere',
      'ALTER FUNCTION elsewhere RENAME TO append_events',
      'the function append_events(text, bigint[], integer[], text)',
    ],
  ])('is not ready after "%s", as when an older dump was restored, and names it', async (away, back, what) => {
    await under.database.pool.query(away);
    const answer = await under.call('GET', '/health/ready', { token: null });
    const write = await under.call('POST', '/v1/clusters', { body: { name: 'unstored' } });
    await under.database.pool.query(back);
    expect(answer).toMatchObject({
      status: 503,
      json: { checks: { database: { status: 'down', message: expect.stringContaining(`lacks ${what}:`) as string } } },
    });
    if (what.includes('function'))
      expect(write).toMatchObject({
        status: 503,
        json: { type: 'https://systole.dev/problems/schema-missing', detail: expect.stringContaining('function append_events(') as string },
      });
  });

  it.each(['tokens', 'node_leases', 'action_dispatches'])('names the table %s where it is missing and was needed', async (table) => {
    const cluster = await under.cluster(`without-${table.replace('_', '-')}`, CIB);
    const token = await under.agent(cluster, 'n1');
    const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    await under.database.pool.query(`ALTER TABLE ${table} RENAME TO elsewhere`);
    const body = { incarnation: joined.json['incarnation'], waitMs: 0, known: [] };
    const answer = await under.call('POST', '/v1/agent/poll', { token, body });
    await under.database.pool.query(`ALTER TABLE elsewhere RENAME TO ${table}`);
    expect(answer).toMatchObject({ status: 503, json: { type: 'https://systole.dev/problems/schema-missing' } });
    expect(answer.json['detail']).toContain(`lacks the table ${table}: put it back`);
  });

  it('says that the list of clusters was lost, and is ready still; so do the list and whoever looks for a cluster', async () => {
    const other = await apiUnderTest();
    const id = await other.cluster('listed', CIB);
    const { rows } = await other.database.pool.query<{ row: string }>('SELECT to_jsonb(clusters)::text AS row FROM clusters');
    await other.database.pool.query('DELETE FROM clusters');
    const lost =
      'the list of clusters has lost 1 cluster of the event log: run "systole admin rebuild", which makes it again from the events';
    expect(await other.call('GET', '/v1/clusters/listed/status')).toMatchObject({
      status: 404,
      json: { detail: `there is no cluster listed: see GET /v1/clusters. It may be one that was lost: ${lost}` },
    });
    expect((await other.call('GET', `/v1/clusters/${id}`)).json['detail']).toContain(lost);
    expect((await other.call('GET', '/v1/clusters')).json).toEqual({ items: [], incomplete: lost });
    expect(await other.call('GET', '/health/ready', { token: null })).toMatchObject({
      status: 200,
      json: { status: 'degraded', details: { clusters: { status: 'down', message: lost } } },
    });
    await other.database.pool.query('INSERT INTO clusters SELECT * FROM jsonb_populate_record(NULL::clusters, $1)', [rows[0]?.row]);
    await expect.poll(async () => (await other.call('GET', '/v1/clusters')).json['incomplete'], { timeout: 10_000 }).toBeUndefined();
    expect((await other.call('GET', '/health/ready', { token: null })).json).toMatchObject({ details: { clusters: { status: 'up' } } });
    await other.close();
  });

  it('says how many webhooks are far behind the log, and is ready still', async () => {
    const other = await apiUnderTest();
    const body = { name: 'on-call', url: 'https://hooks.example/systole', after: 0 };
    expect((await other.call('POST', '/v1/webhooks', { body })).status).toBe(201);
    const ready = async () => (await other.call('GET', '/health/ready', { token: null })).json;
    await other.cluster('hooked', CIB);
    expect(await ready()).toMatchObject({ details: { webhooks: { status: 'up' } } });
    await other.database.pool.query(`BEGIN; ALTER TABLE events DISABLE TRIGGER ALL;
      UPDATE events SET occurred_at = occurred_at - interval '1 hour'; ALTER TABLE events ENABLE TRIGGER ALL; COMMIT`);
    const message = expect.stringContaining('one webhook has not got past events that are older than 300 s') as string;
    expect(await ready()).toMatchObject({ status: 'degraded', details: { webhooks: { status: 'down', message } } });
    const listed = async () =>
      (await other.call('GET', '/v1/webhooks')).json['items'] as readonly { readonly id: string; readonly behind?: object }[];
    // As soon as the order of what was appended is final.
    await expect.poll(async () => (await listed())[0]?.behind, { timeout: 10_000 }).toMatchObject({ events: 1, more: false });
    const [{ id } = { id: '' }] = await listed();
    expect((await other.call('GET', `/v1/webhooks/${id}`)).json).toMatchObject({ behind: { events: 1 } });
    await other.close();
  });

  it('is ready for agents without the queue, and says that it is away', async () => {
    const other = await apiUnderTest();
    await other.api.app.get(LateQueues).close();
    const message = /^The work queue in PostgreSQL can't be reached: closed; silent for \d s; going on without it$/;
    await expect
      .poll(() => other.call('GET', '/health/ready', { token: null }), { timeout: 5_000 })
      .toMatchObject({
        status: 200,
        json: {
          status: 'degraded',
          details: { database: { status: 'up' }, queue: { status: 'down', message: expect.stringMatching(message) as string } },
        },
      });
    await other.close();
  });

  it('says that no worker is there, and stays ready for agents; nothing counts as settled then', { timeout: 60_000 }, async () => {
    const other = await apiUnderTest({ leaseMs: 1_000 });
    const cluster = await other.cluster('unwatched', CIB);
    const token = await other.agent(cluster, 'n1');
    await other.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const ready = () => other.call('GET', '/health/ready', { token: null });
    const metric = async (name: string): Promise<number> => {
      const { text } = await other.call('GET', '/metrics', { token: null });
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    };
    expect((await ready()).json).toMatchObject({ status: 'ok', details: { workers: { status: 'up' } } });
    await expect.poll(async () => (await ready()).json['status'], { timeout: 30_000, interval: 500 }).toBe('degraded');
    const answer = await ready();
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      details: { workers: { status: 'down', message: expect.stringMatching(/^no worker was heard of for \d+ s/) as string } },
    });
    expect(await metric('systole_worker_silence_seconds')).toBeGreaterThan(15);
    await expect.poll(() => metric('systole_lease_over_seconds'), { timeout: 10_000 }).toBeGreaterThan(15);
    const status = await other.call('GET', `/v1/clusters/${cluster}/status`);
    expect(status.json['settled']).toBe(false);
    expect((status.json['troubles'] as unknown[]).slice(0, 2)).toEqual([
      { code: 'no-worker', level: 'bad', text: expect.stringContaining('no worker was heard of') as string },
      { code: 'lease-unjudged', level: 'bad', text: expect.stringContaining('the lease of n1 ran out') as string },
    ]);
    await other.database.pool.query(`INSERT INTO worker_heartbeats VALUES ('w', now(), now(), 1)`);
    await expect.poll(async () => (await ready()).json['status'], { timeout: 10_000 }).toBe('ok');
    await other.close();
  });

  it('tells metrics by route', async () => {
    await under.call('GET', '/v1/clusters/none');
    const answer = await under.call('GET', '/metrics', { token: null });
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(answer.text).toContain('systole_http_request_duration_seconds_count{method="GET",route="/v1/clusters/:cluster",status="404"} 1');
    expect(answer.text).toContain('nodejs_version_info');
  });

  it('serves the documentation page and the document', async () => {
    const page = await under.call('GET', '/docs', { token: null });
    expect(page.status).toBe(200);
    expect(page.text).toContain('swagger-ui');
    expect((await under.call('GET', '/openapi.json', { token: null })).json).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Systole' },
    });
  });

  it('gives every request an id, and repeats the client’s own apart', async () => {
    expect((await under.call('GET', '/v1/clusters')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const own = await under.call('POST', '/v1/clusters', { body: { name: 'traced' }, headers: { 'x-request-id': 'ticket-4711' } });
    const id = own.headers.get('x-request-id') ?? '';
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(own.headers.get('x-client-request-id')).toBe('ticket-4711');
    // Whoever chose the id of a request could make its events look like those of another one.
    expect((await under.call('GET', '/v1/clusters/traced/events?correlation=ticket-4711')).json).toMatchObject({ items: [] });
    const events = await under.call('GET', `/v1/clusters/traced/events?correlation=${id}`);
    expect(events.json).toMatchObject({ items: [{ type: 'ClusterCreated', correlationId: id }] });
    const bad = await under.call('GET', '/v1/clusters', { headers: { 'x-request-id': 'a b' } });
    expect(bad.headers.get('x-client-request-id')).toBeNull();
  });

  it('sends headers that protect browsers', async () => {
    const { headers } = await under.call('GET', '/docs', { token: null });
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('lets no page run scripts that stand in it, nor styles but the documentation’s own', async () => {
    const policyOf = async (path: string): Promise<string> =>
      (await under.call('GET', path, { token: null })).headers.get('content-security-policy') ?? '';
    for (const path of ['/', '/v1/clusters', '/health/live']) {
      expect([path, await policyOf(path)]).toEqual([path, expect.stringContaining("script-src 'self' 'wasm-unsafe-eval'") as string]);
      expect([path, await policyOf(path)]).not.toEqual([path, expect.stringContaining('unsafe-inline') as string]);
    }
    expect(await policyOf('/docs')).toMatch(/script-src 'self' 'wasm-unsafe-eval';.*style-src 'self' 'unsafe-inline'/);
    expect(await policyOf('/docsearch')).not.toContain('unsafe-inline');
  });

  it('says who may keep an answer', async () => {
    const caching = async (method: string, path: string, body?: object): Promise<string | null> =>
      (await under.call(method, path, body === undefined ? {} : { body })).headers.get('cache-control');
    expect(await caching('GET', '/v1/clusters')).toBe('private, no-cache');
    expect(await caching('GET', '/v1/clusters/none')).toBe('no-store');
    expect(await caching('POST', '/v1/tokens', { role: 'viewer', name: 'seen-once' })).toBe('no-store');
  });

  it('serves the dashboard at / where it was built, and nothing above it', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dashboard-'));
    await writeFile(join(directory, 'index.html'), '<title>Systole</title>');
    const other = await apiUnderTest({ dashboardDirectory: directory });
    const page = await other.call('GET', '/', { token: null });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect((await other.call('GET', '/%2e%2e/%2e%2e/etc/passwd', { token: null })).status).toBe(404);
    expect((await other.call('GET', '/v1/clusters')).status).toBe(200);
    await other.close();
    await rm(directory, { recursive: true });
  });

  it('answers the polls that wait when it closes', async () => {
    const other = await apiUnderTest({ pollMs: 60_000, leaseMs: 180_000 });
    const cluster = await other.cluster('closing', CIB);
    const token = await other.agent(cluster, 'n1');
    const joined = await other.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const body = { incarnation: joined.json['incarnation'], waitMs: 60_000, known: [] };
    const waiting = other.call('POST', '/v1/agent/poll', { token, body });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await other.close();
    expect((await waiting).json).toMatchObject({ actions: [] });
  });
});
