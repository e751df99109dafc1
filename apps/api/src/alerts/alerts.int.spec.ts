import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, type Answer, type ApiUnderTest, type Json } from '../testing/api-under-test.js';

const CIB =
  '<cib crm_feature_set="3.20.5" validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes><node id="1" uname="n1"/></nodes><resources/><constraints/>' +
  '<alerts><alert id="page" path="/usr/local/bin/page"><instance_attributes id="p"><nvpair id="p-t" name="api_token" value="hush-hush"/></instance_attributes><recipient id="ops" value="ops@example"/></alert>' +
  '<alert id="off" path="/p"><meta_attributes id="m"><nvpair id="e" name="enabled" value="false"/></meta_attributes></alert></alerts></configuration><status/></cib>';

let under: ApiUnderTest;
let cluster: string;
let agent: string;
let incarnation: number;

beforeAll(async () => {
  under = await apiUnderTest();
  cluster = await under.cluster('alerted', CIB);
  agent = await under.agent(cluster, 'n1');
  const joined = await under.call('POST', '/v1/agent/join', { token: agent, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
  incarnation = Number(joined.json['incarnation']);
});
afterAll(() => under.close());

const test = (alert: string, { body = {}, query = '', token }: { body?: object; query?: string; token?: string } = {}): Promise<Answer> =>
  under.call('POST', `/v1/clusters/${cluster}/alerts/${alert}/commands/test${query}`, { body, ...(token === undefined ? {} : { token }) });
const ask = (body: object = {}): Promise<Answer> =>
  under.call('POST', '/v1/agent/alerts', { token: agent, body: { incarnation, waitMs: 0, known: [], ended: [], ...body } });
const runs = (query = ''): Promise<Answer> => under.call('GET', `/v1/clusters/${cluster}/alert-runs${query}`);
const first = (list: unknown): Json => (list as readonly Json[])[0] ?? {};

describe('alerts over HTTP', () => {
  it('a test is given to the node that waits, with the values of secrets, and its end is shown', async () => {
    const waiting = ask({ waitMs: 20_000 });
    const asked = await test('page');
    expect([asked.status, asked.json]).toMatchObject([
      202,
      { dryRun: false, runs: [{ alert: 'page', recipient: 'ops', node: 'n1', kind: 'node', test: true, outcome: 'waiting', tries: 0 }] },
    ]);
    const id = Number(first(asked.json['runs'])['id']);
    const given = await waiting;
    expect(given.status).toBe(200);
    const alert = first(given.json['alerts']);
    expect(alert).toMatchObject({
      ...{ id, alert: 'page', recipient: 'ops', path: '/usr/local/bin/page', timeoutMs: 30_000 },
      variables: {
        CRM_alert_kind: 'node',
        CRM_alert_desc: 'test',
        CRM_alert_node: 'n1',
        CRM_alert_nodeid: '1',
        CRM_alert_recipient: 'ops@example',
      },
    });
    const reference = String((alert['options'] as Json)['api_token']);
    expect(reference).toMatch(/^systole-secret:/);
    expect(alert['secrets']).toEqual({ [reference]: 'hush-hush' });
    const { rows } = await under.database.pool.query<{ call: string }>('SELECT call::text AS call FROM alert_runs');
    expect(rows.map(({ call }) => call).join()).not.toContain('hush-hush');

    expect((await ask({ known: [id] })).json).toEqual({ alerts: [] });
    expect((await ask({ ended: [{ id, outcome: 'failed', rc: 3, detail: 'no server', execMs: 12 }] })).json).toEqual({ alerts: [] });
    const list = await runs('?outcome=failed,timeout&alert=page');
    expect(list.json).toMatchObject({
      failed: 1,
      dropped: 0,
      items: [{ id, outcome: 'failed', rc: 3, detail: 'no server', execMs: 12, tries: 1 }],
    });
    expect((await runs('?outcome=done')).json).toMatchObject({ items: [] });
  });

  it('a test that could come to nothing is refused, and says why', async () => {
    expect((await test('none')).json).toMatchObject({ status: 404, type: expect.stringMatching(/alert-not-found$/) as string });
    expect((await test('off')).json).toMatchObject({ status: 409, type: expect.stringMatching(/alert-disabled$/) as string });
    expect((await test('page', { body: { node: 'n9' } })).json).toMatchObject({ status: 409, errors: [{ pointer: '/node' }] });
    const dry = await test('page', { query: '?dryRun=true' });
    expect([dry.status, dry.json]).toEqual([200, { dryRun: true, runs: [] }]);
    expect((await runs()).json['items'] as readonly Json[]).toHaveLength(1);
    expect((await test('page', { token: await under.token('viewer', 'looker') })).status).toBe(403);
  });

  it('are asked for by the present life of a node only, and not by people', async () => {
    expect((await ask({ incarnation: 99 })).status).toBe(409);
    expect((await under.call('POST', '/v1/agent/alerts', { body: {} })).status).toBe(403);
    expect((await ask({ ended: [{ id: 1, outcome: 'odd', execMs: 0 }] })).status).toBe(422);
  });
});
