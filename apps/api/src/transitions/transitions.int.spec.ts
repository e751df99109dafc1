import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '@systole/event-store';
import { SCHEDULER_VERSION } from '@systole/scheduler';
import { createHash } from 'node:crypto';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';
import { WorkerByHand } from '../testing/worker-by-hand.js';

describe('transitions', () => {
  let under: ApiUnderTest;
  let worker: WorkerByHand;
  let path: string;
  beforeAll(async () => {
    under = await apiUnderTest();
    worker = new WorkerByHand(under);
    const cluster = await under.cluster('planned', CIB);
    path = `/v1/clusters/${cluster}/transitions`;
    const first = await worker.plan(cluster);
    await worker.abort(cluster, first);
    const done = { outcome: 'aborted', completed: 0, skipped: 1, failed: 0 } as const;
    await worker.commands.execute(
      cluster,
      { type: 'complete-transition', result: { number: first, ...done } },
      { actor: 'worker', correlationId: 'test' },
    );
    await worker.plan(cluster);
  });
  afterAll(async () => {
    await worker.close();
    await under.close();
  });

  it('are found by what a bundle makes for itself, too', async () => {
    const bundle = '<bundle id="box"><podman image="i"/></bundle>';
    const cluster = await under.cluster('bundled', CIB.replace('</resources>', `${bundle}</resources>`));
    await worker.plan(cluster);
    const started = JSON.stringify(['start box-podman-1 on n1 (as planned)']);
    await under.database.pool.query('UPDATE transitions SET summary = $2 WHERE cluster_id = $1', [cluster, started]);
    for (const [resource, found] of [
      ['box', 1],
      ['bo', 0],
      ['web', 0],
    ] as const) {
      const { json } = await under.call('GET', `/v1/clusters/${cluster}/transitions?resource=${resource}`);
      expect(json['items'], resource).toHaveLength(found);
    }
  });

  it('are listed newest first, with what became of them', async () => {
    expect((await under.call('GET', path)).json).toMatchObject({
      items: [
        { number: 2, status: 'running', trigger: 'test', summary: ['monitor web on n1'], counts: { actions: 1 } },
        { number: 1, status: 'aborted', abortReason: 'test', outcome: { completed: 0, skipped: 1, failed: 0 } },
      ],
    });
    const numbers = async (query: string): Promise<readonly number[]> => {
      const { json } = await under.call('GET', `${path}?${query}`);
      return (json as { items: { number: number }[] }).items.map(({ number }) => number);
    };
    for (const query of ['status=running', 'resource=web&limit=1', 'node=n1&status=running,aborting', 'failed=false&status=running'])
      expect(await numbers(query), query).toEqual([2]);
    for (const query of ['fencing=false', 'resource=web', 'node=n1', 'since=1h']) expect(await numbers(query), query).toEqual([2, 1]);
    for (const query of ['fencing=true', 'failed=true', 'resource=we', 'node=n', 'until=1h', 'status=complete'])
      expect(await numbers(query), query).toEqual([]);
    expect((await under.call('GET', `${path}?status=done`)).status).toBe(400);
    const page = await under.call('GET', `${path}?limit=1`);
    const next = String(page.json['next']);
    expect(page.json).toMatchObject({ items: [{ number: 2 }], next: expect.stringMatching(/^\d+\.[0-9a-f]{16}\.[0-9a-f]{8}$/) as string });
    expect((await under.call('GET', `${path}?limit=1&cursor=${next}`)).json).toMatchObject({ items: [{ number: 1 }] });
  });

  it('have cursors of one list and one log only', async () => {
    const next = String((await under.call('GET', `${path}?limit=1`)).json['next']);
    const codeOf = async (query: string): Promise<unknown> => {
      const { status, json } = await under.call('GET', `${path}?${query}`);
      return [query, status, typeof json['type'] === 'string' ? json['type'].replace(/.*\//, '') : ''];
    };
    // Another condition, another number, one of before an update, one of the list of events.
    const { json } = await under.call('GET', `${path.replace('transitions', 'events')}?limit=1`);
    for (const query of [`status=running&cursor=${next}`, 'cursor=2', `cursor=${next}0`, `cursor=${String(json['next'])}`])
      expect(await codeOf(query)).toEqual([query, 400, 'invalid-parameter']);
    const [version, , mark] = next.split('.');
    const other = `cursor=${version ?? ''}.${'0'.repeat(16)}.${mark ?? ''}`;
    expect(await codeOf(other)).toEqual([other, 410, 'event-gone']);
  });

  it('show their graph, computed again when it is not stored', async () => {
    const answer = await under.call('GET', `${path}/2`);
    expect(answer.json).toMatchObject({ number: 2, graph: { batchLimit: expect.any(String) as string }, results: [] });
    expect((answer.json as { graph: { synapses: unknown[] } }).graph.synapses).toBeInstanceOf(Array);
    expect((await under.call('GET', `${path}/9`)).status).toBe(404);
    expect((await under.call('GET', `${path}/x`)).status).toBe(404);
  });

  it('are drawn for Graphviz', async () => {
    const accepted = await under.call('GET', `${path}/2`, { headers: { accept: 'text/vnd.graphviz' } });
    expect(accepted.headers.get('content-type')).toContain('text/vnd.graphviz');
    expect(accepted.text).toMatch(/^ digraph "g" \{/);
    expect((await under.call('GET', `${path}/2/dot`)).text).toBe(accepted.text);
    expect((await under.call('GET', `${path}/2`, { headers: { accept: 'image/png' } })).status).toBe(406);
  });

  it('say whether they can be computed again with the same result', async () => {
    const { graph } = (await under.call('GET', `${path}/2`)).json;
    const recomputed = createHash('sha256').update(canonicalJson(graph)).digest('hex');
    expect((await under.call('GET', `${path}/2/replay`)).json).toEqual({
      digest: '0'.repeat(64),
      plannedBy: 'test',
      recomputed,
      recomputedBy: SCHEDULER_VERSION,
      same: false,
    });
  });

  it('are aborted for whoever says why, while they run', async () => {
    const abort = (number: number | string, query = ''): Promise<Answer> =>
      under.call('POST', `${path}/${number}/commands/abort${query}`, { body: { reason: 'wrong node' } });
    expect((await abort(1)).json).toMatchObject({ status: 409, errors: [{ parameter: 'number' }] });
    expect((await abort('x')).status).toBe(404);
    expect((await abort(2, '?dryRun=true')).json).toMatchObject({ dryRun: true, events: [{ type: 'TransitionAborted' }] });
    expect((await under.call('GET', `${path}/2`)).json).toMatchObject({ status: 'running' });
    expect((await abort(2)).json).toMatchObject({
      events: [{ type: 'TransitionAborted', data: { number: 2, reason: 'user:admin asked for it: wrong node' } }],
    });
    expect((await under.call('GET', `${path}/2`)).json).toMatchObject({ status: 'aborting' });
    expect((await abort(2)).json['events']).toEqual([]);
  });
});

describe('simulation', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest();
  });
  afterAll(() => under.close());

  const ONLINE = CIB.replace(
    '<status/>',
    `<status>
      <node_state id="1" uname="n1" in_ccm="true" crmd="online" join="member" expected="member"/>
      <node_state id="2" uname="n2" in_ccm="true" crmd="online" join="member" expected="member"/>
    </status>`,
  ).replace('<cib ', '<cib have-quorum="1" ');

  it('computes the schedule of a CIB', async () => {
    const answer = await under.call('POST', '/v1/simulate?now=1800000000', { raw: { type: 'application/xml', body: ONLINE } });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      now: 1_800_000_000,
      quorate: true,
      nodes: [
        { name: 'n1', online: true },
        { name: 'n2', online: true },
      ],
      resources: [{ id: 'web', role: 'Stopped', nextRole: 'Started', assignedTo: 'n1' }, { id: 'fence' }],
    });
    expect((answer.json as { graph: { synapses: unknown[] } }).graph.synapses.length).toBeGreaterThan(0);
    const again = await under.call('POST', '/v1/simulate?now=1800000000', { raw: { type: 'application/xml', body: ONLINE } });
    expect(again.text).toBe(answer.text);
  });

  it('stores nothing', async () => {
    expect((await under.call('GET', '/v1/clusters')).json).toEqual({ items: [] });
  });

  it('says what is wrong with a document, and where', async () => {
    const post = (body: string): ReturnType<ApiUnderTest['call']> =>
      under.call('POST', '/v1/simulate', { raw: { type: 'application/xml', body } });
    expect((await post('<cib>\n<configuration></cib>')).json).toMatchObject({ status: 422, errors: [{ line: 2 }] });
    expect((await post('<html/>')).json).toMatchObject({ status: 422, type: 'https://systole.dev/problems/invalid-configuration' });
    const stray = await post(ONLINE.replace('<resources>', '<resources>primitive oops'));
    expect(stray.json).toMatchObject({ status: 422, type: 'https://systole.dev/problems/invalid-configuration' });
    expect(JSON.stringify(stray.json)).toContain('primitive oops');
    expect((await under.call('POST', '/v1/simulate?now=x', { body: {} })).status).toBe(400);
    expect((await under.call('POST', '/v1/simulate')).status).toBe(415);
  });
});
