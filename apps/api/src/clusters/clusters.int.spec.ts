import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

describe('clusters', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest();
  });
  afterAll(() => under.close());

  it('makes a cluster, shows it by id and by name, and lists it', async () => {
    const made = await under.call('POST', '/v1/clusters', { body: { name: 'production', cib: CIB } });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ name: 'production', version: 1 });
    expect(made.headers.get('etag')).toBe('"1"');
    expect(made.headers.get('location')).toBe(`/v1/clusters/${String(made.json['id'])}`);
    const byId = await under.call('GET', `/v1/clusters/${String(made.json['id'])}`);
    const byName = await under.call('GET', '/v1/clusters/production');
    expect(byId.json).toEqual(made.json);
    expect(byName.json).toEqual(made.json);
    expect((await under.call('GET', '/v1/clusters')).json).toEqual({ items: [made.json] });
  });

  it('pages through the list by name', async () => {
    for (const name of ['page-b', 'page-a', 'page-c']) await under.cluster(name);
    const names: unknown[] = [];
    let cursor = 'page';
    for (;;) {
      const page = await under.call('GET', `/v1/clusters?limit=2&cursor=${cursor}`);
      names.push(...(page.json['items'] as { name: string }[]).map(({ name }) => name));
      const { next } = page.json;
      if (typeof next !== 'string') break;
      cursor = next;
    }
    expect(names.filter((name) => String(name).startsWith('page-'))).toEqual(['page-a', 'page-b', 'page-c']);
  });

  it('refuses a name that is taken, whoever is faster', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => under.call('POST', '/v1/clusters', { body: { name: 'contested' } })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.headers.get('content-type')).toContain('application/problem+json');
    expect(refused?.json).toMatchObject({ type: 'https://systole.dev/problems/cluster-exists', errors: [{ pointer: '/name' }] });
  });

  it('says which field of a body is wrong', async () => {
    const answer = await under.call('POST', '/v1/clusters', { body: { name: 'not a name', colour: 'red' } });
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({
      type: 'https://systole.dev/problems/invalid-request',
      title: 'Unprocessable content',
      status: 422,
    });
    const errors = answer.json['errors'] as { pointer: string }[];
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual(['/colour', '/name']);
    expect((await under.call('POST', '/v1/clusters', { body: [] })).status).toBe(422);
    expect((await under.call('POST', '/v1/clusters', { body: { name: null } })).status).toBe(422);
  });

  it('refuses a cluster with a CIB that is none, and makes nothing', async () => {
    const answer = await under.call('POST', '/v1/clusters', { body: { name: 'broken', cib: '<cib><configuration></cib>' } });
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({ errors: [{ pointer: '/cib', line: 1 }] });
    expect((await under.call('GET', '/v1/clusters/broken')).status).toBe(404);
  });

  it('answers what is not JSON, not taken, or too large', async () => {
    const notJson = await under.call('POST', '/v1/clusters', { raw: { type: 'application/json', body: '{"name":' } });
    expect(notJson.status).toBe(400);
    expect(notJson.headers.get('content-type')).toContain('application/problem+json');
    const form = await under.call('POST', '/v1/clusters', { raw: { type: 'application/x-www-form-urlencoded', body: 'name=x' } });
    expect(form.status).toBe(415);
    expect(form.json['type']).toBe('https://systole.dev/problems/unsupported-media-type');
    const large = await under.call('POST', '/v1/clusters', { body: { name: 'large', cib: 'x'.repeat(1024 * 1024) } });
    expect(large.status).toBe(413);
    expect(large.json['type']).toBe('https://systole.dev/problems/content-too-large');
  });

  it('finds each of many that are asked for at once, whatever else is asked for beside them', async () => {
    const ids = await Promise.all(['at-once-a', 'at-once-b'].map((name) => under.cluster(name)));
    // An id wins over a cluster that is called like it.
    await under.cluster(String(ids[0]));
    const names = ['at-once-a', 'at-once-b', ...ids, 'nobody', '%00', '%ED%A0%80', 'at-once-a'];
    const answers = await Promise.all(names.map((name) => under.call('GET', `/v1/clusters/${name}`)));
    expect(answers.map(({ status, json }) => (status === 200 ? json['name'] : status))).toEqual([
      ...['at-once-a', 'at-once-b', 'at-once-a', 'at-once-b', 404, 400, 400, 'at-once-a'],
    ]);
  });

  it('answers 404 for unknown clusters and routes', async () => {
    for (const path of [
      '',
      '/cib',
      '/status',
      '/nodes',
      '/nodes/n1',
      '/transitions',
      '/transitions/1',
      '/events',
      '/events/stream',
      '/events/1',
    ]) {
      const answer = await under.call('GET', `/v1/clusters/nowhere${path}`);
      expect({ path, status: answer.status, type: answer.json['type'] }).toEqual({
        path,
        status: 404,
        type: 'https://systole.dev/problems/cluster-not-found',
      });
    }
    expect((await under.call('GET', '/v1/nothing')).json).toMatchObject({
      type: 'https://systole.dev/problems/no-such-route',
      status: 404,
    });
  });

  it('deletes a cluster, frees its name, and tells its agents so, whatever they ask', async () => {
    const id = await under.cluster('short-lived', CIB);
    const agent = await under.agent(id, 'n1');
    await under.call('POST', '/v1/agent/join', { token: agent, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    expect((await under.call('DELETE', '/v1/clusters/short-lived', { headers: { 'if-match': '"1"' } })).status).toBe(412);
    const deleted = await under.call('DELETE', '/v1/clusters/short-lived', { headers: { 'if-match': '"2"' } });
    expect(deleted.status).toBe(200);
    expect(deleted.json).toMatchObject({ version: 3, events: [{ type: 'ClusterDeleted' }] });
    expect((await under.call('GET', `/v1/clusters/${id}`)).status).toBe(404);
    const poll = await under.call('POST', '/v1/agent/poll', { token: agent, body: { incarnation: 1, waitMs: 0, known: [] } });
    const gone = { status: 410, json: { type: 'https://systole.dev/problems/cluster-deleted' } };
    expect(poll).toMatchObject(gone);
    const again = await under.call('POST', '/v1/agent/join', {
      token: agent,
      body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' },
    });
    expect(again).toMatchObject(gone);
    expect(await under.call('POST', '/v1/agent/results', { token: agent, body: { incarnation: 1, results: [] } })).toMatchObject(gone);
    expect(await under.cluster('short-lived')).not.toBe(id);
  });

  it('stops everything first when that is asked for, says so, and can be called off', async () => {
    const id = await under.cluster('to-be-stopped', CIB);
    const agent = await under.agent(id, 'n1');
    await under.call('POST', '/v1/agent/join', { token: agent, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const dry = await under.call('DELETE', `/v1/clusters/${id}?stop=true&dryRun=true`);
    expect([dry.status, dry.json['events']]).toMatchObject([200, [{ type: 'ClusterStopping' }, { type: 'ConfigurationChanged' }]]);
    const status = async (): Promise<Answer['json']> => (await under.call('GET', `/v1/clusters/${id}/status`)).json;
    expect((await status())['stopping']).toBeUndefined();

    const asked = await under.call('DELETE', `/v1/clusters/${id}?stop=true`);
    expect(asked.json).toMatchObject({ dryRun: false, events: [{ type: 'ClusterStopping' }, { type: 'ConfigurationChanged' }] });
    expect(await status()).toMatchObject({
      settled: false,
      stopping: { active: [], away: [], waitsFor: [] },
      troubles: expect.arrayContaining([
        {
          code: 'stopping',
          level: 'warn',
          text: 'everything is being stopped, then the cluster is deleted, unless you cancel the deletion',
        },
      ]) as unknown,
    });
    const poll = await under.call('POST', '/v1/agent/poll', { token: agent, body: { incarnation: 1, waitMs: 0, known: [] } });
    expect(poll.status).toBe(200);

    const cancelled = await under.call('POST', `/v1/clusters/${id}/commands/cancel-deletion`, { body: { reason: 'still needed' } });
    expect(cancelled.json).toMatchObject({ events: [{ type: 'ClusterStopCancelled' }, { type: 'ConfigurationChanged' }] });
    expect((await status())['stopping']).toBeUndefined();
    const again = await under.call('POST', `/v1/clusters/${id}/commands/cancel-deletion`, { body: {} });
    expect([again.status, again.json['type']]).toEqual([409, 'https://systole.dev/problems/cluster-not-stopping']);
    expect((await under.call('DELETE', `/v1/clusters/${id}`)).json).toMatchObject({ events: [{ type: 'ClusterDeleted' }] });
  });

  it('does a POST with an Idempotency-Key once', async () => {
    const headers = { 'idempotency-key': 'create-once' };
    const first = await under.call('POST', '/v1/clusters', { body: { name: 'once' }, headers });
    const again = await under.call('POST', '/v1/clusters', { body: { name: 'once' }, headers });
    expect(again.status).toBe(201);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await under.call('POST', '/v1/clusters', { body: { name: 'other' }, headers });
    expect(other.status).toBe(422);
    expect(other.json['type']).toBe('https://systole.dev/problems/idempotency-key-reused');
    expect((await under.call('GET', '/v1/clusters/other')).status).toBe(404);
  });

  it('finds what a request with an Idempotency-Key has made whose process died before it could say so', async () => {
    const headers = { 'idempotency-key': 'died-in-between' };
    const body = { name: 'made-before-the-crash' };
    const first = await under.call('POST', '/v1/clusters', { body, headers });
    // What kill -9 leaves between the commit and the end of the request: a key that nobody renews.
    await under.database.pool.query(
      `UPDATE idempotency_keys SET status = NULL, headers = NULL, body = NULL, locked_at = now() - interval '1 minute' WHERE key = 'died-in-between'`,
    );
    const again = await under.call('POST', '/v1/clusters', { body, headers });
    expect([again.status, again.json]).toEqual([201, first.json]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect((await under.call('POST', '/v1/clusters', { body, headers: { 'idempotency-key': 'another' } })).status).toBe(409);
    // Without its own token's key it is another request.
    expect((await under.call('POST', '/v1/clusters', { body })).status).toBe(409);
  });

  describe('with an Idempotency-Key', () => {
    const reused = {
      status: 422,
      json: {
        type: 'https://systole.dev/problems/idempotency-key-reused',
        detail: expect.stringContaining('is another one now') as string,
      },
    };

    it('does a DELETE once: not to the next cluster of that name, of which it does not say that it is deleted', async () => {
      await under.cluster('deleted-once');
      const remove = (): Promise<Answer> =>
        under.call('DELETE', '/v1/clusters/deleted-once', { headers: { 'idempotency-key': 'delete-once' } });
      const first = await remove();
      const again = await remove();
      expect([again.status, again.json, again.headers.get('idempotency-replayed')]).toEqual([200, first.json, 'true']);
      const next = await under.cluster('deleted-once');
      expect(await remove()).toMatchObject(reused);
      expect((await under.call('GET', '/v1/clusters/deleted-once')).json['id']).toBe(next);
    });

    it('does not answer for a cluster that had the name before, nor take over what was asked of that', async () => {
      const former = await under.cluster('made-again');
      const properties = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
        under.call('PATCH', '/v1/clusters/made-again/configuration/properties', {
          body: { cluster_property_set: { 'no-quorum-policy': 'stop' } },
          headers: { 'if-match': '*', ...headers },
        });
      const lost = { 'idempotency-key': 'lost' };
      expect((await properties({ 'idempotency-key': 'kept' })).status).toBe(200);
      expect((await properties(lost)).status).toBe(200);
      await under.call('DELETE', `/v1/clusters/${former}`);
      const next = await under.cluster('made-again');
      await under.database.pool.query(
        `UPDATE idempotency_keys SET status = NULL, headers = NULL, body = NULL, locked_at = now() - interval '1 minute' WHERE key = 'lost'`,
      );
      expect(await properties({ 'idempotency-key': 'kept' })).toMatchObject(reused);
      expect(await properties({ 'idempotency-key': 'kept', 'idempotency-replay-only': 'true' })).toMatchObject(reused);
      expect(await properties(lost)).toMatchObject(reused);
      expect((await under.call('GET', `/v1/clusters/${next}`)).json['version']).toBe(1);
      expect((await properties({ 'idempotency-key': 'new' })).json['events']).toHaveLength(1);
    });
  });

  it('lets a key be used again after a refusal', async () => {
    const headers = { 'idempotency-key': 'refused-first' };
    expect((await under.call('POST', '/v1/clusters', { body: { name: 'once' }, headers })).status).toBe(409);
    expect((await under.call('POST', '/v1/clusters', { body: { name: 'fresh' }, headers })).status).toBe(201);
  });
});
