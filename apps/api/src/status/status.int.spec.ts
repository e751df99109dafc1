import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentAction } from '@systole/cluster';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';
import { WorkerByHand } from '../testing/worker-by-hand.js';

describe('the status of a cluster', () => {
  let under: ApiUnderTest;
  let worker: WorkerByHand;
  let cluster: string;
  let agent: string;
  beforeAll(async () => {
    under = await apiUnderTest();
    worker = new WorkerByHand(under);
    cluster = await under.cluster('status', CIB);
    agent = await under.agent(cluster, 'n1');
  });
  afterAll(async () => {
    await worker.close();
    await under.close();
  });

  const status = (): Promise<Answer> => under.call('GET', `/v1/clusters/${cluster}/status`);
  const report = async (action: AgentAction, rc: number): Promise<void> => {
    const result = {
      resultId: `${action.actionId}-${rc}`,
      actionId: action.actionId,
      transitionKey: action.transitionKey,
      resource: action.resource,
      operation: action.operation,
      intervalMs: action.intervalMs,
      status: 'done',
      rc,
      exitReason: 'it broke',
      callId: 1,
      startedAt: 1_800_000_000,
      execMs: 1,
      queueMs: 0,
      recurring: action.intervalMs > 0,
    };
    const answer = await under.call('POST', '/v1/agent/results', { token: agent, body: { incarnation: 1, results: [result] } });
    expect(answer.status).toBe(200);
  };

  it('says that the cluster can’t be planned, since when and how often that was tried; so do readiness and metrics', async () => {
    const stuck = await under.cluster('stuck', CIB);
    await under.database.pool.query(
      `INSERT INTO advance_failures VALUES ($1, '2026-01-01T00:00:00Z', 3, 'ScheduleTimeout: the scheduler did not finish')`,
      [stuck],
    );
    const shown = (await under.call('GET', `/v1/clusters/${stuck}/status`)).json;
    expect(shown).toMatchObject({
      planningFailed: { since: '2026-01-01T00:00:00.000Z', tries: 3, reason: 'ScheduleTimeout: the scheduler did not finish' },
    });
    expect(shown['troubles']).toContainEqual(expect.objectContaining({ code: 'planning-failed', level: 'bad' }));
    expect((await under.call('GET', '/health/ready', { token: null })).json).toMatchObject({
      status: 'degraded',
      details: { planning: { status: 'down', stuckClusters: 1 } },
    });
    const metric = `systole_cluster_planning_failed{cluster="${stuck}"}`;
    expect((await under.call('GET', '/metrics', { token: null })).text).toContain(`${metric} 3`);
    await under.database.pool.query('DELETE FROM advance_failures');
    expect((await under.call('GET', '/metrics', { token: null })).text).not.toContain(metric);
    expect((await under.call('GET', `/v1/clusters/${stuck}/status`)).json).not.toHaveProperty('planningFailed');
  });

  it('says that the newest event is dated ahead of the clock, though nobody saw it step', async () => {
    const early = await under.cluster('early', CIB);
    const troubles = async () => (await under.call('GET', `/v1/clusters/${early}/status`)).json['troubles'];
    expect(await troubles()).not.toContainEqual(expect.objectContaining({ code: 'clock-stepped' }));
    await under.database.pool.query('ALTER TABLE events DISABLE TRIGGER USER');
    await under.database.pool.query(`UPDATE events SET occurred_at = clock_timestamp() + interval '1 hour' WHERE stream_id = $1`, [early]);
    for (const trigger of ['events_refuse_change', 'events_refuse_row_change']) {
      await under.database.pool.query(`ALTER TABLE events ENABLE ALWAYS TRIGGER ${trigger}`);
    }
    expect(await troubles()).toContainEqual({
      code: 'clock-stepped',
      level: 'warn',
      text: expect.stringMatching(/^the newest event is dated 3(600|59\d) s ahead/) as string,
    });
  });

  it('shows nodes that nobody joined for, and that nobody knows what runs', async () => {
    const answer = await status();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toMatch(/^"1_m[0-9a-f]+(_gzip)?"$/);
    expect(answer.json).toMatchObject({
      name: 'status',
      version: 1,
      settled: false,
      recompute: 'cluster created',
      hold: 'waiting for n1, n2 to join',
      nodes: [
        { name: 'n1', id: '1', membership: 'unknown', online: false },
        { name: 'n2', id: '2', membership: 'unknown', online: false },
      ],
      resources: [
        { id: 'web', kind: 'primitive', role: 'Unknown', activeOn: [], unknownOn: ['n1', 'n2'] },
        { id: 'fence', kind: 'primitive', role: 'Unknown', activeOn: [], unknownOn: ['n1', 'n2'] },
      ],
      failures: [],
      failCounts: [],
      fencing: [],
      safety: [],
      troubles: [{ code: 'nobody-joined', level: 'warn', text: 'n1, n2 never joined: nothing is done before the first agent is started' }],
    });
    expect(JSON.stringify(answer.json['messages'])).not.toContain("can't be fenced");
    expect(answer.json).not.toHaveProperty('transition');
  });

  it('shows members with their leases, roles as history says, and failures', async () => {
    await under.call('POST', '/v1/agent/join', { token: agent, body: { protocol: PROTOCOL, agentVersion: '1.2', bootId: 'b' } });
    const number = await worker.plan(cluster);
    const start: AgentAction = {
      ...(await worker.handOut(cluster, 'n1', number, 1)),
      transitionKey: `1:${number}:0:${cluster}`,
      operation: 'start',
      expectedRc: 0,
    };
    expect((await status()).json).toMatchObject({
      transition: {
        number,
        status: 'running',
        ended: 0,
        failed: 0,
        actions: 1,
        inFlight: 1,
        waitsFor: [{ node: 'n1', count: 1, actions: ['web_monitor_0'] }],
      },
    });
    await report(start, 0);
    expect((await status()).json).toMatchObject({
      transition: { number, status: 'running', ended: 1, failed: 0, actions: 1, inFlight: 0, waitsFor: [] },
      nodes: [
        { name: 'n1', membership: 'joined', incarnation: 1, agentVersion: '1.2', online: true, lease: { leaseMs: 10_000 } },
        { name: 'n2' },
      ],
      resources: [{ id: 'web', role: 'Started', activeOn: ['n1'] }, { id: 'fence' }],
    });
    await report({ ...start, operation: 'monitor', intervalMs: 10_000, transitionKey: `2:${number}:0:${cluster}` }, 7);
    const failed = await status();
    const [{ lastFailure }] = failed.json['failCounts'] as readonly [{ readonly lastFailure: string }];
    // By the database's clock, whatever the node's shows.
    expect(Math.abs(Date.parse(lastFailure) - Date.now())).toBeLessThan(60_000);
    expect(failed.json).toMatchObject({
      transition: { number, status: 'aborting', abortReason: 'monitor of web on n1: rc 7', failed: 1 },
      failures: [{ resource: 'web', node: 'n1', operation: 'monitor', intervalMs: 10_000, rc: 7, exitReason: 'it broke' }],
      failCounts: [{ resource: 'web', node: 'n1', operation: 'monitor', intervalMs: 10_000, count: '1', lastFailure }],
    });
  });

  it('forgets failures on cleanup', async () => {
    const cleanup = (resource: string, body: object = {}): Promise<Answer> =>
      under.call('POST', `/v1/clusters/${cluster}/resources/${resource}/commands/cleanup`, { body });
    expect((await cleanup('nothing')).json).toMatchObject({ status: 404, errors: [{ parameter: 'resource' }] });
    expect((await cleanup('web', { node: 'nobody' })).json).toMatchObject({ status: 404, errors: [{ pointer: '/node' }] });
    const dry = await under.call('POST', `/v1/clusters/${cluster}/resources/web/commands/cleanup?dryRun=true`, { body: {} });
    const { actions } = dry.json['schedule'] as { actions: readonly { operation: string; afterProbe?: true }[] };
    // What runs there is found again, most likely: nothing else is announced as certain.
    expect(actions[0]).toEqual({ operation: 'probe', resource: 'web', node: 'n1' });
    expect(actions.slice(1).every(({ afterProbe }) => afterProbe === true)).toBe(true);
    expect((await cleanup('web')).status).toBe(200);
    expect((await status()).json).toMatchObject({ failures: [], failCounts: [] });
  });

  it('puts nodes in standby and back; a dry run tells before', async () => {
    const command = (name: string, query = ''): Promise<Answer> =>
      under.call('POST', `/v1/clusters/${cluster}/nodes/n1/commands/${name}${query}`);
    const dry = await command('standby', '?dryRun=true');
    expect(dry.json).toMatchObject({ dryRun: true, schedule: { nodes: [{ name: 'n1', standby: true }, { name: 'n2' }] } });
    expect((await under.call('GET', `/v1/clusters/${cluster}/nodes/n1`)).json).toMatchObject({ standby: false });
    expect((await command('standby')).json).toMatchObject({ dryRun: false, events: [{ type: 'NodeAttributeSet' }] });
    expect((await under.call('GET', `/v1/clusters/${cluster}/nodes/n1`)).json).toMatchObject({ standby: true });
    expect((await command('standby')).json).toMatchObject({ events: [] });
    await command('unstandby');
    expect((await under.call('GET', `/v1/clusters/${cluster}/nodes`)).json).toMatchObject({
      items: [{ name: 'n1', standby: false }, { name: 'n2' }],
    });
    const unknown = await under.call('POST', `/v1/clusters/${cluster}/nodes/nobody/commands/standby`);
    expect(unknown.json).toMatchObject({
      status: 404,
      type: 'https://systole.dev/problems/node-not-found',
      errors: [{ parameter: 'node' }],
    });
    expect((await under.call('GET', `/v1/clusters/${cluster}/nodes/nobody`)).status).toBe(404);
  });

  it('says who put a node in standby or maintenance, when and why, as long as it is', async () => {
    const id = await under.cluster('modes', CIB);
    const token = await under.agent(id, 'n1');
    await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const command = (name: string, reason?: string): Promise<Answer> =>
      under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/${name}`, reason === undefined ? {} : { body: { reason } });
    const modes = async (): Promise<unknown> =>
      ((await under.call('GET', `/v1/clusters/${id}/status`)).json['nodes'] as { readonly modes?: unknown }[])[0]?.modes;
    const said = (mode: string, more: object = {}): object => {
      return { mode, by: expect.stringMatching(/^user:/) as string, at: expect.stringMatching(/^20/) as string, ...more };
    };
    expect(await modes()).toBeUndefined();
    await command('standby', 'new disks');
    expect(await modes()).toEqual([said('standby', { reason: 'new disks' })]);
    await command('maintenance');
    expect(await modes()).toEqual([said('standby', { reason: 'new disks' }), said('maintenance')]);
    await command('unstandby', 'done');
    expect(await modes()).toEqual([said('maintenance')]);
    await command('standby', 'once more');
    expect(await modes()).toEqual([said('standby', { reason: 'once more' }), said('maintenance')]);
    await command('unstandby');
    await command('unmaintenance');
    expect(await modes()).toBeUndefined();
  });

  it('names who put a node in standby by a configuration, and no older one', async () => {
    const id = await under.cluster('configured-modes', CIB);
    const bob = await under.token('operator', 'bob');
    const bobAdmin = await under.token('admin', 'bob-admin');
    const put = async (cib: string, token: string, reason: string): Promise<Answer> => {
      const tag = (await under.call('GET', `/v1/clusters/${id}/cib`)).headers.get('etag') ?? '';
      const path = `/v1/clusters/${id}/cib?reason=${encodeURIComponent(reason)}`;
      return under.call('PUT', path, { token, raw: { type: 'application/xml', body: cib }, headers: { 'if-match': tag } });
    };
    const agentToken = await under.agent(id, 'n1');
    await under.call('POST', '/v1/agent/join', { token: agentToken, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const modes = async (): Promise<unknown> =>
      ((await under.call('GET', `/v1/clusters/${id}/status`)).json['nodes'] as { readonly modes?: unknown }[])[0]?.modes;
    const standby = CIB.replace(
      '<node id="1" uname="n1"/>',
      '<node id="1" uname="n1"><instance_attributes id="a"><nvpair id="a1" name="standby" value="on"/></instance_attributes></node>',
    );
    await under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/standby`, { token: bob, body: { reason: 'kernel update' } });
    expect(await modes()).toMatchObject([{ by: 'user:bob', reason: 'kernel update' }]);
    expect((await put(CIB, bobAdmin, 'from the file')).status).toBe(200);
    expect(await modes()).toBeUndefined();
    expect((await put(standby, bobAdmin, 'disk swap')).status).toBe(200);
    expect(await modes()).toMatchObject([{ mode: 'standby', by: 'user:bob-admin', reason: 'disk swap' }]);
    await put(standby.replace('score="50"', 'score="60"'), bobAdmin, 'scores');
    expect(await modes()).toMatchObject([{ by: 'user:bob-admin', reason: 'disk swap' }]);
  });

  it('takes the word of a person that a node is down, but not of one that holds a lease', async () => {
    const confirm = (node: string): Promise<Answer> =>
      under.call('POST', `/v1/clusters/${cluster}/nodes/${node}/commands/confirm-down`, { body: { reason: 'I pulled the plug' } });
    expect((await confirm('n1')).json).toMatchObject({ status: 409, type: 'https://systole.dev/problems/node-online' });
    expect((await confirm('n2')).json).toMatchObject({ events: [{ type: 'NodeConfirmedDown', data: { reason: 'I pulled the plug' } }] });
    const said = { mode: 'confirmed-down', by: expect.stringMatching(/^user:/) as string, reason: 'I pulled the plug' };
    expect((await status()).json).toMatchObject({ nodes: [{ name: 'n1' }, { name: 'n2', membership: 'down', modes: [said] }] });
  });

  it('says that a node may be fenced whatever the limit says, until it joins anew', async () => {
    const id = await under.cluster('allowed', CIB);
    await under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/allow-fencing`, { body: { reason: 'it hangs' } });
    const safety = async (): Promise<unknown> => (await under.call('GET', `/v1/clusters/${id}/status`)).json['safety'];
    expect(await safety()).toContainEqual({ code: 'fencing-allowed', text: expect.stringContaining('n1 may be fenced') as string });
    const token = await under.agent(id, 'n1');
    await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    expect(await safety()).not.toContainEqual(expect.objectContaining({ code: 'fencing-allowed' }));
  });

  it('fences a node that a person wants fenced, and takes maintenance and reasons', async () => {
    const id = await under.cluster('fenced', CIB);
    const token = await under.agent(id, 'n1');
    await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const command = (name: string): Promise<Answer> =>
      under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/${name}`, { body: { reason: 'it hangs' } });
    for (const name of ['standby', 'unstandby', 'maintenance', 'unmaintenance', 'fence']) {
      expect((await command(name)).json).toMatchObject({ events: [{ data: { node: 'n1', reason: 'it hangs' } }] });
    }
    expect((await under.call('GET', `/v1/clusters/${id}/nodes/n1`)).json).toMatchObject({ unclean: true });
  });

  it('names what reduces safety', async () => {
    const unsafe = CIB.replace('</cluster_property_set>', '<nvpair id="s" name="stonith-enabled" value="false"/></cluster_property_set>');
    const id = await under.cluster('unsafe', unsafe);
    expect((await under.call('GET', `/v1/clusters/${id}/status`)).json).toMatchObject({
      safety: [{ code: 'fencing-disabled' }],
      troubles: expect.arrayContaining([{ code: 'fencing-disabled', level: 'warn', text: 'fencing is switched off' }]) as unknown,
    });
    const bare = await under.cluster('bare');
    expect((await under.call('GET', `/v1/clusters/${bare}/status`)).json).toMatchObject({
      safety: [{ code: 'no-fence-device', text: expect.stringContaining('every resource counts as unmanaged') as string }],
      troubles: [{ code: 'nothing-managed', level: 'bad' }],
    });
  });

  it('is not said to have been waited for in vain when nobody waited any longer', async () => {
    const id = await under.cluster('given-up', CIB);
    const going = new AbortController();
    const path = `/v1/clusters/${id}/nodes/n1/commands/standby?wait=settled&timeout=60`;
    const headers = { 'idempotency-key': 'given-up' };
    const lost = under.call('POST', path, { headers, signal: going.signal }).then(
      () => 'answered',
      () => 'lost',
    );
    await expect.poll(async () => (await worker.states.load(id)).version, { timeout: 5_000 }).toBe(2);
    going.abort();
    expect(await lost).toBe('lost');
    const asked = (): Promise<Answer> => under.call('POST', path, { headers: { ...headers, 'idempotency-replay-only': 'true' } });
    await expect.poll(async () => (await asked()).status, { timeout: 5_000 }).toBe(200);
    const again = await under.call('POST', path, { headers });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.json).toMatchObject({ version: 2, events: [{}], settled: { outcome: 'interrupted', version: 2 } });
  });

  it('can be waited for', async () => {
    const id = await under.cluster('waiting', CIB);
    const start = performance.now();
    const late = await under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/standby?wait=settled&timeout=1`);
    expect(late.json).toMatchObject({
      version: 2,
      settled: {
        outcome: 'timed-out',
        version: 2,
        transitions: [],
        waitingFor: ['waiting for n1, n2 to join'],
      },
    });
    expect(performance.now() - start).toBeGreaterThan(990);

    const waiting = under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/unstandby?wait=settled&timeout=20`);
    for (let tries = 0; tries < 100 && (await worker.states.load(id)).version < 3; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const number = await worker.plan(id);
    await worker.commands.execute(
      id,
      { type: 'complete-transition', result: { number, outcome: 'complete', completed: 1, skipped: 0, failed: 0 } },
      { actor: 'worker', correlationId: 'test' },
    );
    expect((await waiting).json).toMatchObject({
      version: 3,
      settled: {
        outcome: 'settled',
        failures: [],
        notRunning: [],
        version: 5,
        waitingFor: [],
        // It is at rest, and not well.
        troubles: expect.arrayContaining([expect.objectContaining({ code: 'nobody-joined', level: 'warn' })]) as unknown[],
        transitions: [{ number, status: 'complete', summary: ['monitor web on n1'] }],
      },
    });
  });

  it('does not call a cluster settled without saying what failed since the write', async () => {
    const id = await under.cluster('failing', CIB);
    agent = await under.agent(id, 'n1');
    await under.call('POST', '/v1/agent/join', { token: agent, body: { protocol: PROTOCOL, agentVersion: '1.2', bootId: 'b' } });
    const by = { actor: 'worker', correlationId: 'test' };
    const finish = async (number: number): Promise<void> => {
      const result = { number, outcome: 'complete' as const, completed: 1, skipped: 0, failed: 0 };
      await worker.commands.execute(id, { type: 'complete-transition', result }, by);
    };
    const { version } = await worker.states.load(id);
    const waiting = under.call('POST', `/v1/clusters/${id}/nodes/n2/commands/standby?wait=settled&timeout=20`);
    for (let tries = 0; tries < 100 && (await worker.states.load(id)).version === version; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const number = await worker.plan(id);
    const handedOut = await worker.handOut(id, 'n1', number, 1);
    await report({ ...handedOut, transitionKey: `1:${number}:0:${id}`, operation: 'start', expectedRc: 0 }, 1);
    await finish(number);
    for (let tries = 0; tries < 5 && (await worker.states.load(id)).recompute !== undefined; tries++) await finish(await worker.plan(id));
    expect((await waiting).json).toMatchObject({
      settled: {
        outcome: 'failed',
        failures: [{ resource: 'web', node: 'n1', operation: 'start', rc: 1, exitReason: 'it broke' }],
      },
    });
  });
});
