import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest, type CallOptions } from '../testing/api-under-test.js';
import { RunningCluster } from '../testing/running-cluster.js';

describe('what is said about a node', () => {
  let under: ApiUnderTest;
  let cluster: string;
  let running: RunningCluster;
  let count = 0;
  beforeAll(async () => {
    under = await apiUnderTest();
  });
  afterAll(() => under.close());
  beforeEach(async () => {
    count++;
    const id = await under.cluster(`c${count}`, CIB);
    cluster = `/v1/clusters/${id}`;
    running = new RunningCluster(under, id);
    await running.join('n1');
    return () => running.close();
  });

  const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
    under.call(method, `${cluster}/nodes/${path}`, options);
  const items = async (path: string): Promise<unknown> => (await call('GET', path)).json['items'];

  it('is set, read and cleared: for ever and until its reboot', async () => {
    for (const query of ['?dryRun=true', '']) {
      expect((await call('PUT', `n1/attributes/rack${query}`, { body: { value: 'r1', reason: 'moved' } })).json).toMatchObject({
        events: [{ type: 'NodeAttributeSet', data: { node: 'n1', name: 'rack', value: 'r1', lifetime: 'forever', reason: 'moved' } }],
        changes: [{ after: expect.stringContaining('name="rack" value="r1"') as string }],
      });
    }
    const untilReboot = await call('PUT', 'n1/attributes/load', { body: { value: '', lifetime: 'reboot' } });
    expect([untilReboot.status, untilReboot.json['changes']]).toEqual([200, []]);
    expect(await items('n1/attributes')).toEqual([
      { name: 'rack', value: 'r1', lifetime: 'forever' },
      { name: 'load', value: '', lifetime: 'reboot' },
    ]);
    expect((await call('PUT', 'n1/attributes/rack', { body: { value: 'r1' } })).json['events']).toEqual([]);
    expect((await call('DELETE', 'n1/attributes/rack?reason=gone&dryRun=true')).json).toMatchObject({
      dryRun: true,
      changes: [{ before: expect.stringContaining('name="rack"') as string }],
    });
    expect((await call('POST', 'n1/commands/standby?dryRun=true')).json).toMatchObject({
      changes: [{ after: expect.stringContaining('name="standby" value="on"') as string }],
    });
    expect((await call('DELETE', 'n1/attributes/rack?reason=gone')).json).toMatchObject({ events: [{ data: { reason: 'gone' } }] });
    expect((await call('DELETE', 'n1/attributes/load?lifetime=reboot')).status).toBe(200);
    expect(await items('n1/attributes')).toEqual([]);
    expect((await call('PUT', 'n2/attributes/load', { body: { value: '1', lifetime: 'reboot' } })).json).toMatchObject({
      status: 409,
      errors: [{ parameter: 'node' }],
    });
    expect((await call('GET', 'n9/attributes')).status).toBe(404);
    expect((await call('PUT', 'n1/attributes/x', { body: { value: '1', lifetime: 'always' } })).status).toBe(422);
    await call('PUT', 'n2/attributes/site', { body: { value: 'a' } });
    const one = async (query = ''): Promise<unknown> => (await call('GET', `n2/attributes/site${query}`)).json;
    expect(await one()).toEqual({ name: 'site', value: 'a', lifetime: 'forever' });
    expect((await call('GET', 'n2/attributes/site?lifetime=reboot')).status).toBe(404);
    await call('PUT', 'n1/utilization/cpu', { body: { value: '4' } });
    expect((await call('GET', 'n1/utilization/cpu')).json).toEqual({ name: 'cpu', value: '4' });
    const none = await call('GET', 'n1/utilization/memory');
    expect([none.status, none.json['type'], none.json['errors']]).toMatchObject([
      404,
      'https://systole.dev/problems/attribute-not-found',
      [{ parameter: 'name' }],
    ]);
    await call('DELETE', 'n1/utilization/cpu');
    await call('DELETE', 'n2/attributes/site');
    for (const kind of ['attributes', 'utilization']) {
      const unseen = await call('PUT', `n1/${kind}/x%E2%80%AE`, { body: { value: '1' } });
      expect([unseen.status, unseen.json['errors']]).toMatchObject([400, [{ parameter: 'name' }]]);
      expect((await call('DELETE', `n1/${kind}/x%E2%80%AE`)).status).toBe(200);
    }
  });

  it('includes that it is in standby until its reboot', async () => {
    const standby = (node: string, command = 'standby', body: object = { lifetime: 'reboot', reason: 'kernel' }): Promise<Answer> =>
      call('POST', `${node}/commands/${command}`, { body });
    expect((await standby('n1')).json).toMatchObject({
      events: [{ type: 'NodeAttributeSet', data: { name: 'standby', value: 'on', lifetime: 'reboot', reason: 'kernel' } }],
    });
    expect(await items('n1/attributes')).toEqual([{ name: 'standby', value: 'on', lifetime: 'reboot' }]);
    expect((await standby('n1', 'unstandby', {})).json).toMatchObject({ events: [{ type: 'NodeAttributeCleared' }] });
    expect(await items('n1/attributes')).toEqual([]);
    expect((await standby('n2')).json).toMatchObject({ status: 409, errors: [{ parameter: 'node' }] });
    expect((await standby('n1', 'standby', { lifetime: 'soon' })).status).toBe(422);
  });

  it('includes what it can carry', async () => {
    expect((await call('PUT', 'n2/utilization/cpu', { body: { value: '4' } })).json).toMatchObject({
      events: [{ data: { command: 'set-node-utilization', arguments: { node: 'n2', name: 'cpu', value: '4' } } }],
    });
    expect(await items('n2/utilization')).toEqual([{ name: 'cpu', value: '4' }]);
    expect((await call('PUT', 'n2/utilization/cpu', { body: { value: 'much' } })).json).toMatchObject({
      status: 422,
      errors: [{ pointer: '/value' }],
    });
    expect((await call('DELETE', 'n2/utilization/cpu')).status).toBe(200);
    expect(await items('n2/utilization')).toEqual([]);
  });

  it('goes with it when it is removed', async () => {
    await call('PUT', 'n2/attributes/rack', { body: { value: 'r1' } });
    expect((await call('DELETE', 'n1')).json).toMatchObject({ status: 409, type: 'https://systole.dev/problems/node-online' });
    const body = { value: '3' };
    await call('PUT', 'n2/utilization/cpu', { body });
    const located = await under.call('POST', `${cluster}/resources/web/commands/ban`, { body: { node: 'n2' } });
    expect(located.status).toBe(200);
    expect((await call('DELETE', 'n2')).json).toMatchObject({
      status: 409,
      errors: [{ element: 'rsc_location', detail: 'rsc_location cli-ban-web-on-n2 names n2' }],
    });
    expect((await call('DELETE', 'n2?cascade=true&reason=sold')).json).toMatchObject({
      events: [{ data: { command: 'remove-node', arguments: { node: 'n2', cascade: true }, reason: 'sold' } }],
    });
    expect((await under.call('GET', `${cluster}/nodes`)).json['items']).toMatchObject([{ name: 'n1' }]);
    expect((await call('DELETE', 'n2')).status).toBe(404);
  });

  it('includes, when it is renamed, which tokens are still for its old name', async () => {
    const id = await under.cluster('renamed', CIB);
    await under.agent(id, 'n2');
    const tokens = (await under.call('GET', '/v1/tokens?limit=1000')).json['items'] as readonly {
      readonly id: string;
      readonly clusterId?: string;
    }[];
    const old = tokens.find(({ clusterId }) => clusterId === id)?.id ?? '';
    for (const query of ['?dryRun=true', '']) {
      const { json } = await under.call('POST', `/v1/clusters/${id}/nodes/n2/commands/rename${query}`, { body: { to: 'charlie' } });
      expect(json['warnings']).toEqual([
        expect.stringContaining('systole token create charlie --role agent --node charlie'),
        `the token ${old} is still for n2, revoke it: systole token revoke ${old}`,
      ]);
    }
  });
});
