import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

const INSIST = { 'if-match': '*' };
const DUMMY = { class: 'ocf', provider: 'systole', type: 'Dummy', digest: 'd1' };
const IP = { class: 'ocf', provider: 'heartbeat', type: 'IPaddr2', digest: 'i1' };
const DEVICE = { class: 'stonith', type: 'fence_systole_demo', digest: 'f1' };
const CLASSES = ['ocf', 'stonith', 'lsb'];

/** What an agent says about itself. */
function metadata(name: string, ...parameters: readonly { readonly name: string; readonly required?: boolean }[]): object {
  return {
    name,
    shortDescription: `An agent called ${name}`,
    parameters: parameters.map((parameter) => ({
      ...{ required: false, reloadable: false, deprecated: false, type: 'string', options: [] },
      ...parameter,
    })),
    actions: [{ name: 'monitor', timeoutMs: 20_000, automatic: false, onTarget: false }],
  };
}

/** A bundle whose only container is the node b-0. */
const BUNDLE =
  '<bundle id="b"><podman image="i" replicas="1"/><network control-port="3121"/><primitive id="inside" class="ocf" provider="systole" type="Dummy"/></bundle>';

function withResources(more: string): string {
  return CIB.replace('</resources>', `${more}</resources>`);
}

/** A node of a cluster, as its agent speaks for it. */
interface Node {
  readonly tell: (agents: readonly object[], classes?: readonly string[]) => Promise<Answer>;
  readonly describe: (agent: object, said: object) => Promise<Answer>;
}

