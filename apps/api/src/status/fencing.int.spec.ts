import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterEvent } from '@systole/cluster';
import type { NewEvent } from '@systole/event-store';
import { PROTOCOL } from '@systole/protocol';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';
import { WorkerByHand } from '../testing/worker-by-hand.js';

const DEVICES = `<primitive id="gun" class="stonith" type="fence_systole_demo"><instance_attributes id="gun-p"><nvpair id="gun-hosts" name="pcmk_host_list" value="n2"/></instance_attributes></primitive>
  <primitive id="axe" class="stonith" type="fence_systole_demo"><instance_attributes id="axe-p"><nvpair id="axe-hosts" name="pcmk_host_list" value="n1 n2"/></instance_attributes></primitive></resources>`;

const attempt = (fencingId: string, target: string, action: 'off' | 'reboot') =>
  ({ fencingId, target, action, device: 'gun', executor: target === 'n2' ? 'n1' : 'n2' }) as const;
type Logged = NewEvent<ClusterEvent>;
/** Device, target and executor. */
const SUBJECTS = ['gun', 'n1', 'n2'];
const asked = (...of: Parameters<typeof attempt>): Logged => ({
  subjects: SUBJECTS,
  type: 'FencingRequested',
  data: { ...attempt(...of), attempt: 1, transition: 1, graphActionId: 1 },
});
const ended = (how: object, ...of: Parameters<typeof attempt>): Logged => ({
  subjects: SUBJECTS,
  type: 'FencingCompleted',
  data: { ...attempt(...of), outcome: 'succeeded', ...how },
});

describe('what tools are told of fencing', () => {
  let under: ApiUnderTest;
  let worker: WorkerByHand;
  let cluster: string;
  let agent: string;
  let count = 0;
  beforeAll(async () => {
    under = await apiUnderTest();
    worker = new WorkerByHand(under);
  });
  afterAll(async () => {
    await worker.close();
    await under.close();
  });
  beforeEach(async () => {
    count += 1;
    cluster = await under.cluster(`fenced${String(count)}`, CIB.replace('</resources>', DEVICES));
    agent = await under.agent(cluster, 'n1');
  });

  const happened = async (...events: readonly Logged[]): Promise<void> => {
    await worker.store.append(cluster, 'any', events, { actor: 'worker', command: 'advance-fencing', correlationId: 'test' });
  };
  const byAgent = (query = ''): Promise<Answer> => under.call('GET', `/v1/agent/fencing${query}`, { token: agent });
  const byOperator = (query = ''): Promise<Answer> => under.call('GET', `/v1/clusters/${cluster}/fencing${query}`);
  /** Action, target and status of each; the same by both ways. */
  const history = async (query = ''): Promise<readonly string[]> => {
    const [one, other] = [await byAgent(query), await byOperator(query)];
    expect([one.status, other.status, one.json]).toEqual([200, 200, other.json]);
    const records = one.json['history'] as readonly Readonly<Record<string, string>>[];
    return records.map(({ action, target, status }) => `${String(action)} ${String(target)} ${String(status)}`);
  };

  it('is what is under way, then what is over, newest first, of all or one; attempts after which others are tried are not', async () => {
    expect([await history(), await history('?node=n2')]).toEqual([[], []]);
    await happened(asked('a', 'n2', 'off'), ended({}, 'a', 'n2', 'off'));
    await happened(asked('b', 'n1', 'reboot'), ended({ outcome: 'timeout' }, 'b', 'n1', 'reboot'));
    await happened(asked('c', 'n1', 'reboot'), ended({ outcome: 'failed', detail: 'no power', exhausted: true }, 'c', 'n1', 'reboot'));
    await happened(asked('d', 'n2', 'reboot'));
    expect(await history()).toEqual(['reboot n2 pending', 'reboot n1 failed', 'off n2 success']);
    expect(await history('?node=n2')).toEqual(['reboot n2 pending', 'off n2 success']);
    expect(await history('?node=n1')).toEqual(['reboot n1 failed']);
    expect(await history('?node=nobody')).toEqual([]);
    expect((await byAgent('?node=n1')).json['history']).toEqual([
      {
        ...{ action: 'reboot', target: 'n1', client: 'systole', delegate: 'n2', status: 'failed', reason: 'no power' },
        completedAt: expect.any(Number) as number,
      },
    ]);
  });

  it('names the devices that can fence one', async () => {
    expect((await byAgent()).json).not.toHaveProperty('devices');
    expect((await byAgent('?node=n1')).json['devices']).toEqual(['fence', 'axe']);
    expect((await byOperator('?node=N2')).json['devices']).toEqual(['fence', 'gun', 'axe']);
  });

  it('tells of one however often others were fenced since', async () => {
    await happened(asked('a', 'n2', 'off'), ended({}, 'a', 'n2', 'off'));
    const others = Array.from({ length: 60 }, (_, index) => `o${String(index)}`);
    await happened(...others.flatMap((id) => [asked(id, 'n1', 'off'), ended({}, id, 'n1', 'off')]));
    expect(await history('?node=n2')).toEqual(['off n2 success']);
    expect((await history()).length).toBe(50);
    expect((await history('?node=n1')).length).toBe(50);
  });

  it('leaves out what was seen, which a node’s tool notes where the cluster lets it', async () => {
    await happened(asked('a', 'n2', 'off'), ended({}, 'a', 'n2', 'off'), asked('b', 'n1', 'off'), ended({}, 'b', 'n1', 'off'));
    const join = { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'boot' };
    const { incarnation } = (await under.call('POST', '/v1/agent/join', { token: agent, body: join })).json;
    const clear = (request: object): Promise<Answer> =>
      under.call('POST', '/v1/agent/tool-requests', {
        token: agent,
        body: { incarnation, tool: 'stonith_admin', request: { ask: 'clear-fencing-history', ...request } },
      });
    expect((await clear({ node: 'n2' })).json['type']).toMatch(/not-for-this-agent$/);
    const words = { ask: 'set-section-value', section: 'crm_config', name: 'systole-agent-writes', value: 'fencing@n1' };
    const byTool = (request: object): Promise<Answer> =>
      under.call('POST', `/v1/clusters/${cluster}/commands/tool-request`, { body: { tool: 'stonith_admin', request } });
    expect((await byTool(words)).status).toBe(200);
    expect((await clear({ node: 'n2' })).json).toEqual({ changed: true });
    expect([await history(), await history('?node=n2')]).toEqual([['off n1 success'], []]);
    expect((await byTool({ ask: 'clear-fencing-history' })).json).toMatchObject({
      events: [{ type: 'FencingHistoryCleared', data: { reason: 'stonith_admin' } }],
    });
    expect([await history(), await history('?node=n1')]).toEqual([[], []]);
    await happened(asked('c', 'n2', 'off'), ended({}, 'c', 'n2', 'off'));
    expect(await history('?node=n2')).toEqual(['off n2 success']);
  });

  it('is for agents on their own route, and refused for what is not asked there', async () => {
    expect((await under.call('GET', `/v1/clusters/${cluster}/fencing`, { token: agent })).json['type']).toMatch(/not-for-agents$/);
    expect((await byAgent('?nodes=n1')).status).toBe(400);
    expect((await byOperator('?node=')).status).toBe(400);
    expect((await under.call('GET', '/v1/clusters/nope/fencing')).status).toBe(404);
  });
});
