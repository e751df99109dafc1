import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, type ApiUnderTest } from '../testing/api-under-test.js';
import { WorkerByHand } from '../testing/worker-by-hand.js';
import type { WhatIfDto } from './what-if.dto.js';

const NODES = ['n1', 'n2'] as const;
const CIB = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>
  <nodes>${NODES.map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`).join('')}</nodes>
  <resources><primitive id="fence" class="stonith" type="fence_x"/><primitive id="db" class="ocf" provider="systole" type="Dummy">
  <operations><op id="db-m" name="monitor" interval="10s"/></operations></primitive></resources>
  <constraints><rsc_location id="l" rsc="db" node="n1" score="100"/></constraints></configuration><status/></cib>`;

describe('what would become of a cluster', () => {
  let under: ApiUnderTest;
  let id: string;

  beforeAll(async () => {
    under = await apiUnderTest();
    id = await under.cluster('supposed');
    const put = await under.call('PUT', `/v1/clusters/${id}/cib`, {
      headers: { 'if-match': '*' },
      raw: { type: 'application/xml', body: CIB },
    });
    expect(put.status).toBe(200);
    for (const name of NODES) {
      const token = await under.agent(id, name);
      const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: name } });
      expect(joined.status).toBe(200);
    }
    const worker = new WorkerByHand(under);
    await worker.commands.execute(
      id,
      { type: 'change-quorum', quorate: true, votes: 2, expectedVotes: 2 },
      { actor: 'worker', correlationId: 'test' },
    );
    await worker.close();
  }, 60_000);
  afterAll(() => under.close());

  const ask = async (body: object, query = '') => {
    const { status, json } = await under.call('POST', `/v1/clusters/${id}/simulate${query}`, { body });
    return { status, json, supposed: json as unknown as WhatIfDto };
  };
  const problem = (json: object) =>
    json as { readonly code: string; readonly errors: readonly { readonly pointer: string; readonly detail: string }[] };

  it('is told plan by plan, until it rests', async () => {
    const { status, supposed } = await ask({ nodesLost: ['n1'], quorum: true });
    expect(status).toBe(200);
    expect(supposed.happens).toEqual(['Setting quorum: 1', 'Failing node n1']);
    expect(supposed.rests).toBe(true);
    expect(supposed.plans[0]?.nodes).toMatchObject([{ change: 'Fence', node: 'n1', action: 'reboot' }]);
    expect(supposed.plans.flatMap(({ steps }) => steps)).toContainEqual({ operation: 'start', resource: 'db', node: 'n2' });
    expect(supposed.after.resources.find((resource) => resource.id === 'db')).toMatchObject({ role: 'Started', activeOn: ['n2'] });
  });

  it('with operations that fail each time', async () => {
    const { supposed } = await ask({ failures: [{ resource: 'db', operation: 'start', node: 'n1', rc: 5 }] });
    expect(supposed.plans.flatMap(({ steps }) => steps)).toContainEqual({ operation: 'start', resource: 'db', node: 'n1', rc: 5 });
    expect(supposed.after.resources.find((resource) => resource.id === 'db')).toMatchObject({ activeOn: ['n2'] });
  });

  it('with the configuration edited first; nothing of it is kept', async () => {
    const before = await under.call('GET', `/v1/clusters/${id}`);
    const edit = {
      edit: 'create',
      collection: 'constraints',
      element: { element: 'rsc_location', id: 'never', rsc: 'db', node: 'n1', score: '-INFINITY' },
    };
    const { status, json, supposed } = await ask({ edits: [edit] });
    expect({ status, json }).toMatchObject({ status: 200 });
    expect(supposed.after.resources.find((resource) => resource.id === 'db')).toMatchObject({ activeOn: ['n2'] });
    expect((await under.call('GET', `/v1/clusters/${id}`)).json['version']).toBe(before.json['version']);
    expect((await ask({})).supposed.after.resources.find((resource) => resource.id === 'db')).toMatchObject({ activeOn: ['n1'] });
  });

  it('can be asked of an earlier version', async () => {
    const { status, supposed } = await ask({}, '?at=1');
    expect([status, supposed.plans, supposed.before.resources]).toEqual([200, [], []]);
    expect((await ask({}, '?at=9999')).status).toBe(404);
  });

  it('is refused, with the place, where it is no question about this cluster', async () => {
    const absent = await ask({ nodesLost: ['n1', 'n9'], results: [{ resource: 'db', operation: 'monitor', node: 'n8', rc: 1 }] });
    expect(absent.status).toBe(422);
    expect(problem(absent.json).errors.map(({ pointer }) => pointer)).toEqual(['/nodesLost/1', '/results/0/node']);
    const ghost = await ask({ results: [{ resource: 'ghost', operation: 'monitor', intervalMs: 10_000, node: 'n1', rc: 1 }] });
    expect([ghost.status, problem(ghost.json).errors[0]?.detail]).toEqual([422, 'Invalid resource name: ghost']);
    for (const body of [
      { nodesGone: ['n1'] },
      { edits: [{ edit: 'paint' }] },
      { edits: 'all' },
      { failures: [{ resource: 'db', operation: 'start', node: 'n1', rc: 256 }] },
      { failures: [{ resource: 'db', operation: 'start@n2=0', node: 'n1', rc: 1 }] },
      { results: [null] },
      { nodesUp: ['n\u0000'] },
    ]) {
      expect([body, (await ask(body)).status]).toEqual([body, 422]);
    }
  });
});