describe('what nodes tell of their agents', () => {
  let under: ApiUnderTest;
  let count = 0;
  beforeAll(async () => {
    under = await apiUnderTest();
  }, 60_000);
  afterAll(() => under.close());

  const made = async (cib = CIB): Promise<{ readonly path: string; readonly node: (name: string) => Promise<Node> }> => {
    count += 1;
    const id = await under.cluster(`agents-${count}`, cib);
    const node = async (name: string): Promise<Node> => {
      const token = await under.agent(id, name);
      const send = (path: string, body: object): Promise<Answer> => under.call('POST', `/v1/agent/${path}`, { token, body });
      const joined = await send('join', { protocol: PROTOCOL, agentVersion: '1', bootId: `boot-${name}` });
      expect(joined, name).toMatchObject({ status: 200 });
      const incarnation = Number(joined.json['incarnation']);
      return {
        tell: (agents, classes = CLASSES) => send('installed-agents', { incarnation, classes, agents }),
        describe: (agent, said) => send('agent-descriptions', { incarnation, ...agent, ...said }),
      };
    };
    return { path: `/v1/clusters/agents-${count}`, node };
  };
  const wanted = ({ json }: Answer): readonly string[] =>
    (json['wanted'] as readonly { readonly digest: string }[]).map(({ digest }) => digest).sort();

  it('is listed with its versions and the nodes that have them; each version is described once', async () => {
    const { path, node } = await made();
    expect((await under.call('GET', `${path}/metadata/agents`)).json).toEqual({ items: [], tellings: [] });
    const [n1, n2] = [await node('n1'), await node('n2')];
    const service = { class: 'lsb', type: 'web', digest: 'w1' };
    expect(wanted(await n1.tell([DUMMY, IP, service]))).toEqual(['d1', 'i1']);
    expect((await n1.describe(DUMMY, { metadata: metadata('Dummy', { name: 'state' }) })).status).toBe(200);
    expect(wanted(await n1.tell([DUMMY, IP, service]))).toEqual(['i1']);
    expect(wanted(await n2.tell([DUMMY, { ...IP, digest: 'i2' }]))).toEqual(['i2']);
    const { json } = await under.call('GET', `${path}/metadata/agents`);
    expect(json).toMatchObject({
      items: [
        { name: 'lsb:web', versions: [{ digest: 'w1', nodes: ['n1'] }] },
        {
          name: 'ocf:heartbeat:IPaddr2',
          versions: [
            { digest: 'i1', nodes: ['n1'] },
            { digest: 'i2', nodes: ['n2'] },
          ],
        },
        { name: 'ocf:systole:Dummy', shortDescription: 'An agent called Dummy', versions: [{ digest: 'd1', nodes: ['n1', 'n2'] }] },
      ],
      tellings: [{ node: 'n1', classes: CLASSES }, { node: 'n2' }],
    });
    const one = await under.call('GET', `${path}/metadata/agents/ocf:systole:Dummy`);
    expect(one.json).toMatchObject({
      class: 'ocf',
      provider: 'systole',
      versions: [{ nodes: ['n1', 'n2'], metadata: { parameters: [{ name: 'state' }], actions: [{ name: 'monitor', timeoutMs: 20_000 }] } }],
    });
    const none = await under.call('GET', `${path}/metadata/agents/ocf:heartbeat:IPadr2`);
    expect([none.status, none.text]).toEqual([404, expect.stringContaining('did you mean ocf:heartbeat:IPaddr2')]);
  });

  it('is forgotten when the node has it no more, and told anew', async () => {
    const { path, node } = await made();
    const n1 = await node('n1');
    await n1.tell([DUMMY, IP]);
    await n1.describe(IP, { metadata: metadata('IPaddr2') });
    await n1.tell([DUMMY]);
    expect((await under.call('GET', `${path}/metadata/agents`)).json['items']).toMatchObject([{ name: 'ocf:systole:Dummy' }]);
    expect(wanted(await n1.tell([DUMMY, IP]))).toEqual(['d1', 'i1']);
  });

  it('is asked of another node when one could not read it', async () => {
    const { path, node } = await made();
    const [n1, n2] = [await node('n1'), await node('n2')];
    await n1.tell([DUMMY]);
    await n1.describe(DUMMY, { problem: 'it printed <nonsense>' });
    expect(wanted(await n1.tell([DUMMY]))).toEqual([]);
    expect((await under.call('GET', `${path}/metadata/agents/ocf:systole:Dummy`)).json).toMatchObject({
      versions: [{ problem: 'it printed <nonsense>' }],
    });
    expect(wanted(await n2.tell([DUMMY]))).toEqual(['d1']);
    await n2.describe(DUMMY, { metadata: metadata('Dummy') });
    await n1.describe(DUMMY, { problem: 'it is of no account any more' });
    const { json } = await under.call('GET', `${path}/metadata/agents/ocf:systole:Dummy`);
    expect(json).toMatchObject({ versions: [{ metadata: { name: 'Dummy' } }] });
    expect(JSON.stringify(json)).not.toContain('problem');
  });

  it('is taken of the node as it joined last, and of what it has only', async () => {
    const { node } = await made();
    const earlier = await node('n1');
    expect((await earlier.describe(DUMMY, { metadata: metadata('Dummy') })).status).toBe(404);
    await node('n2');
    const stale = await under.call('POST', '/v1/agent/installed-agents', {
      token: await under.agent(`agents-${count}`, 'n3'),
      body: { incarnation: 7, classes: [], agents: [] },
    });
    expect([stale.status, stale.json['type']]).toEqual([409, 'https://systole.dev/problems/incarnation-superseded']);
  });

  const described = async (path: string): Promise<unknown> => {
    const { json } = await under.call('GET', `${path}/metadata/agents/ocf:heartbeat:IPaddr2`);
    return json['versions'];
  };

  it('is nothing that one in a container says: it is asked for nothing, and decides nothing for the nodes', async () => {
    const { path, node } = await made(withResources(BUNDLE));
    const ours = await node('n1');
    const guest = await node('b-0');
    expect(await guest.tell([IP, DUMMY])).toMatchObject({ status: 200, json: { wanted: [] } });
    expect((await guest.describe(IP, { metadata: metadata('IPaddr2', { name: 'nonsense', required: true }) })).status).toBe(200);
    expect((await under.call('GET', `${path}/metadata/agents`)).json).toEqual({ items: [], tellings: [] });
    expect(wanted(await ours.tell([IP]))).toEqual(['i1']);
    await ours.describe(IP, { metadata: metadata('IPaddr2', { name: 'ip' }) });
    expect(await described(path)).toMatchObject([{ nodes: ['n1'], metadata: { parameters: [{ name: 'ip' }] } }]);
    expect((await under.call('GET', `${path}/metadata/agents`)).json['tellings']).toMatchObject([{ node: 'n1' }]);
  });

  it('counts as cluster nodes tell it: of a version that a remote node has described before them they are asked, and it is not asked again', async () => {
    const { path, node } = await made(withResources('<primitive id="far" class="ocf" provider="pacemaker" type="remote"/>'));
    const [ours, far] = [await node('n1'), await node('far')];
    const ip = (name: string): object => ({ metadata: metadata('IPaddr2', { name }) });
    expect(wanted(await far.tell([IP]))).toEqual(['i1']);
    await far.describe(IP, ip('nonsense'));
    expect(wanted(await ours.tell([IP]))).toEqual(['i1']);
    expect(await described(path)).toMatchObject([{ metadata: { parameters: [{ name: 'nonsense' }] } }]);
    await ours.describe(IP, { problem: 'it was busy' });
    expect(await described(path)).toMatchObject([{ metadata: { parameters: [{ name: 'nonsense' }] } }]);
    await ours.describe(IP, ip('ip'));
    for (const late of [far, ours]) {
      expect(wanted(await late.tell([IP]))).toEqual([]);
      expect((await late.describe(IP, ip('late'))).status).toBe(200);
    }
    expect(await described(path)).toMatchObject([{ metadata: { parameters: [{ name: 'ip' }] } }]);
  });

  it('may hold what no database takes: that is shown', async () => {
    const { path, node } = await made();
    const n1 = await node('n1');
    await n1.tell([{ ...DUMMY, type: 'Du\u0000mmy' }, DUMMY, DUMMY]);
    await n1.describe(DUMMY, { metadata: { ...metadata('Dummy'), longDescription: 'NUL \u0000, half \ud800' } });
    const { text } = await under.call('GET', `${path}/metadata/agents/ocf:systole:Dummy`);
    expect(text).toContain('NUL \u2400, half \ufffd');
  });

  it('is bounded', async () => {
    const { node } = await made();
    const n1 = await node('n1');
    const many = Array.from({ length: 2_001 }, (_, index) => ({ ...DUMMY, type: `t${index}` }));
    expect((await n1.tell(many)).status).toBe(422);
    expect((await n1.tell(many.slice(1))).json['wanted']).toHaveLength(20);
    const parameters = Array.from({ length: 501 }, (_, index) => ({ name: `p${index}` }));
    expect((await n1.describe({ ...DUMMY, type: 't1' }, { metadata: metadata('x', ...parameters) })).status).toBe(422);
  });

  it('takes so much room of each node, however well it packs; what was not wanted takes none, and other nodes have theirs', async () => {
    const { path, node } = await made();
    const [n1, n2] = [await node('n1'), await node('n2')];
    const many = Array.from({ length: 30 }, (_, index) => ({ ...DUMMY, type: `t${index}`, digest: `t${index}` }));
    const parameters = Array.from({ length: 40 }, (_, index) => ({ name: `p${index}`, longDescription: 'a'.repeat(16_000) }));
    const large = { metadata: metadata('large', ...parameters) };
    const service = { class: 'lsb', type: 'web', digest: 'w1' };
    await n1.tell([...many, service]);
    expect((await n1.describe(service, large)).status).toBe(200);
    const statuses: number[] = [];
    for (const agent of many) statuses.push((await n1.describe(agent, large)).status);
    // Of 645 kB each: 8 MiB.
    expect(statuses).toEqual([...Array<number>(12).fill(200), ...Array<number>(18).fill(413)]);
    // As an earlier version left them, which did not count.
    await under.database.pool.query("UPDATE agent_descriptions SET bytes = NULL WHERE digest = 't0'");
    expect((await n1.describe(many.at(-1) ?? {}, large)).status).toBe(413);
    const counted = await under.database.pool.query("SELECT bytes > 640000 AS large FROM agent_descriptions WHERE digest = 't0'");
    expect(counted.rows).toEqual([{ large: true }]);
    await n2.tell([{ ...DUMMY, digest: 'd2' }]);
    expect((await n2.describe({ ...DUMMY, digest: 'd2' }, large)).status).toBe(200);
    const { json } = await under.call('GET', `${path}/metadata/agents/lsb:web`);
    expect(json).toMatchObject({ versions: [{ digest: 'w1' }] });
    expect(JSON.stringify(json)).not.toContain('metadata":');
  });

  it('takes no room of cluster nodes, however much remote nodes tell, nor all of that of the other remote nodes', async () => {
    const remotes = ['far1', 'far2', 'far3', 'far4'];
    const resources = remotes.map((id) => `<primitive id="${id}" class="ocf" provider="pacemaker" type="remote"/>`);
    const { path, node } = await made(withResources(resources.join('')));
    const parameters = Array.from({ length: 40 }, (_, index) => ({ name: `p${index}`, longDescription: 'a'.repeat(16_000) }));
    const large = { metadata: metadata('large', ...parameters) };
    const describeMany = async (name: string, count: number): Promise<readonly number[]> => {
      const teller = await node(name);
      const many = Array.from({ length: count }, (_, index) => ({ ...DUMMY, type: `t${index}`, digest: `${name}-${index}` }));
      await teller.tell(many);
      const statuses: number[] = [];
      for (const agent of many) statuses.push((await teller.describe(agent, large)).status);
      return statuses.filter((status) => status === 200);
    };
    // Of 645 kB each: 2 MiB for a remote node, 8 MiB for a cluster node.
    for (const remote of remotes) expect(await describeMany(remote, 4), remote).toHaveLength(3);
    expect(await describeMany('n1', 13)).toHaveLength(12);
    expect((await under.call('GET', `${path}/metadata/agents/ocf:systole:t0`)).json['versions']).toHaveLength(5);
  });

  describe('decides what is found in a configuration:', () => {
    const create = (path: string, query: string, element: object): Promise<Answer> =>
      under.call('POST', `${path}/configuration/resources${query}`, { headers: INSIST, body: { element: 'primitive', ...element } });
    const operations = [{ name: 'monitor', interval: '10s' }];
    const ip = { id: 'ip', class: 'ocf', provider: 'heartbeat', type: 'IPadr2', operations };

    it('nothing, before any node has told', async () => {
      const { path, node } = await made();
      await node('n1');
      const answer = await create(path, '', ip);
      expect([answer.status, answer.json['findings']]).toEqual([201, undefined]);
    });

    it('an agent that no node has, and parameters, are refused unless they are forced, and shown in status', async () => {
      const { path, node } = await made();
      const n1 = await node('n1');
      await n1.tell([DUMMY, IP, DEVICE]);
      await n1.describe(IP, { metadata: metadata('IPaddr2', { name: 'ip', required: true }, { name: 'nic' }) });
      const unknown = await create(path, '', ip);
      expect([unknown.status, unknown.json['type']]).toEqual([422, 'https://systole.dev/problems/doubtful-configuration']);
      expect(unknown.json['errors']).toMatchObject([{ finding: 'unknown-agent', suggestion: 'ocf:heartbeat:IPaddr2' }]);
      const wrong = { ...ip, type: 'IPaddr2', instance_attributes: { nick: 'eth0' } };
      const refused = await create(path, '', wrong);
      expect(refused.json['errors']).toMatchObject([
        { finding: 'missing-parameter' },
        { finding: 'unknown-parameter', suggestion: 'nic', pointer: '/instance_attributes/nick' },
      ]);
      expect((await create(path, '?dryRun=true', wrong)).status).toBe(422);
      const forced = await create(path, '?force=true', wrong);
      expect([forced.status, forced.json['findings']]).toMatchObject([201, { count: 2 }]);
      const { json } = await under.call('GET', `${path}/events?limit=1&order=desc`);
      expect(JSON.stringify(json)).toContain('takes no such parameter');
      expect((await under.call('GET', `${path}/status`)).json['findings']).toMatchObject({
        count: 2,
        items: [{ kind: 'missing-parameter', subject: 'ip' }, { kind: 'unknown-parameter' }],
      });
      const other = await create(path, '', { ...ip, id: 'other', type: 'IPaddr2', instance_attributes: { ip: '192.0.2.1' } });
      expect(other.status).toBe(201);
      await n1.tell([DUMMY, { ...IP, digest: 'i2' }, DEVICE]);
      expect((await under.call('GET', `${path}/status`)).json['findings']).toMatchObject({ count: 0 });
    });

    it('an import lists them with everything else', async () => {
      const { path, node } = await made();
      await (await node('n1')).tell([IP]);
      const answer = await under.call('PUT', `${path}/cib`, {
        headers: INSIST,
        raw: {
          type: 'application/xml',
          body: CIB.replace('epoch="1"', 'epoch="9"').replace('id="web"', 'id="web2"').replace('rsc="web"', 'rsc="web2"'),
        },
      });
      expect(answer.status).toBe(422);
      expect(answer.json['errors']).toMatchObject([{ finding: 'unknown-agent', line: expect.any(Number) as number }, { standing: true }]);
    });
  });
});
