import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type ApiUnderTest } from '../testing/api-under-test.js';

describe('requests with text that the database can not hold', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest();
    await under.cluster('requests', CIB);
  });
  afterAll(() => under.close());

  const problems = async (method: string, path: string, body?: unknown): Promise<readonly [number, unknown]> => {
    const { status, json } = await under.call(method, path, { body, headers: { 'if-match': '*' } });
    return [status, json['errors']];
  };

  it.each(['%00', 'a%00b', '%1B'])('in a path (%s) are refused, and name the parameter', async (text) => {
    const named = (parameter: string): unknown => [400, [{ parameter, detail: expect.stringContaining("can't be stored") as string }]];
    for (const path of ['', '/status', '/cib', '/events', '/transitions', '/explanation', '/nodes', '/events/stream']) {
      expect(await problems('GET', `/v1/clusters/${text}${path}`)).toEqual(named('cluster'));
    }
    expect(await problems('GET', `/v1/clusters/requests/nodes/${text}`)).toEqual(named('node'));
    expect(await problems('DELETE', `/v1/clusters/${text}`)).toEqual(named('cluster'));
    expect(await problems('DELETE', `/v1/tokens/${text}`)).toEqual(named('id'));
    expect(await problems('POST', `/v1/clusters/requests/nodes/${text}/commands/standby`)).toEqual(named('node'));
    expect(await problems('POST', `/v1/clusters/requests/resources/${text}/commands/cleanup`)).toEqual(named('resource'));
    const put = await under.call('PUT', `/v1/clusters/${text}/cib`, {
      headers: { 'if-match': '*' },
      raw: { type: 'application/xml', body: CIB },
    });
    expect([put.status, put.json['errors']]).toEqual(named('cluster'));
  });

  it('in a query are refused, and name the parameter', async () => {
    for (const [path, parameter] of [
      ['/v1/clusters', 'cursor'],
      ['/v1/tokens', 'cursor'],
      ['/v1/clusters/requests/events', 'subject'],
      ['/v1/clusters/requests/events', 'actor'],
      ['/v1/clusters/requests/events', 'correlation'],
      ['/v1/clusters/requests/explanation', 'resource'],
    ] as const) {
      expect(await problems('GET', `${path}?${parameter}=a%00b`)).toMatchObject([400, [{ parameter }]]);
    }
    const put = await under.call('PUT', '/v1/clusters/requests/cib?reason=%00', { raw: { type: 'application/xml', body: CIB } });
    expect([put.status, put.json['errors']]).toMatchObject([400, [{ parameter: 'reason' }]]);
  });

  it.each(['a\u0000b', '\ud800', '\u001b[31m'])('in a body (%j) are refused, and point at the place', async (text) => {
    const token = { role: 'agent', name: 'a', cluster: 'requests', node: 'n9' };
    for (const name of ['name', 'cluster', 'node']) {
      const [status, errors] = await problems('POST', '/v1/tokens', { ...token, [name]: text });
      expect([status, errors]).toMatchObject([422, expect.arrayContaining([expect.objectContaining({ pointer: `/${name}` })])]);
    }
    expect(await problems('POST', '/v1/tokens', { ...token, [text]: 1 })).toMatchObject([422, [{}, {}]]);
    expect(await problems('POST', '/v1/clusters', { name: text })).toMatchObject([422, [{ pointer: '/name' }, {}]]);
    expect(await problems('POST', '/v1/clusters', { name: 'never', cib: CIB.replace('n1', text) })).toMatchObject([
      422,
      [{ pointer: '/cib' }],
    ]);
    const allow = '/v1/clusters/requests/nodes/n1/commands/allow-fencing';
    expect(await problems('POST', allow, { reason: text })).toMatchObject([422, [{ pointer: '/reason' }]]);
    const cib = { name: 'cib', attributes: { 'validate-with': 'pacemaker-4.0', [`x`]: text }, children: [] };
    expect(await problems('PUT', '/v1/clusters/requests/cib', cib)).toMatchObject([422, {}]);
    expect((await problems('POST', '/v1/simulate', cib))[0]).toBe(422);
  });

  it.each(['a\u007fb', 'a\u009bb', 'a\u0085b', 'a\u202eb', 'a\u2066b', ' ', '\t\n', '\u00a0', '\u200e', '\u2800'])(
    'in a reason (%j), which auditors read, are refused in bodies and in queries',
    async (reason) => {
      const allow = '/v1/clusters/requests/nodes/n1/commands/allow-fencing?dryRun=true';
      expect(await problems('POST', allow, { reason })).toMatchObject([422, [{ pointer: '/reason' }]]);
      const asked = `/v1/clusters/requests/configuration/nodes/2?dryRun=true&reason=${encodeURIComponent(reason)}`;
      expect(await problems('DELETE', asked)).toMatchObject([400, [{ parameter: 'reason' }]]);
      const { status, json } = await under.call('POST', '/v1/clusters/requests/commands/tool-request?dryRun=true', {
        body: { tool: 'crm_attribute', reason, request: { ask: 'set-section-value', section: 'crm_config', name: 'x', value: '1' } },
      });
      expect([status, json['errors']]).toMatchObject([422, [{ pointer: '/reason' }]]);
    },
  );

  it.each(['mended', 'תיקון \u200f(n1)\u200f', 'two\nlines\tand a tab', 'e\u0301', '👩\u200d💻'])(
    'are none of a reason in words: %j',
    async (reason) => {
      const allow = '/v1/clusters/requests/nodes/n1/commands/allow-fencing?dryRun=true';
      expect((await under.call('POST', allow, { body: { reason } })).json['errors']).toBeUndefined();
    },
  );
});
