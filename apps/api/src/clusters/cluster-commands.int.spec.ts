import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';
import { RunningCluster } from '../testing/running-cluster.js';

const WITH_TICKET = CIB.replace(
  '</constraints>',
  '<rsc_ticket id="web-needs-a" rsc="web" ticket="site-a" loss-policy="stop"/></constraints>',
);

describe('commands on a cluster', () => {
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
    const id = await under.cluster(`c${count}`, WITH_TICKET);
    cluster = `/v1/clusters/${id}`;
    running = new RunningCluster(under, id);
    await running.join('n1', 'n2');
    return () => running.close();
  });

  const post = (path: string, body: object = {}): Promise<Answer> => under.call('POST', `${cluster}/${path}`, { body });
  const get = async (path: string): Promise<unknown> => (await under.call('GET', `${cluster}/${path}`)).json['items'];

  it('put it in maintenance and take it out of it', async () => {
    expect((await post('commands/maintenance?dryRun=true')).json).toMatchObject({
      dryRun: true,
      changes: [{ after: expect.any(String) as string }],
    });
    expect((await post('commands/maintenance', { reason: 'new switch' })).json).toMatchObject({
      events: [{ data: { command: 'set-cluster-maintenance', arguments: { maintenance: true }, reason: 'new switch' } }],
    });
    expect((await post('resources/web/commands/disable')).json['warnings']).toEqual([expect.stringContaining('in maintenance')]);
    expect((await post('commands/unmaintenance')).status).toBe(200);
    expect((await post('commands/unmaintenance')).json['events']).toEqual([]);
  });

  it('stop everything and let it run again', async () => {
    const dry = await post('commands/stop-all?dryRun=true');
    expect(dry.json).toMatchObject({ dryRun: true, changes: [{ after: expect.stringContaining('stop-all-resources') as string }] });
    expect((await post('commands/stop-all', { reason: 'power' })).json).toMatchObject({
      events: [{ data: { command: 'set-all-stopped', arguments: { stopped: true }, reason: 'power' } }],
    });
    expect((await post('commands/start-all')).json['events']).toHaveLength(1);
    expect((await post('commands/start-all')).json['events']).toEqual([]);
  });

  it('forget a ticket once it is revoked', async () => {
    await post('tickets/old/commands/grant');
    expect((await post('tickets/old/commands/cleanup')).json).toMatchObject({
      status: 409,
      type: 'https://systole.dev/problems/ticket-granted',
      errors: [{ parameter: 'ticket' }],
    });
    await post('tickets/old/commands/revoke');
    expect((await post('tickets/old/commands/cleanup?dryRun=true')).json).toMatchObject({
      dryRun: true,
      events: [{ type: 'TicketChanged' }],
    });
    expect(JSON.stringify(await get('tickets'))).toContain('"old"');
    expect((await post('tickets/old/commands/cleanup', { reason: 'the site is gone' })).json).toMatchObject({
      events: [{ type: 'TicketChanged', data: { ticket: 'old', forgotten: true, reason: 'the site is gone' } }],
    });
    expect(JSON.stringify(await get('tickets'))).not.toContain('"old"');
  });

  it('relocate all resources, without leaving anything behind', async () => {
    expect((await post('commands/relocate')).json).toMatchObject({ events: [], changes: [] });
    const sticky =
      '<primitive id="db" class="ocf" provider="systole" type="Dummy"><meta_attributes id="db-m"><nvpair id="db-s" name="resource-stickiness" value="1000"/></meta_attributes></primitive>';
    const body = WITH_TICKET.replace('</resources>', `${sticky}</resources>`)
      .replace('</constraints>', '<rsc_location id="db-n2" rsc="db" node="n2" score="50"/></constraints>')
      .replace('<nvpair id="option-dc', '<nvpair id="option-stonith" name="stonith-enabled" value="false"/><nvpair id="option-dc');
    const raw = { type: 'application/xml', body };
    expect((await under.call('PUT', `${cluster}/cib`, { headers: { 'if-match': '*' }, raw })).status).toBe(200);
    await running.operation('n1', 'db', 'start');
    await running.probed('n2', 'db');
    const { json } = await post('commands/relocate?timeout=1', { reason: 'all nodes are back' });
    expect(json).toMatchObject({
      events: [{ data: { command: 'begin-relocation', reason: 'all nodes are back' } }, { data: { command: 'end-relocation' } }],
      settled: { outcome: expect.any(String) as string },
    });
    expect((await under.call('GET', `${cluster}/cib`)).text).not.toContain('-relocate');
  });

  it('put all nodes in standby in one event, which status tells of', async () => {
    expect((await post('commands/standby', { reason: 'power' })).json).toMatchObject({
      events: [{ data: { command: 'set-nodes-standby', arguments: { standby: true }, reason: 'power' } }],
    });
    expect(await get('nodes')).toMatchObject(
      ['n1', 'n2'].map((name) => ({ name, standby: true, modes: [{ mode: 'standby', by: 'user:admin', reason: 'power' }] })),
    );
    expect((await post('commands/unstandby', { nodes: ['n1', 'n9'] })).json).toMatchObject({
      status: 404,
      errors: [{ pointer: '/nodes' }],
    });
    expect((await post('commands/unstandby', { nodes: ['n1'] })).status).toBe(200);
    expect(await get('nodes')).toMatchObject([{ standby: false }, { standby: true }]);
  });

  it('grant and revoke tickets', async () => {
    expect(await get('tickets')).toEqual([{ id: 'site-a', granted: false, standby: false, constraints: ['web-needs-a'] }]);
    expect((await post('tickets/site-a/commands/grant', { reason: 'failover' })).json).toMatchObject({
      events: [{ type: 'TicketChanged', data: { ticket: 'site-a', granted: true, reason: 'failover' } }],
    });
    expect((await post('tickets/site-a/commands/grant')).json['events']).toEqual([]);
    const looksLike = await post('tickets/site-a%E2%80%8B/commands/grant');
    expect([looksLike.status, looksLike.json['errors']]).toMatchObject([422, [{ parameter: 'ticket' }]]);
    await post('tickets/other/commands/standby');
    expect(await get('tickets')).toMatchObject([
      { id: 'other', granted: false, standby: true, constraints: [] },
      { id: 'site-a', granted: true, standby: false, lastGranted: expect.any(String) as string },
    ]);
    await post('tickets/other/commands/unstandby');
    expect((await post('tickets/site-a/commands/revoke?dryRun=true')).json).toMatchObject({ dryRun: true, schedule: {} });
    expect((await post('tickets/site-a/commands/revoke')).status).toBe(200);
    expect(await get('tickets')).toMatchObject([{ standby: false }, { granted: false }]);
  });

  it('list fail counts and clear them, one by one or all', async () => {
    await running.operation('n1', 'web', 'start');
    await running.operation('n1', 'web', 'monitor', { intervalMs: 10_000, rc: 1 });
    await running.operation('n2', 'web', 'stop', { rc: 1 });
    const monitor = { resource: 'web', node: 'n1', operation: 'monitor', intervalMs: 10_000, count: '1' };
    expect(await get('fail-counts')).toMatchObject([monitor, { node: 'n2', operation: 'stop', count: 'INFINITY' }]);
    expect(await get('fail-counts?operation=monitor&intervalMs=10000&resource=web')).toMatchObject([monitor]);
    expect(await get('fail-counts?node=n1&operation=stop')).toEqual([]);
    const clear = (query: string): Promise<Answer> => under.call('DELETE', `${cluster}/fail-counts?${query}`);
    expect((await clear('operation=monitor&intervalMs=20000')).json['events']).toEqual([]);
    expect((await clear('resource=web&operation=monitor&reason=mended')).json).toMatchObject({
      events: [{ type: 'FailuresCleared', data: { operation: 'monitor', reason: 'mended' } }, { type: 'HistoryDeleted' }],
    });
    expect(await get('fail-counts')).toMatchObject([{ node: 'n2' }]);
    expect((await clear('resource=wbe')).json).toMatchObject({ status: 404, errors: [{ parameter: 'resource' }] });
    expect((await post('commands/cleanup', { reason: 'all of it' })).json).toMatchObject({ events: [{ data: { node: 'n2' } }, {}] });
    expect(await get('fail-counts')).toEqual([]);
    expect((await post('resources/web/commands/cleanup', { operation: 'monitor', reason: 'x' })).json['events']).toEqual([]);
    expect((await post('commands/refresh', { node: 'n9' })).json).toMatchObject({ status: 404, errors: [{ pointer: '/node' }] });
    const viewer = await under.token('viewer', `viewer-${count}`);
    expect((await under.call('DELETE', `${cluster}/fail-counts`, { token: viewer })).status).toBe(403);
  });
});
