import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

/** What names the second node, in each way in which that can be done. */
const NAMED = CIB.replace(
  '</constraints>',
  `<rsc_location id="web-not-n2" rsc="web" node="n2" score="-5"/>
   <rsc_location id="by-rule" rsc="web"><rule id="r" score="1"><expression id="e" attribute="#uname" operation="eq" value="n2"/></rule></rsc_location></constraints>
   <fencing-topology><fencing-level id="fl" target="n2" index="1" devices="fence"/></fencing-topology>`,
).replace(
  '<primitive id="fence" class="stonith" type="fence_systole_demo"/>',
  `<primitive id="fence" class="stonith" type="fence_systole_demo"><instance_attributes id="fence-p"><nvpair id="hosts" name="pcmk_host_list" value="n1 n2"/></instance_attributes></primitive>`,
);

describe('commands on nodes', () => {
  let under: ApiUnderTest;
  let cluster: string;
  let count = 0;
  beforeAll(async () => {
    under = await apiUnderTest();
  });
  afterAll(() => under.close());

  /** A cluster whose first node has joined by an agent of today. */
  const begun = async (cib = NAMED): Promise<void> => {
    count += 1;
    const id = await under.cluster(`commands-${String(count)}`, cib);
    cluster = `/v1/clusters/${id}`;
    const joined = await under.call('POST', '/v1/agent/join', {
      token: await under.agent(id, 'n1'),
      body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' },
    });
    expect(joined.status, joined.text).toBe(200);
  };
  const post = (path: string, body: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    under.call('POST', `${cluster}/${path}`, { body, headers });
  const problem = ({ status, json }: Answer): unknown => [status, String(json['type']).split('/').at(-1), json['errors']];
  /** What is set of both nodes, also of the one that has not joined. */
  const modes = async (): Promise<unknown> =>
    Promise.all(['n1', 'n2'].map(async (node) => (await under.call('GET', `${cluster}/nodes/${node}/attributes`)).json['items']));

  it('put several nodes in maintenance, or all of them, and take them out of it, each in one event', async () => {
    await begun();
    for (const [command, maintenance] of [
      ['maintain-nodes', true],
      ['unmaintain-nodes', false],
    ] as const) {
      const dry = await post(`commands/${command}?dryRun=true`, { nodes: ['n2'] });
      expect([dry.status, dry.json['dryRun'], (dry.json['changes'] as readonly unknown[]).length], dry.text).toEqual([200, true, 1]);
      const done = await post(`commands/${command}`, { reason: 'new switch' });
      expect(done.json, done.text).toMatchObject({
        events: [
          { type: 'ConfigurationChanged', data: { command: 'set-nodes-maintenance', arguments: { maintenance }, reason: 'new switch' } },
        ],
      });
      const set = maintenance ? [{ name: 'maintenance', value: 'true', lifetime: 'forever' }] : [];
      expect(await modes()).toEqual([set, set]);
      expect((await post(`commands/${command}`)).json['events']).toEqual([]);
    }
    const unknown = await post('commands/maintain-nodes', { nodes: ['n1', 'n9'] });
    expect([unknown.status, String(unknown.json['type']).split('/').at(-1)]).toEqual([404, 'node-not-found']);
    expect(await modes()).toEqual([[], []]);
  });

  it('rename a node wherever it is named, in one event, and refuse what it may not be called', async () => {
    await begun();
    await under.call('PUT', `${cluster}/nodes/n2/attributes/rack`, { body: { value: 'r1' } });
    expect(problem(await post('nodes/n1/commands/rename', { to: 'charlie' }))).toMatchObject([409, 'node-online', [{ parameter: 'node' }]]);
    expect((await post('nodes/n9/commands/rename', { to: 'charlie' })).status).toBe(404);
    for (const to of ['n1', '', 'a b', 'x'.repeat(65)])
      expect([to, (await post('nodes/n2/commands/rename', { to })).status]).toEqual([to, 422]);
    expect((await post('nodes/n2/commands/rename')).status).toBe(422);
    const before = (await under.call('GET', `${cluster}/cib`, { headers: { accept: 'application/xml' } })).text;
    expect((await post('nodes/n2/commands/rename?dryRun=true', { to: 'charlie' })).json).toMatchObject({ dryRun: true });
    expect((await under.call('GET', `${cluster}/cib`, { headers: { accept: 'application/xml' } })).text).toBe(before);
    const done = await post('nodes/n2/commands/rename', { to: 'charlie', reason: 'as the label says' });
    expect(done.json, done.text).toMatchObject({
      events: [{ data: { command: 'rename-node', arguments: { node: 'n2', to: 'charlie' }, reason: 'as the label says' } }],
    });
    const { text } = await under.call('GET', `${cluster}/configuration`, { headers: { accept: 'application/xml' } });
    expect(text).not.toMatch(/"n2"|n1 n2/);
    for (const part of ['uname="charlie"', 'node="charlie"', 'value="charlie"', 'target="charlie"', 'value="n1 charlie"', 'name="rack"'])
      expect(text).toContain(part);
  });

  it('rename a resource that runs nowhere, and all that refers to it', async () => {
    await begun();
    for (const to of ['fence', '1st', 'a:b', ''])
      expect([to, (await post('resources/web/commands/rename', { to })).status]).toEqual([to, 422]);
    expect((await post('resources/none/commands/rename', { to: 'shop' })).status).toBe(404);
    const done = await post('resources/web/commands/rename', { to: 'shop', reason: 'it sells' });
    expect(done.json, done.text).toMatchObject({
      events: [{ data: { command: 'rename-resource', arguments: { resource: 'web', to: 'shop' }, reason: 'it sells' } }],
    });
    expect((await under.call('GET', `${cluster}/configuration/resources/shop`)).status).toBe(200);
    const { text } = await under.call('GET', `${cluster}/configuration/constraints`);
    expect(text).not.toContain('"rsc":"web"');
    expect(text).toContain('"rsc":"shop"');
  });

  it('have a node switched on by a device that can, and say why none does', async () => {
    await begun();
    expect((await post('nodes/n2/commands/power-on?dryRun=true', { reason: 'needed again' })).json).toMatchObject({
      dryRun: true,
      events: [
        {
          type: 'DebugOperationRequested',
          data: { node: 'n1', resource: 'fence', operation: 'on', target: 'n2', reason: 'needed again' },
        },
      ],
    });
    expect(problem(await post('nodes/n1/commands/power-on'))).toMatchObject([409, 'node-online', [{ parameter: 'node' }]]);
    expect(problem(await post('nodes/n9/commands/power-on'))).toMatchObject([404, 'node-not-found', [{ parameter: 'node' }]]);
    expect((await post('nodes/n2/commands/power-on', {}, { 'if-match': '"999"' })).status).toBe(412);
    await begun(CIB.replace('<primitive id="fence" class="stonith" type="fence_systole_demo"/>', ''));
    const none = await post('nodes/n2/commands/power-on');
    expect([none.status >= 400, String(none.json['type']).split('/').at(-1)]).toEqual([true, 'fencing-not-found']);
    expect((await under.call('GET', `${cluster}/events?type=DebugOperationRequested`)).json['items']).toEqual([]);
  });
});
