import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';
import { WorkerByHand } from '../testing/worker-by-hand.js';

/** A clone and an ordering beside the service, without fencing and quorum: both nodes count as they are. */
const SHOP = CIB.replace(
  '</cluster_property_set>',
  '<nvpair id="f" name="stonith-enabled" value="false"/><nvpair id="q" name="no-quorum-policy" value="ignore"/></cluster_property_set>',
)
  .replace(
    '</resources>',
    '<clone id="caches"><primitive id="cache" class="ocf" provider="systole" type="Dummy"/></clone>' +
      '<primitive id="app" class="ocf" provider="systole" type="Dummy"/></resources>',
  )
  .replace('</constraints>', '<rsc_order id="web-then-app" first="web" then="app"/></constraints>');

interface Explanation {
  readonly version: number;
  readonly now: number;
  readonly placements: readonly { readonly resource: string; readonly candidates: readonly { readonly node: string }[] }[];
  readonly actions: readonly { readonly name: string; readonly state: string; readonly because: readonly { readonly text: string }[] }[];
}

const explanationIn = ({ json }: Answer): Explanation => json as unknown as Explanation;

describe('the explanation of a cluster', () => {
  let under: ApiUnderTest;
  let worker: WorkerByHand;
  let path: string;
  let cluster: string;
  let planned: number;

  const explain = (query = ''): Promise<Answer> => under.call('GET', `${path}/explanation${query}`);

  beforeAll(async () => {
    under = await apiUnderTest();
    worker = new WorkerByHand(under);
    cluster = await under.cluster('shop', SHOP);
    path = `/v1/clusters/${cluster}`;
    for (const node of ['n1', 'n2']) {
      await under.call('POST', '/v1/agent/join', {
        token: await under.agent(cluster, node),
        body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' },
      });
    }
    planned = await worker.plan(cluster);
  });
  afterAll(async () => {
    await worker.close();
    await under.close();
  });

  it('says for each resource which node it gets and why, and the reasons of each action', async () => {
    const answer = await explain();
    expect(answer.status).toBe(200);
    const tag = new RegExp(`^"${String(explanationIn(answer).version)}_m[0-9a-f]+(_gzip)?"$`);
    expect(answer.headers.get('etag')).toMatch(tag);
    // What is planned goes by the time, too: the next one may say something else of the same version.
    expect((await explain()).headers.get('etag')).toMatch(tag);
    expect((await explain()).headers.get('etag')).not.toBe(answer.headers.get('etag'));
    expect(answer.json).toMatchObject({ clusterId: cluster });
    expect(answer.json['placements']).toMatchObject([
      {
        resource: 'web',
        within: [],
        role: 'Stopped',
        nextRole: 'Started',
        activeOn: [],
        node: 'n1',
        rule: 'highest-score',
        text: 'n1 has the highest score, 50 (next is n2 with 0)',
        candidates: [
          { node: 'n1', score: 50 },
          { node: 'n2', score: 0 },
        ],
      },
      { resource: 'fence' },
      { resource: 'cache:0', within: ['caches'] },
      { resource: 'cache:1', within: ['caches'] },
      { resource: 'app' },
    ]);
    expect(answer.text).not.toContain('"parts"');
    const start = explanationIn(answer).actions.find(({ name }) => name.startsWith('start of web'));
    expect(start).toMatchObject({
      state: 'planned',
      because: [{ text: 'it is not running; n1 has the highest score, 50 (next is n2 with 0)' }],
    });
  });

  it('says of resources that are named what their scores are made of; a clone stands for its instances', async () => {
    expect(explanationIn(await explain('?resource=web')).placements).toMatchObject([
      {
        resource: 'web',
        candidates: [
          { node: 'n1', parts: [{ amount: 50, text: 'location web-on-n1', cause: { kind: 'location', constraint: 'web-on-n1' } }] },
          { node: 'n2', parts: [] },
        ],
      },
    ]);
    const named = async (query: string): Promise<readonly string[]> =>
      explanationIn(await explain(query)).placements.map(({ resource }) => resource);
    expect(await named('?resource=caches')).toEqual(['cache:0', 'cache:1']);
    expect(await named('?resource=cache:1,app')).toEqual(['cache:1', 'app']);
    expect(await named('?resource=web&resource=cache')).toEqual(['web', 'cache:0', 'cache:1']);
    expect((await explain('?resource=web&parts=false')).text).not.toContain('"parts"');
    expect((await explain('?parts=true')).text).toContain('"parts"');
  });

  it('is about one node where one is named, and about blocked actions where those are asked for', async () => {
    const there = explanationIn(await explain('?node=n2&resource=web'));
    expect(there.placements.flatMap(({ candidates }) => candidates.map(({ node }) => node))).toEqual(['n2']);
    expect(there.actions.map(({ name }) => name)).toEqual(['probe of web on n2']);
    expect(explanationIn(await explain('?actions=blocked')).actions).toEqual([]);
  });

  it('refuses what it does not know, and says what may have been meant', async () => {
    expect((await explain('?resource=cahce')).json).toMatchObject({
      status: 404,
      type: 'https://systole.dev/problems/resource-not-found',
      detail: 'there is no resource cahce: did you mean cache?',
      errors: [{ parameter: 'resource' }],
    });
    expect((await explain('?node=n3')).json).toMatchObject({
      status: 404,
      type: 'https://systole.dev/problems/node-not-found',
      detail: 'there is no node n3: did you mean n1 or n2?',
    });
    expect((await explain('?actions=some')).json).toMatchObject({ status: 400, errors: [{ parameter: 'actions' }] });
    expect((await explain('?resources=web')).json).toMatchObject({ status: 400, errors: [{ parameter: 'resources' }] });
    expect((await explain('?version=999')).json).toMatchObject({ status: 404, errors: [{ parameter: 'version' }] });
    expect((await under.call('GET', '/v1/clusters/none/explanation')).status).toBe(404);
    expect((await under.call('GET', `${path}/explanation`, { token: null })).status).toBe(401);
  });

  it('is computed for the moment of the status', async () => {
    const { now } = explanationIn(await explain());
    expect(explanationIn(await explain('?resource=web')).now).toBe(now);
  });

  it('of a transition is that of the state and the time that it was planned from', async () => {
    await under.call('POST', `${path}/nodes/n1/commands/standby`);
    expect(explanationIn(await explain('?resource=web')).placements).toMatchObject([{ node: 'n2' }]);
    const answer = await under.call('GET', `${path}/transitions/${String(planned)}/explanation?resource=web`);
    expect(answer.json).toMatchObject({
      number: planned,
      now: 1_800_000_000,
      // Planned by hand, with a digest of nothing.
      same: false,
      placements: [{ resource: 'web', node: 'n1' }],
    });
    expect(answer.headers.get('etag')?.replace('_gzip', '')).toBe(`"${String(explanationIn(answer).version)}"`);
    expect((await under.call('GET', `${path}/transitions/9/explanation`)).status).toBe(404);
    expect((await under.call('GET', `${path}/transitions/${String(planned)}/explanation?resource=wbe`)).status).toBe(404);
  });

  it('travels in time, and so does the status', async () => {
    const before = explanationIn(await explain()).version;
    await under.call('POST', `${path}/nodes/n1/commands/unstandby`);
    const event = (await under.call('GET', `${path}/events/${String(before)}`)).json;
    const past = await explain(`?version=${String(before)}&resource=web`);
    expect(past.json).toMatchObject({
      version: before,
      now: Math.floor(Date.parse(String(event['occurredAt'])) / 1_000),
      placements: [{ node: 'n2', text: 'n2 has the highest score of the usable nodes, 0 (n1 with 50 is standby)' }],
    });
    expect(past.headers.get('etag')?.replace('_gzip', '')).toBe(`"${String(before)}"`);

    const status = await under.call('GET', `${path}/status?version=${String(before)}`);
    expect(status.headers.get('etag')?.replace('_gzip', '')).toBe(`"${String(before)}"`);
    expect(status.json).toMatchObject({ version: before, nodes: [{ name: 'n1', standby: true }, { name: 'n2' }] });
    expect(JSON.stringify(status.json)).not.toContain('"lease"');
    expect((await under.call('GET', `${path}/status`)).json).toMatchObject({ nodes: [{ name: 'n1', standby: false }, { name: 'n2' }] });
    expect((await under.call('GET', `${path}/nodes/n1?version=${String(before)}`)).json).toMatchObject({ standby: true });
    expect((await under.call('GET', `${path}/status?version=x`)).json).toMatchObject({ status: 400, errors: [{ parameter: 'version' }] });
    expect((await under.call('GET', `${path}/status?verion=1`)).json).toMatchObject({ status: 400, errors: [{ parameter: 'verion' }] });
    expect((await under.call('GET', `${path}/status?version=999`)).status).toBe(404);
  });

  it('comes with a simulation that asks for it', async () => {
    const online = ['1', '2']
      .map((id) => `<node_state id="${id}" uname="n${id}" in_ccm="true" crmd="online" join="member" expected="member"/>`)
      .join('');
    const body = SHOP.replace('<status/>', `<status>${online}</status>`).replace('<cib ', '<cib have-quorum="1" ');
    const simulate = (query: string): Promise<Answer> =>
      under.call('POST', `/v1/simulate?now=1800000000${query}`, { raw: { type: 'application/xml', body } });
    const answer = await simulate('&explain=true&resource=web');
    expect(answer.json).toMatchObject({
      now: 1_800_000_000,
      explanation: { placements: [{ resource: 'web', node: 'n1', candidates: [{ parts: [{ amount: 50 }] }, { node: 'n2' }] }] },
    });
    expect(answer.json).toEqual({ ...(await simulate('')).json, explanation: answer.json['explanation'] });
    expect((await simulate('&resource=web')).json).toMatchObject({ status: 400, errors: [{ parameter: 'resource' }] });
    expect((await simulate('&explain=true&resource=wb')).json).toMatchObject({ status: 404, errors: [{ parameter: 'resource' }] });
  });
});
