import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';
import { RunningCluster } from '../testing/running-cluster.js';

const WITH_MORE = CIB.replace(
  '</resources>',
  '<primitive id="page" class="ocf" provider="systole" type="Dummy"/><primitive id="apart" class="ocf" provider="systole" type="Dummy"/></resources>',
)
  .replace('</constraints>', '<rsc_colocation id="page-with-web" rsc="page" with-rsc="web" score="INFINITY"/></constraints>')
  .replace('<nvpair id="option-dc', '<nvpair id="option-stonith" name="stonith-enabled" value="false"/><nvpair id="option-dc');

describe('commands on resources', () => {
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
    const id = await under.cluster(`c${count}`, WITH_MORE);
    cluster = `/v1/clusters/${id}`;
    running = new RunningCluster(under, id);
    await running.join('n1', 'n2');
    for (const resource of ['web', 'page', 'apart']) {
      await running.operation('n1', resource, 'start');
      await running.probed('n2', resource);
    }
    return () => running.close();
  });

  const post = (resource: string, command: string, body: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    under.call('POST', `${cluster}/resources/${resource}/commands/${command}`, { body, headers });
  const cib = async (): Promise<string> => (await under.call('GET', `${cluster}/cib`, { headers: { accept: 'application/xml' } })).text;

  it('enable, disable and manage them, and are recorded with who, why and what', async () => {
    expect((await post('web', 'disable', { reason: 'backup' })).json).toMatchObject({
      dryRun: false,
      events: [{ data: { command: 'disable-resource', arguments: { resource: 'web' }, reason: 'backup' } }],
      changes: [{ kind: 'meta_attributes' }],
    });
    expect(await cib()).toContain('<nvpair id="web-meta_attributes-target-role" name="target-role" value="Stopped"/>');
    expect((await post('web', 'disable')).json['events']).toEqual([]);
    expect((await post('web', 'enable')).status).toBe(200);
    for (const command of ['unmanage', 'manage', 'maintenance', 'unmaintenance']) expect((await post('web', command)).status).toBe(200);
    expect(await cib()).not.toMatch(/target-role|is-managed|maintenance/);
    expect((await post('web', 'promote')).json).toMatchObject({ status: 422, errors: [{ parameter: 'resource' }] });
    const events = await under.call('GET', `${cluster}/events?type=ConfigurationChanged&actor=user:admin`);
    expect((events.json['items'] as unknown[]).length).toBe(6);
  });

  it('tell who asks only what became of a request, and do nothing for him', async () => {
    const key = { 'idempotency-key': 'asked-once' };
    const asking = (): Promise<Answer> => post('web', 'disable', {}, { ...key, 'idempotency-replay-only': 'true' });
    expect(await asking()).toMatchObject({ status: 404, json: { type: 'https://systole.dev/problems/request-not-found' } });
    expect(await cib()).not.toContain('target-role');
    const done = await post('web', 'disable', {}, key);
    expect(done.json['events']).toHaveLength(1);
    const told = await asking();
    expect({ status: told.status, json: told.json }).toEqual({ status: 200, json: done.json });
    expect(told.headers.get('idempotency-replayed')).toBe('true');
  });

  it('show in a dry run what would follow, and change nothing', async () => {
    const before = await cib();
    const answer = await post('web', 'disable?dryRun=true');
    expect(answer.json).toMatchObject({ dryRun: true, events: [{}] });
    const { actions } = answer.json['schedule'] as { actions: readonly unknown[] };
    expect(actions).toContainEqual(expect.objectContaining({ resource: 'web', operation: 'stop', node: 'n1' }));
    expect(await cib()).toBe(before);
  });

  it('show in a dry run what will be probed, also where nothing is started', async () => {
    const body = {
      ...{ element: 'primitive', id: 'new', class: 'ocf', provider: 'systole', type: 'Dummy' },
      meta_attributes: { 'target-role': 'Stopped' },
    };
    const answer = await under.call('POST', `${cluster}/configuration/resources?dryRun=true`, { body, headers: { 'if-match': '*' } });
    expect(answer.status).toBe(200);
    const { actions, probes } = answer.json['schedule'] as Readonly<Record<'actions' | 'probes', readonly { readonly resource: string }[]>>;
    const ofNew = ({ resource }: { readonly resource: string }): boolean => resource === 'new';
    expect(actions.filter(ofNew)).toEqual([]);
    expect(new Set(probes.filter(ofNew))).toEqual(
      new Set([
        { resource: 'new', node: 'n1' },
        { resource: 'new', node: 'n2' },
      ]),
    );
  });

  it('are refused when they are not safe and were to be', async () => {
    const refused = await post('web', 'disable?safe=true');
    expect(refused.json).toMatchObject({
      type: 'https://systole.dev/problems/others-affected',
      status: 409,
      errors: [{ detail: 'page: stop on n1' }],
    });
    expect((await post('web', 'disable?safe=true&dryRun=true')).status).toBe(409);
    expect(await cib()).not.toContain('target-role');
    expect((await post('apart', 'disable?safe=true')).status).toBe(200);
    expect((await post('web', 'disable?safe=maybe')).status).toBe(400);
    expect((await post('web', 'enable?safe=true')).status).toBe(400);
  });

  it('move, ban and clear them', async () => {
    expect((await post('apart', 'move', { node: 'n1' })).json['type']).toBe('https://systole.dev/problems/already-there');
    const moved = await post('apart', 'move?dryRun=true', { node: 'n2' });
    const { actions } = moved.json['schedule'] as { actions: readonly unknown[] };
    expect(actions).toContainEqual(expect.objectContaining({ resource: 'apart', operation: 'start', node: 'n2' }));
    expect((await post('apart', 'move', { lifetime: 'PT1H' })).json).toMatchObject({
      events: [{ data: { command: 'move-resource', arguments: { resource: 'apart', node: 'n1', lifetime: 'PT1H' } } }],
    });
    expect(await cib()).toContain('<date_expression id="cli-ban-apart-on-n1-lifetime" operation="lt"');
    expect((await post('apart', 'ban', { node: 'n2' })).json['warnings']).toEqual([expect.stringContaining('no node is left')]);
    expect((await post('apart', 'clear', { expired: true })).json['events']).toEqual([]);
    expect((await post('apart', 'clear', { node: 'n2' })).status).toBe(200);
    expect((await post('apart', 'clear')).status).toBe(200);
    expect(await cib()).not.toContain('cli-');
  });

  it('say what is wrong with them, and where', async () => {
    expect((await post('wbe', 'disable')).json).toMatchObject({ status: 404, errors: [{ parameter: 'resource' }] });
    expect((await post('web', 'move', { node: 'n9' })).json).toMatchObject({ status: 404, errors: [{ pointer: '/node' }] });
    expect((await post('web', 'ban', { node: 'n1', lifetime: 'soon' })).json).toMatchObject({
      status: 422,
      errors: [{ pointer: '/lifetime' }],
    });
    expect((await post('web', 'ban', { nodes: 'n1' })).status).toBe(422);
    const viewer = await under.token('viewer', `viewer-${count}`);
    expect((await under.call('POST', `${cluster}/resources/web/commands/disable`, { token: viewer })).status).toBe(403);
  });

  it('are meant for a configuration: reports of agents change nothing of it', async () => {
    const { version } = (await post('web', 'unmanage')).json as { version: number };
    await running.operation('n1', 'web', 'monitor', { intervalMs: 10_000 });
    const headers = { 'if-match': `"${version}"` };
    expect((await post('web', 'manage', {}, headers)).status).toBe(200);
    expect((await post('web', 'unmanage', {}, headers)).status).toBe(412);
  });

  it('that are sent again with the same Idempotency-Key are done once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await post('apart', 'ban', { lifetime: 'PT1H' }, headers);
    const again = await post('apart', 'ban', { lifetime: 'PT1H' }, headers);
    expect(again.json).toEqual(first.json);
  });

  it('restart them: they may start again when they were stopped, or after a time', async () => {
    const dry = await post('apart', 'restart?dryRun=true');
    const { actions } = dry.json['schedule'] as { actions: readonly unknown[] };
    expect(actions).toContainEqual(expect.objectContaining({ resource: 'apart', operation: 'stop' }));
    expect(await cib()).not.toContain('apart-restart');

    const restarting = post('apart', 'restart', { reason: 'new version' });
    await vi.waitFor(async () => {
      expect(await cib()).toContain('<meta_attributes id="apart-restart" score="INFINITY">');
    });
    await running.operation('n1', 'apart', 'stop');
    const answer = await restarting;
    expect(answer.json).toMatchObject({
      events: [
        { data: { command: 'begin-restart', arguments: { resource: 'apart' }, reason: 'new version' } },
        { data: { command: 'end-restart', arguments: { resource: 'apart' } } },
      ],
    });
    expect(answer.json['warnings']).toBeUndefined();
    expect(await cib()).not.toContain('apart-restart');

    const slow = await post('web', 'restart?timeout=1');
    expect(slow.json['warnings']).toEqual([expect.stringContaining('not stopped within 1 s')]);
    expect(await cib()).not.toContain('web-restart');
    expect((await post('apart', 'restart')).json).toMatchObject({ status: 409, errors: [{ parameter: 'resource' }] });
  });

  it('relocate nothing, and write nothing, where all is where it would be', async () => {
    const before = await cib();
    for (const query of ['', '?dryRun=true']) {
      const answer = await post('web', `relocate${query}`, {}, { 'if-match': '*' });
      expect({ status: answer.status, json: answer.json }).toMatchObject({
        status: 200,
        json: { dryRun: query !== '', events: [], changes: [] },
      });
      expect(answer.headers.get('etag')).toMatch(/^"\d+"$/);
    }
    expect(await cib()).toBe(before);
    expect((await post('web', 'relocate', {}, { 'if-match': '"999"' })).status).toBe(412);
    expect((await post('bew', 'relocate')).status).toBe(404);
  });

  it('relocate them: their stickiness counts for nothing meanwhile, and again afterwards', async () => {
    const sticky = (await cib())
      .replace(
        '<primitive id="apart" class="ocf" provider="systole" type="Dummy"/>',
        '<primitive id="apart" class="ocf" provider="systole" type="Dummy"><meta_attributes id="apart-m"><nvpair id="apart-s" name="resource-stickiness" value="1000"/></meta_attributes></primitive>',
      )
      .replace('</constraints>', '<rsc_location id="apart-n2" rsc="apart" node="n2" score="50"/></constraints>');
    const raw = { type: 'application/xml', body: sticky };
    expect((await under.call('PUT', `${cluster}/cib`, { headers: { 'if-match': '*' }, raw })).status).toBe(200);
    expect((await post('apart', 'relocate?dryRun=true')).json).toMatchObject({
      dryRun: true,
      changes: [{ kind: expect.any(String) as string }],
    });
    expect(await cib()).not.toContain('-relocate');
    const relocating = post('apart', 'relocate?timeout=2', { reason: 'n1 is back' });
    await vi.waitFor(async () => {
      expect(await cib()).toContain('<meta_attributes id="apart-relocate" score="INFINITY">');
    });
    const { json } = await relocating;
    expect(json).toMatchObject({
      events: [
        { data: { command: 'begin-relocation', arguments: { resource: 'apart' }, reason: 'n1 is back' } },
        { data: { command: 'end-relocation', arguments: { resource: 'apart' } } },
      ],
      settled: { outcome: 'timed-out' },
    });
    // It waits for what the end of the relocation leads to, too.
    expect((json['settled'] as { readonly version: number }).version).toBeGreaterThanOrEqual(Number(json['version']));
    expect(await cib()).not.toContain('-relocate');
    expect((await post('aprat', 'relocate')).json).toMatchObject({ status: 404, errors: [{ parameter: 'resource' }] });
  });

  it('restart them also when the caller goes', async () => {
    const going = new AbortController();
    const gone = under.call('POST', `${cluster}/resources/apart/commands/restart`, { body: {}, signal: going.signal });
    await vi.waitFor(async () => {
      expect(await cib()).toContain('apart-restart');
    });
    going.abort();
    await expect(gone).rejects.toThrow();
    await running.operation('n1', 'apart', 'stop');
    await vi.waitFor(async () => {
      expect(await cib()).not.toContain('apart-restart');
    }, 5_000);
  });
});
