import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, apiUnderTest, CIB, type Answer, type ApiUnderTest, type CallOptions } from '../testing/api-under-test.js';

describe('what agents’ leases depend on', () => {
  let under: ApiUnderTest;
  let agent: string;
  let incarnation: number;

  beforeAll(async () => {
    under = await apiUnderTest();
    await under.cluster('duties', CIB);
    agent = await under.agent('duties', 'n1');
    const joined = await post('join', { body: { agentVersion: '1', bootId: 'b', protocol: PROTOCOL } });
    incarnation = Number(joined.json['incarnation']);
  });
  afterAll(() => under.close());

  const post = (duty: string, options: CallOptions): Promise<Answer> =>
    under.call('POST', `/v1/agent/${duty}`, { token: agent, ...options });
  const poll = (more: CallOptions = {}): Promise<Answer> => post('poll', { body: { incarnation, waitMs: 0, known: [] }, ...more });
  const headersOf = ({ headers }: Answer): Record<string, string> => {
    // Their answers are never compressed, so that they do not vary with what is accepted.
    const own = ['content-length', 'date', 'x-request-id', 'vary'];
    return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)));
  };
  const refusal = ({ status, json, headers }: Answer): unknown => [
    status,
    String(json['type']).split('/').at(-1),
    headers.get('content-type'),
  ];

  it('is answered with the headers of whatever the router answers', async () => {
    const routed = await post('attributes', { body: { incarnation, changes: [] } });
    const [straight, results] = [await poll(), await post('results', { body: { incarnation, results: [] } })];
    expect([routed.status, straight.status, results.status]).toEqual([200, 200, 200]);
    expect(headersOf(straight)).toEqual(headersOf(routed));
    expect(headersOf(results)).toEqual(headersOf(routed));
    expect(results.json).toMatchObject({ acknowledged: [] });
  });

  it('bears the id of its request', async () => {
    const headers = { 'x-request-id': 'mine' };
    expect((await poll({ headers })).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect((await poll()).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const refused = await poll({ headers, body: { incarnation } });
    expect(refused.json['instance']).toBe(`/v1/agent/poll#${refused.headers.get('x-request-id') ?? ''}`);
  });

  it('is refused as everything is', async () => {
    const problem = 'application/problem+json; charset=utf-8';
    const raw = (type: string, body: string): Promise<unknown> => post('poll', { raw: { type, body } }).then(refusal);
    expect(refusal(await poll({ token: null }))).toEqual([401, 'unauthenticated', problem]);
    expect((await poll({ token: 'unknown' })).headers.get('www-authenticate')).toContain('invalid_token');
    expect(refusal(await poll({ token: ADMIN }))).toEqual([403, 'agents-only', problem]);
    expect(refusal(await post('poll?dryRun=true', { body: { incarnation } }))).toEqual([400, 'invalid-parameter', problem]);
    expect(refusal(await post('poll', {}))).toEqual([422, 'invalid-request', problem]);
    expect(await raw('application/json', '{')).toEqual([400, 'malformed-json', problem]);
    expect(await raw('text/plain', '{}')).toEqual([415, 'unsupported-media-type', problem]);
    expect(await raw('application/json', `"${' '.repeat(1024 * 1024)}"`)).toEqual([413, 'content-too-large', problem]);
    expect(refusal(await poll({ body: { incarnation: incarnation + 7, waitMs: 0, known: [] } }))).toMatchObject([
      409,
      'lease-lost',
      problem,
    ]);
    expect(await post('poll', { body: { incarnation, waitMs: 0, known: [], more: 1 } })).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: '/more' }] },
    });
  });

  it('is refused in few words, however much is wrong', async () => {
    const many = (count: number): object[] => Array.from({ length: count }, () => ({}));
    const fields = (count: number): object => Object.fromEntries(many(count).map((_, index) => [`x${String(index)}`, 1]));
    const bodies: readonly (readonly [duty: string, body: object, more: boolean | undefined])[] = [
      ['results', { incarnation, results: many(1_000) }, true],
      ['poll', { incarnation, waitMs: 0, known: [], active: many(10_000) }, true],
      ['poll', { incarnation, waitMs: 0, known: [], ...fields(900) }, true],
      ['poll', { incarnation, waitMs: 0, known: [], ...fields(90_000) }, undefined],
      ['attributes', { incarnation, changes: many(1_000) }, true],
    ];
    for (const [duty, body, moreErrors] of bodies) {
      const { status, json, text } = await post(duty, { body });
      expect([duty, status, json['moreErrors'], text.length < 4_000]).toEqual([duty, 422, moreErrors, true]);
    }
  });

  it('refuses a result whose id can not be stored: it would be acknowledged under another', async () => {
    const result = {
      actionId: 'a',
      transitionKey: 't',
      operation: 'monitor',
      intervalMs: 10_000,
      resource: { id: 'web', historyId: 'web', class: 'ocf', type: 'Dummy' },
    };
    const ended = { status: 'done', rc: 0, callId: 1, startedAt: 1, execMs: 1, queueMs: 0, recurring: true };
    for (const resultId of ['a\0b', 'a\ud800']) {
      const { status, json } = await post('results', { body: { incarnation, results: [{ ...result, ...ended, resultId }] } });
      expect([status, json['errors']]).toEqual([
        422,
        [{ pointer: '/results/0/resultId', detail: expect.stringContaining("can't be stored") as string }],
      ]);
    }
  });

  it('is known by its exact path and method only', async () => {
    expect((await under.call('GET', '/v1/agent/poll', { token: agent })).status).toBe(405);
    expect((await under.call('GET', '/v1/agent/poll', { token: agent })).headers.get('allow')).toContain('POST');
    for (const path of ['poll/', 'Poll', '%70oll', 'polls']) expect([path, (await post(path, { body: {} })).status]).toEqual([path, 404]);
  });

  it('is counted by its route', async () => {
    await poll();
    const { text } = await under.call('GET', '/metrics', { token: null });
    expect(text).toMatch(/systole_http_request_duration_seconds_count\{method="POST",route="\/v1\/agent\/poll",status="200"\} [1-9]/);
    expect(text).toMatch(/systole_http_requests_open 1\n/);
  });
});
