import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, type ApiUnderTest } from '../testing/api-under-test.js';
import { RunningCluster } from '../testing/running-cluster.js';
import { WorkerByHand } from '../testing/worker-by-hand.js';
import type { LossDto, ResilienceBegunDto, ResilienceDto } from './resilience.dto.js';

const RACKS = { n1: 'a', n2: 'a', n3: 'b' } as const;
const NODES = Object.keys(RACKS) as readonly (keyof typeof RACKS)[];
const node = (name: keyof typeof RACKS, index: number): string =>
  `<node id="${String(index + 1)}" uname="${name}"><instance_attributes id="a-${name}"><nvpair id="a-${name}-rack" name="rack" value="${RACKS[name]}"/></instance_attributes></node>`;
const CIB = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>
  <nodes>${NODES.map(node).join('')}</nodes>
  <resources><primitive id="fence" class="stonith" type="fence_x"/><primitive id="db" class="ocf" provider="systole" type="Dummy"/>
  <primitive id="pinned" class="ocf" provider="systole" type="Dummy"/></resources>
  <constraints><rsc_location id="l" rsc="pinned"><rule id="r" score="-INFINITY"><expression id="e" attribute="#uname" operation="ne" value="n1"/></rule></rsc_location></constraints>
  </configuration><status/></cib>`;

describe('what a cluster would bear', () => {
  let under: ApiUnderTest;
  let id: string;

  beforeAll(async () => {
    under = await apiUnderTest();
    id = await under.cluster('borne');
    expect(
      (await under.call('PUT', `/v1/clusters/${id}/cib`, { headers: { 'if-match': '*' }, raw: { type: 'application/xml', body: CIB } }))
        .status,
    ).toBe(200);
    for (const name of NODES) {
      const token = await under.agent(id, name);
      const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: name } });
      expect(joined.status).toBe(200);
    }
    const worker = new WorkerByHand(under);
    const quorum = { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 } as const;
    await worker.commands.execute(id, quorum, { actor: 'worker', correlationId: 'test' });
    await worker.close();
  }, 60_000);
  afterAll(() => under.close());

  const ask = (body: object, headers: Record<string, string> = {}) =>
    under.call('POST', `/v1/clusters/${id}/resilience`, { body, headers });
  const told = ({ affected }: LossDto): readonly string[] => affected.map(({ effect, resource }) => `${effect} ${resource}`);

  it('is said of each node that has joined: what is down, and why it can be nowhere else', async () => {
    const { status, json } = await ask({});
    expect(status).toBe(200);
    const { losses, singlePointsOfFailure } = json as unknown as ResilienceDto;
    expect(losses.map(({ nodes }) => nodes)).toEqual([['n1'], ['n2'], ['n3']]);
    const [first] = losses;
    expect(first?.fenced).toEqual(['n1']);
    expect(first && told(first)).toContain('down pinned');
    expect(first?.why.map(({ resource }) => resource)).toEqual(['pinned']);
    expect(JSON.stringify(first?.why)).toContain('"l"');
    expect(singlePointsOfFailure.map(({ nodes }) => nodes)).toContainEqual(['n1']);
  });

  it('changes nothing', async () => {
    const before = await under.call('GET', `/v1/clusters/${id}`);
    await ask({ by: 'pair' });
    expect((await under.call('GET', `/v1/clusters/${id}`)).json['version']).toBe(before.json['version']);
  });

  it('reckons with the quorum that is left', async () => {
    const { json } = await ask({ by: 'pair' });
    const { losses } = json as unknown as ResilienceDto;
    expect(losses).toHaveLength(3);
    // Of three votes one is left.
    expect(losses.map(({ quorum }) => quorum)).toEqual([false, false, false]);
    const placed = losses.flatMap(({ why }) => why.filter(({ node }) => node !== undefined));
    expect(placed.length).toBeGreaterThan(0);
    for (const { text } of placed) expect(text).toMatch(/^there is no quorum any more, so it is started nowhere; with quorum: /);
  });

  it('is said of racks, by a node attribute', async () => {
    const { json } = await ask({ by: 'attribute', attribute: 'rack' });
    const { losses, without } = json as unknown as ResilienceDto;
    expect(losses.map(({ nodes }) => nodes)).toEqual([['n1', 'n2'], ['n3']]);
    expect(without).toEqual([]);
  });

  it('comes line by line to who wants that', async () => {
    const { text, headers } = await ask({}, { accept: 'application/x-ndjson' });
    expect(String(headers.get('content-type'))).toContain('application/x-ndjson');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LossDto & ResilienceDto & ResilienceBegunDto);
    expect(lines[0]).toMatchObject({ clusterId: id, tries: 3 });
    expect(lines.slice(1, 4).map(({ nodes }) => nodes)).toEqual([['n1'], ['n2'], ['n3']]);
    expect(lines[4]?.losses).toEqual([]);
    expect(lines[4]?.singlePointsOfFailure.length).toBeGreaterThan(0);
  });

  it.each([
    [{ by: 'rack' }, 422],
    [{ by: 'attribute' }, 422],
    [{ attribute: 'rack' }, 422],
    [{ nodes: ['n1', 'absent'] }, 422],
    [{ nodes: ['__proto__'] }, 422],
    [{ nodes: 'n1' }, 422],
    [{ what: 1 }, 422],
  ])('is refused for %j', async (body, status) => {
    const answer = await ask(body);
    expect(answer.status).toBe(status);
    expect(answer.json['errors']).toBeInstanceOf(Array);
  });

  it('is said of each resource that fails where it is active, and of those that nobody would see fail', async () => {
    const failing = await under.cluster('failing');
    const primitive = (name: string, operations = '') =>
      `<primitive id="${name}" class="ocf" provider="systole" type="Dummy"><meta_attributes id="${name}-meta"><nvpair id="${name}-t" name="migration-threshold" value="1"/></meta_attributes>${operations}</primitive>`;
    const monitor = '<operations><op id="db-m" name="monitor" interval="10s"/></operations>';
    const body = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config><cluster_property_set id="p"><nvpair id="p-f" name="fencing-enabled" value="false"/></cluster_property_set></crm_config>
      <nodes><node id="1" uname="n1"/></nodes><resources>${primitive('db', monitor)}${primitive('blind')}</resources><constraints/></configuration><status/></cib>`;
    await under.call('PUT', `/v1/clusters/${failing}/cib`, { headers: { 'if-match': '*' }, raw: { type: 'application/xml', body } });
    const running = new RunningCluster(under, failing);
    await running.join('n1');
    for (const name of ['db', 'blind']) await running.operation('n1', name, 'start');
    await running.operation('n1', 'db', 'monitor', { intervalMs: 10_000 });
    await running.close();
    const tried = async (asked: object) => {
      const answer = await under.call('POST', `/v1/clusters/${failing}/resilience`, { body: asked });
      return { status: answer.status, told: answer.json as unknown as ResilienceDto };
    };

    const { told: all } = await tried({ by: 'resource' });
    expect(all.losses.map(({ nodes, failed, unnoticed, affected }) => ({ nodes, failed, unnoticed, affected: affected.length }))).toEqual([
      { nodes: [], failed: { resource: 'db', node: 'n1' }, unnoticed: undefined, affected: 1 },
      { nodes: [], failed: { resource: 'blind', node: 'n1' }, unnoticed: true, affected: 0 },
    ]);
    // Once more is too often, and there is no other node.
    expect(all.singlePointsOfFailure).toEqual([{ nodes: [], failed: { resource: 'db', node: 'n1' }, resources: ['db'] }]);
    expect(all.losses[0]?.why.map(({ resource }) => resource)).toEqual(['db']);
    expect((await tried({ by: 'resource', resources: ['db'] })).told.losses).toHaveLength(1);
    expect((await tried({ by: 'resource', resources: ['ghost'] })).status).toBe(422);
    expect((await tried({ by: 'node', resources: ['db'] })).status).toBe(422);
  });
});
