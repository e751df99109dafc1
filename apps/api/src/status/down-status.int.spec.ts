import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, type ApiUnderTest } from '../testing/api-under-test.js';
import { WorkerByHand } from '../testing/worker-by-hand.js';

const cib = (constraint: string): string =>
  `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration>
    <crm_config><cluster_property_set id="o"><nvpair id="o-f" name="stonith-enabled" value="false"/></cluster_property_set></crm_config>
    <nodes><node id="1" uname="n1"/></nodes>
    <resources><primitive id="web" class="ocf" provider="systole" type="Dummy"/></resources>
    <constraints>${constraint}</constraints></configuration><status/></cib>`;

describe('the status of a cluster that runs nothing', () => {
  let under: ApiUnderTest;
  let worker: WorkerByHand;
  beforeAll(async () => {
    under = await apiUnderTest();
    worker = new WorkerByHand(under);
  });
  afterAll(async () => {
    await worker.close();
    await under.close();
  });

  /** Of one whose only node has said that nothing runs there. @param counted whether a worker has counted its votes */
  async function statusWith(name: string, constraint: string, counted = true): Promise<Readonly<Record<string, unknown>>> {
    const id = await under.cluster(name, cib(constraint));
    const token = await under.agent(id, 'n1');
    await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    if (counted) {
      const votes = { type: 'change-quorum', quorate: true, votes: 1, expectedVotes: 1 } as const;
      expect(await worker.commands.execute(id, votes, { actor: 'worker', correlationId: 'test' })).toMatchObject({ ok: true });
    }
    const { actionId, transitionKey, resource, operation, intervalMs } = await worker.handOut(id, 'n1', await worker.plan(id), 1);
    const probed = { resultId: 'r', actionId, transitionKey, resource, operation, intervalMs, status: 'done', rc: 7, callId: 1 };
    const result = { ...probed, startedAt: 1_800_000_000, execMs: 1, queueMs: 0, recurring: false };
    const reported = await under.call('POST', '/v1/agent/results', { token, body: { incarnation: 1, results: [result] } });
    expect(reported.status).toBe(200);
    return (await under.call('GET', `/v1/clusters/${id}/status`)).json;
  }

  it('is bad where a resource should run, and can run nowhere', async () => {
    const { health, troubles, resources } = await statusWith('banned', '<rsc_location id="l" rsc="web" node="n1" score="-INFINITY"/>');
    expect(health).toBe('bad');
    expect(troubles).toContainEqual({ code: 'resources-down', level: 'bad', text: '1 resource should run, and does not: web' });
    expect(resources).toMatchObject([{ id: 'web', role: 'Stopped', wrong: ['stopped'] }]);
  });

  it('is not, where it waits for a ticket that another site has', async () => {
    const { troubles, resources, tickets } = await statusWith('passive', '<rsc_ticket id="t" rsc="web" ticket="site-a"/>');
    expect(troubles).not.toContainEqual(expect.objectContaining({ code: 'resources-down' }));
    expect(resources).toMatchObject([{ id: 'web', role: 'Stopped', waitsFor: 'ticket site-a' }]);
    expect(resources).not.toMatchObject([{ wrong: ['stopped'] }]);
    expect(tickets).toMatchObject([{ id: 'site-a', granted: false, standby: false, constraints: ['t'] }]);
  });

  it('is not, where it is about to be started', async () => {
    for (const counted of [true, false]) {
      const { troubles } = await statusWith(`starting-${String(counted)}`, '', counted);
      expect(troubles).not.toContainEqual(expect.objectContaining({ code: 'resources-down' }));
    }
  });
});
