import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest, type Json } from '../testing/api-under-test.js';

describe('webhooks over the API', () => {
  let under: ApiUnderTest;
  let cluster: string;
  const URL_OF_RECEIVER = 'https://hooks.example/systole';

  beforeAll(async () => {
    under = await apiUnderTest();
    cluster = await under.cluster('hooked', CIB);
  });
  afterAll(() => under.close());

  const create = (body: object, more: Parameters<ApiUnderTest['call']>[2] = {}): Promise<Answer> =>
    under.call('POST', '/v1/webhooks', { body, ...more });
  const auditOf = async (id: string): Promise<readonly Json[]> =>
    (await under.call('GET', `/v1/audit?subject=${id}`)).json['items'] as Json[];

  it('are made, shown without their secret, changed and deleted, each of which the audit tells', async () => {
    const body = {
      name: 'on-call',
      url: `${URL_OF_RECEIVER}?key=1`,
      clusters: ['hooked'],
      types: ['NodeLeaseLost'],
      severity: 'wrong',
      reason: 'nights',
    };
    const preview = await under.call('POST', '/v1/webhooks?dryRun=true', { body });
    expect(preview).toMatchObject({ status: 200, json: { dryRun: true, name: 'on-call', clusters: [cluster], enabled: true } });
    const made = await create(body);
    expect(made).toMatchObject({
      status: 201,
      json: {
        secret: expect.stringMatching(/^whsec_/) as unknown,
        state: 'delivering',
        clusters: [cluster],
        types: ['NodeLeaseLost'],
        createdBy: 'user:admin',
      },
    });
    const id = String(made.json['id']);
    const shown = await under.call('GET', `/v1/webhooks/${id}`);
    expect(shown.json).toEqual({ ...made.json, secret: undefined, behind: { events: 0, more: false, ms: 0 } });
    expect((await under.call('GET', '/v1/webhooks')).json['items']).toEqual([shown.json]);
    const tried = await under.call('PATCH', `/v1/webhooks/${id}?dryRun=true`, { body: { types: [], enabled: false } });
    expect(tried.json).toMatchObject({ dryRun: true, enabled: false });
    expect(tried.json['types']).toBeUndefined();
    const changed = await under.call('PATCH', `/v1/webhooks/${id}`, {
      body: { types: [], clusters: [], enabled: false, actor: 'user:alice' },
    });
    expect(changed.json).toMatchObject({ state: 'disabled', actor: 'user:alice' });
    expect([changed.json['types'], changed.json['clusters'], changed.json['disabledReason']]).toEqual([undefined, undefined, undefined]);
    const rotated = await under.call('POST', `/v1/webhooks/${id}/rotate-secret`, { body: {} });
    expect(rotated.json['secret']).not.toBe(made.json['secret']);
    expect(rotated.json['previousSecretUntil']).toBeDefined();
    expect((await under.call('DELETE', `/v1/webhooks/${id}?dryRun=true`)).json).toMatchObject({ dryRun: true, name: 'on-call' });
    expect((await under.call('DELETE', `/v1/webhooks/${id}?reason=moved`)).status).toBe(204);
    expect((await under.call('GET', `/v1/webhooks/${id}`)).json).toMatchObject({
      type: expect.stringMatching(/webhook-not-found$/) as unknown,
    });
    const audit = await auditOf(id);
    expect(audit.map(({ type, data }) => [type, (data as Json)['fields'] ?? (data as Json)['reason']])).toEqual([
      ['WebhookCreated', 'nights'],
      ['WebhookChanged', ['clusters', 'types', 'actor', 'enabled']],
      ['WebhookChanged', ['secret']],
      ['WebhookDeleted', 'moved'],
    ]);
    expect(JSON.stringify(audit)).not.toMatch(/key=1|whsec_/);
  });

  it('are for administrators of the server only', async () => {
    const narrow = await under.call('POST', '/v1/tokens', { body: { role: 'admin', name: 'narrow-admin', clusters: [cluster] } });
    for (const token of [await under.token('operator', 'olga'), String(narrow.json['secret'])]) {
      expect((await under.call('GET', '/v1/webhooks', { token })).status).toBe(403);
      expect((await create({ name: 'x', url: URL_OF_RECEIVER }, { token })).status).toBe(403);
    }
  });

  it('are made once for an Idempotency-Key, and their secret is not shown again', async () => {
    const headers = { 'idempotency-key': 'made-once' };
    const [first, again] = [
      await create({ name: 'once', url: URL_OF_RECEIVER }, { headers }),
      await create({ name: 'once', url: URL_OF_RECEIVER }, { headers }),
    ];
    expect([first.status, again.status, again.json['id'], again.json['secret']]).toEqual([201, 201, first.json['id'], undefined]);
  });

  it.each([
    [{ url: 'http://127.0.0.1:1/' }, '/url'],
    [{ url: 'http://169.254.169.254/latest/meta-data' }, '/url'],
    [{ url: 'http://localhost/' }, '/url'],
    [{ url: 'ftp://hooks.example/' }, '/url'],
    [{ url: 'https://user:secret@hooks.example/' }, '/url'],
    [{ types: ['NoSuchType'] }, '/types'],
    [{ severity: 'urgent' }, '/severity'],
    [{ subjects: [''] }, '/subjects'],
    [{ authorities: 'no certificate' }, '/authorities'],
    [{ after: 999_999_999 }, '/after'],
    [{ after: -1 }, '/after'],
    [{ name: 'with space' }, '/name'],
    [{ unknown: true }, '/unknown'],
  ])('are refused where %j is wrong', async (wrong, pointer) => {
    const answer = await create({ name: 'wrong', url: URL_OF_RECEIVER, ...wrong });
    expect(answer).toMatchObject({ status: 422, json: { errors: [{ pointer: expect.stringContaining(pointer) as unknown }] } });
  });

  it('are refused for names that are taken, clusters that are not there, and what is no id', async () => {
    await create({ name: 'taken', url: URL_OF_RECEIVER });
    expect(await create({ name: 'taken', url: URL_OF_RECEIVER })).toMatchObject({
      status: 409,
      json: { type: expect.stringMatching(/webhook-name-taken$/) as unknown },
    });
    expect((await create({ name: 'elsewhere', url: URL_OF_RECEIVER, clusters: ['none'] })).status).toBe(404);
    for (const id of ['x', '00000000-0000-4000-8000-000000000000', '%00']) {
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/test'],
        ['GET', '/deliveries'],
        ['POST', '/rotate-secret'],
        ['GET', `/deliveries/${id}`],
      ] as const) {
        const answer = await under.call(method, `/v1/webhooks/${id}${path}`, method === 'PATCH' || method === 'POST' ? { body: {} } : {});
        expect([method, path, answer.status === 404 || answer.status === 400 || answer.status === 422]).toEqual([method, path, true]);
      }
    }
  });

  it('have tests and redeliveries asked for, which workers make', async () => {
    const { json } = await create({ name: 'tested', url: URL_OF_RECEIVER });
    const path = `/v1/webhooks/${String(json['id'])}`;
    expect((await under.call('POST', `${path}/test?dryRun=true`, { body: {} })).json).toEqual({ dryRun: true });
    const asked = await under.call('POST', `${path}/test`, { body: {} });
    expect(asked).toMatchObject({ status: 202, json: { kind: 'test', outcome: 'waiting', attempt: 0 } });
    const again = await under.call('POST', `${path}/deliveries/${String(asked.json['id'])}/redeliver`, { body: {} });
    expect(again).toMatchObject({ status: 202, json: { kind: 'test', outcome: 'waiting' } });
    const page = await under.call('GET', `${path}/deliveries?limit=1`);
    expect(page.json).toMatchObject({ items: [{ id: again.json['id'] }], next: again.json['id'] });
    expect((await under.call('GET', `${path}/deliveries?cursor=${String(page.json['next'])}`)).json).toEqual({ items: [asked.json] });
    expect((await under.call('GET', `${path}/deliveries?cursor=x`)).status).toBe(400);
  });
});
