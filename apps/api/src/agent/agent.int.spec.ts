import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccessTokens } from '@systole/access';
import type { AgentAction } from '@systole/cluster';
import { PROTOCOL, type Head } from '@systole/protocol';
import { LateQueues } from '@systole/queue';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';
import { DocumentTexts } from '../scheduling/document-texts.js';
import { WorkerByHand } from '../testing/worker-by-hand.js';

const LEASE_MS = 6_000;

describe('the agent protocol', () => {
  let under: ApiUnderTest;
  let worker: WorkerByHand;
  let cluster: string;
  let token: string;
  let count = 0;
  beforeAll(async () => {
    under = await apiUnderTest({ leaseMs: LEASE_MS });
    worker = new WorkerByHand(under);
  });
  afterAll(async () => {
    await worker.close();
    await under.close();
  });
  beforeEach(async () => {
    count++;
    cluster = await under.cluster(`c${count}`, CIB);
    token = await under.agent(cluster, 'n1');
  });

  const say = (path: string, body: object, as = token): Promise<Answer> => under.call('POST', `/v1/agent/${path}`, { token: as, body });
  const join = async (as = token): Promise<number> =>
    Number((await say('join', { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'boot' }, as)).json['incarnation']);
  const poll = (incarnation: number, known: readonly string[] = [], waitMs = 0): Promise<Answer> =>
    say('poll', { incarnation, waitMs, known });
  const events = async (type: string): Promise<readonly { readonly data: Readonly<Record<string, unknown>>; readonly actor: string }[]> =>
    (await under.call('GET', `/v1/clusters/${cluster}/events?type=${type}`)).json['items'] as never;
  const resultOf = (action: AgentAction, rc = 7): Record<string, unknown> => ({
    resultId: randomUUID(),
    actionId: action.actionId,
    transitionKey: action.transitionKey,
    resource: action.resource,
    operation: action.operation,
    intervalMs: action.intervalMs,
    status: 'done',
    rc,
    callId: 1,
    startedAt: 1_800_000_000,
    execMs: 12,
    queueMs: 0,
    recurring: false,
  });

  /** Default of the cluster option shutdown-escalation. */
  const SHUTDOWN_ESCALATION_MS = 1_200_000;
  const ROLL_CALL: unknown = expect.stringMatching(/^[0-9a-f-]{36}$/);
  /** The newest event of the cluster's log, whichever it is. */
  const HEAD: unknown = {
    epoch: expect.any(String) as string,
    version: expect.any(Number) as number,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    seal: expect.stringMatching(/^[0-9a-f]{16}\.[\w-]{43}$/) as string,
  };

  it('joins: incarnation, lease and name', async () => {
    const joined = await say('join', { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'boot' });
    expect(joined.status).toBe(200);
    expect(joined.json).toEqual({
      protocol: PROTOCOL,
      clusterId: cluster,
      clusterName: `c${count}`,
      node: 'n1',
      nodeId: '1',
      incarnation: 1,
      leaseMs: LEASE_MS,
      pollMs: LEASE_MS / 3,
      epoch: cluster,
      head: HEAD,
      onLeaseLoss: 'keep',
      rollCall: ROLL_CALL,
      shutdownEscalationMs: SHUTDOWN_ESCALATION_MS,
    });
    expect(await events('NodeJoined')).toMatchObject([{ actor: 'agent:n1', data: { node: 'n1', incarnation: 1, leaseMs: LEASE_MS } }]);
    const { rows } = await under.database.pool.query('SELECT node, incarnation FROM node_leases WHERE cluster_id = $1', [cluster]);
    expect(rows).toEqual([{ node: 'n1', incarnation: 1 }]);
  });

  it('answers a join that comes once more as before: its answer was lost', async () => {
    const body = { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'boot', attempt: { processStartedMs: 1, number: 1 } };
    const [one, two] = await Promise.all([say('join', body), say('join', body)]);
    expect([one.json['incarnation'], two.json['incarnation']]).toEqual([1, 1]);
    expect(await events('NodeJoined')).toHaveLength(1);
    expect((await say('join', { ...body, attempt: { processStartedMs: 1, number: 2 } })).json['incarnation']).toBe(2);
    expect((await say('join', body)).status).toBe(409);
    expect((await poll(2)).status).toBe(200);
  });

  it('points at what a node has to stop that comes back after it was confirmed down', async () => {
    const incarnation = await join();
    await say('leave', { incarnation });
    const body = { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'boot', active: ['web', 'db'], lastIncarnation: incarnation };
    const refused = await say('join', { ...body, stopFailed: ['web'] });
    expect(refused.status).toBe(409);
    expect(refused.json).toMatchObject({ type: 'https://systole.dev/problems/declared-down', errors: [{ pointer: '/active/1' }] });
    expect((await say('join', { ...body, active: [] })).status).toBe(200);
  });

  it('tells the agent in a container that has ended for the cluster to stop what it runs', async () => {
    const tokens = under.api.app.get(AccessTokens);
    const container = { host: 'n2', resource: 'web-podman-0' };
    const holder = { role: 'agent', clusterId: cluster, node: 'n1', container } as const;
    const by = { actor: 'agent:n2', correlationId: 'c' };
    const first = (await tokens.createInContainer(holder, 'container of n1', by)).secret;
    const incarnation = await join(first);
    const { token: next } = await tokens.createInContainer(holder, 'container of n1', by);
    await tokens.revokeBefore(next.id, holder, by);
    const refused = await say('poll', { incarnation, waitMs: 0, known: [] }, first);
    expect(refused).toMatchObject({ status: 401, json: { type: 'https://systole.dev/problems/declared-down' } });
    expect(await say('poll', { incarnation, waitMs: 0, known: [] }, token)).toMatchObject({
      status: 401,
      json: { type: 'https://systole.dev/problems/unauthenticated' },
    });
  });

  it('refuses a token that is for another node than the agent means to be, and leaves that node as it is', async () => {
    const incarnation = await join();
    const refused = await say('join', { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'boot', node: 'n2' });
    expect(refused.status).toBe(403);
    expect(refused.json['detail']).toContain('for n1, not for n2');
    expect(await events('NodeJoined')).toHaveLength(1);
    expect((await poll(incarnation)).status).toBe(200);
  });

  it('renews the lease with each poll', async () => {
    const incarnation = await join();
    const expiry = async (): Promise<number> => {
      const { rows } = await under.database.pool.query<{ at: Date }>('SELECT expires_at AS at FROM node_leases WHERE cluster_id = $1', [
        cluster,
      ]);
      return rows[0]?.at.getTime() ?? 0;
    };
    const before = await expiry();
    await sleep(20);
    expect((await poll(incarnation)).json).toEqual({
      leaseMs: LEASE_MS,
      actions: [],
      head: HEAD,
      onLeaseLoss: 'keep',
      rollCall: ROLL_CALL,
      shutdownEscalationMs: SHUTDOWN_ESCALATION_MS,
    });
    expect(await expiry()).toBeGreaterThan(before);
  });

  it('tells an older incarnation that it is superseded, while its results stay facts', async () => {
    const old = await join();
    const transition = await worker.plan(cluster);
    const action = await worker.handOut(cluster, 'n1', transition, 1);
    await poll(old);
    expect(await join()).toBe(old + 1);
    const refused = await poll(old);
    expect(refused.status).toBe(409);
    expect(refused.json['type']).toBe('https://systole.dev/problems/incarnation-superseded');
    const result = resultOf(action);
    expect((await say('results', { incarnation: old, results: [result] })).json).toMatchObject({ acknowledged: [result['resultId']] });
    expect(await events('OperationRecorded')).toMatchObject([{ data: { resource: 'web', incarnation: old, late: true } }]);
  });

  it('writes a lease again whose row was lost, but none for a node that was declared lost', async () => {
    const incarnation = await join();
    await under.database.pool.query('DELETE FROM node_leases WHERE cluster_id = $1', [cluster]);
    expect((await poll(incarnation)).status).toBe(200);
    await under.database.pool.query('DELETE FROM node_leases WHERE cluster_id = $1', [cluster]);
    await worker.commands.execute(
      cluster,
      { type: 'lose-lease', node: 'n1', incarnation, expiredAt: new Date().toISOString() },
      { actor: 'worker', correlationId: 'test' },
    );
    expect((await poll(incarnation)).status).toBe(409);
    expect((await under.database.pool.query('SELECT FROM node_leases WHERE cluster_id = $1', [cluster])).rowCount).toBe(0);
    expect(await join()).toBe(incarnation + 1);
  });

  it('wakes a poll that waits when something is handed out', async () => {
    const incarnation = await join();
    const transition = await worker.plan(cluster);
    const start = performance.now();
    const waiting = poll(incarnation, [], 2_000);
    await sleep(100);
    const action = await worker.handOut(cluster, 'n1', transition, 1);
    expect((await waiting).json['actions']).toEqual([action]);
    expect(performance.now() - start).toBeLessThan(900);
  });

  it('answers a poll for which there is nothing when its time is over', async () => {
    const incarnation = await join();
    const start = performance.now();
    expect((await poll(incarnation, [], 300)).json['actions']).toEqual([]);
    expect(performance.now() - start).toBeGreaterThan(290);
  });

  it('repeats what was delivered until the agent knows it or its result is there', async () => {
    const incarnation = await join();
    const action = await worker.handOut(cluster, 'n1', await worker.plan(cluster), 1);
    expect((await poll(incarnation)).json['actions']).toEqual([action]);
    expect((await poll(incarnation)).json['actions']).toEqual([action]);
    expect((await poll(incarnation, [action.actionId])).json['actions']).toEqual([]);
    await say('results', { incarnation, results: [resultOf(action)] });
    expect((await poll(incarnation)).json['actions']).toEqual([]);
  });

  it('counts what was in a lost answer as undelivered once the transition is aborting, and tells the worker', async () => {
    const incarnation = await join();
    const transition = await worker.plan(cluster);
    const lost = await worker.handOut(cluster, 'n1', transition, 1);
    const polled = (seq: number, known: readonly string[]): Promise<Answer> => say('poll', { incarnation, waitMs: 0, seq, known });
    expect((await polled(1, [])).json['actions']).toEqual([lost]);
    expect((await polled(2, [])).json['actions']).toEqual([lost]);
    const begun = await worker.handOut(cluster, 'n1', transition, 2);
    await worker.abort(cluster, transition);
    await under.database.pool.query(
      'UPDATE action_dispatches SET delivered_at = now(), delivered_to = $2, delivered_seq = 2 WHERE cluster_id = $1',
      [cluster, incarnation],
    );
    const told = vi.spyOn(under.api.app.get(LateQueues), 'enqueueAdvance');
    expect((await polled(3, [begun.actionId])).json['actions']).toEqual([]);
    expect(told).toHaveBeenCalledWith(cluster);
    told.mockRestore();
    const { rows } = await under.database.pool.query(
      'SELECT action_id, delivered_at IS NOT NULL AS delivered FROM action_dispatches WHERE cluster_id = $1 ORDER BY graph_action_id',
      [cluster],
    );
    expect(rows).toEqual([
      { action_id: lost.actionId, delivered: false },
      { action_id: begun.actionId, delivered: true },
    ]);
  });

  it("delivers only to the action's own node", async () => {
    const incarnation = await join();
    const other = await under.agent(cluster, 'n2');
    const otherIncarnation = await join(other);
    const action = await worker.handOut(cluster, 'n2', await worker.plan(cluster), 1);
    expect((await poll(incarnation)).json['actions']).toEqual([]);
    const answer = await say('poll', { incarnation: otherIncarnation, waitMs: 0, known: [] }, other);
    expect(answer.json['actions']).toEqual([action]);
  });

  it('delivers nothing of a transition that is aborting, by whatever made it so', async () => {
    const incarnation = await join();
    const first = await worker.plan(cluster);
    await worker.handOut(cluster, 'n1', first, 1);
    await worker.abort(cluster, first);
    expect((await poll(incarnation)).json['actions']).toEqual([]);
    // A change of the configuration makes a plan obsolete before any worker has seen it.
    const busy = await under.cluster(`busy${count}`, CIB);
    const agent = await under.agent(busy, 'n1');
    const joined = await join(agent);
    await worker.handOut(busy, 'n1', await worker.plan(busy), 1);
    await under.call('PUT', `/v1/clusters/${busy}/cib`, {
      headers: { 'if-match': '*' },
      raw: { type: 'application/xml', body: CIB.replace('score="50"', 'score="60"') },
    });
    expect((await say('poll', { incarnation: joined, waitMs: 0, known: [] }, agent)).json['actions']).toEqual([]);
    const stamped = await under.database.pool.query('SELECT FROM action_dispatches WHERE cluster_id = $1 AND delivered_at IS NOT NULL', [
      busy,
    ]);
    expect(stamped.rowCount).toBe(0);
  });

  it('records a result once, however often it is sent', async () => {
    const incarnation = await join();
    const action = await worker.handOut(cluster, 'n1', await worker.plan(cluster), 1);
    const result = resultOf(action);
    const answers = await Promise.all(Array.from({ length: 5 }, () => say('results', { incarnation, results: [result] })));
    for (const answer of answers) expect(answer.json).toMatchObject({ acknowledged: [result['resultId']] });
    expect(await events('OperationRecorded')).toMatchObject([{ actor: 'agent:n1', data: { resource: 'web', rc: 7, late: false } }]);
  });

  it('dates a result by the clock of the database, whatever the clock of the node shows, and keeps what that showed', async () => {
    const incarnation = await join();
    const action = await worker.handOut(cluster, 'n1', await worker.plan(cluster), 1);
    const shown = Math.floor(Date.now() / 1_000) - 3_600;
    const result = { ...resultOf(action), startedAt: shown, execMs: 0, endedAgoMs: 0 };
    expect((await say('results', { incarnation, results: [result] })).status).toBe(200);
    const [recorded] = await events('OperationRecorded');
    expect(recorded?.data).toMatchObject({ startedAt: shown });
    expect(Math.abs(Number(recorded?.data['lastRcChange']) - Date.now() / 1_000)).toBeLessThan(60);
  });

  it('takes with a poll what the clock of the node shows, and says nothing of a moment in which it is wrong', async () => {
    const incarnation = await join();
    const wrong = { incarnation, waitMs: 0, known: [], timeOfDayMs: Date.now() - 3_600_000 };
    expect((await say('poll', wrong)).status).toBe(200);
    expect(await events('NodeTroublesTold')).toEqual([]);
    expect((await say('poll', { ...wrong, timeOfDayMs: -1 })).status).toBe(422);
  });

  it('counts in the log what it does not record because nobody asked for it, and tells the agent which and why', async () => {
    const incarnation = await join();
    const action = await worker.handOut(cluster, 'n1', await worker.plan(cluster), 1);
    const made = resultOf(action);
    const junk = (report: number): Record<string, unknown>[] =>
      Array.from({ length: 300 }, (_, index) => {
        const [name, resultId] = [`junk-${String(index)}`, `junk-${String(report)}-${String(index)}`];
        return { ...made, resultId, actionId: resultId, resource: { id: name, historyId: name, class: 'ocf', type: 'Dummy' } };
      });
    for (const report of [1, 2, 3]) {
      const results = report === 3 ? [made, ...junk(report)] : junk(report);
      const { json } = await say('results', { incarnation, results });
      expect(json['acknowledged']).toEqual(results.map(({ resultId }) => resultId));
      expect(json['dropped']).toEqual(junk(report).map(({ resultId }) => ({ resultId, reason: 'not-asked-for' })));
    }
    expect((await say('results', { incarnation, results: [made] })).json).toMatchObject({ acknowledged: [made['resultId']] });
    expect((await events('ResultsDropped')).map(({ data }) => data['count'])).toEqual([300, 300, 300]);
    expect(await events('OperationRecorded')).toHaveLength(1);
  });

  it('takes from the agent in a container no word of what can not run there, nor of other nodes; and its next report is taken as ever', async () => {
    const bundle =
      '<bundle id="b"><podman image="x"/><network control-port="3121"/><primitive id="in" class="ocf" provider="systole" type="Dummy"/></bundle>';
    cluster = await under.cluster(`in-container-${String(count)}`, CIB.replace('</resources>', `${bundle}</resources>`));
    token = await under.agent(cluster, 'b-0');
    const incarnation = await join();
    const claim = (id: string, operation = 'start'): Record<string, unknown> => ({
      ...{ resultId: randomUUID(), actionId: randomUUID(), transitionKey: `1:1:0:${cluster}`, operation, intervalMs: 0, status: 'done' },
      resource: { id, historyId: id, class: 'ocf', provider: 'systole', type: 'Dummy' },
      ...{ rc: 0, callId: 1, startedAt: 1_800_000_000, execMs: 12, queueMs: 0, recurring: false },
    });
    const [lie, honest] = [claim('web'), claim('in')];
    const answer = await say('results', { incarnation, results: [lie, honest] });
    expect(answer).toMatchObject({
      status: 200,
      json: {
        acknowledged: [lie['resultId'], honest['resultId']],
        dropped: [{ resultId: lie['resultId'], reason: 'not-asked-for' }],
      },
    });
    expect((await events('OperationRecorded')).map(({ data }) => data['resource'])).toEqual(['in']);
    expect(await events('ResultsDropped')).toMatchObject([{ actor: 'agent:b-0', data: { node: 'b-0', count: 1, resources: ['web'] } }]);
    const set = (node: string): Promise<Answer> =>
      say('attributes', { incarnation, changes: [{ node, name: 'master-web', value: '1000', lifetime: 'forever' }] });
    expect(await set('n1')).toMatchObject({ status: 403, json: { type: 'https://systole.dev/problems/not-for-this-agent' } });
    expect((await set('b-0')).status).toBe(200);
    expect((await say('results', { incarnation, results: [claim('in', 'stop')] })).json['dropped']).toBeUndefined();
    expect((await poll(incarnation)).status).toBe(200);
  });

  it('records whatever an agent program prints, and what the cluster shows stays readable', async () => {
    const printed = '\u001b[31m\u0000\uffff\ud800';
    const shown = '\u241b[31m\u2400\ufffd\ufffd';
    const incarnation = Number((await say('join', { protocol: PROTOCOL, agentVersion: printed, bootId: printed })).json['incarnation']);
    const action = await worker.handOut(cluster, 'n1', await worker.plan(cluster), 1);
    const result: Record<string, unknown> = {
      ...resultOf(action, 1),
      exitReason: printed,
      output: printed,
      digests: { opDigest: printed },
    };
    const answer = await say('results', { incarnation, results: [result] });
    expect([answer.status, answer.json]).toMatchObject([200, { acknowledged: [result['resultId']] }]);
    expect(await events('OperationRecorded')).toMatchObject([{ data: { exitReason: shown } }]);
    for (const change of [
      { name: `a${printed}`, value: 'v' },
      { name: 'a', value: printed },
    ])
      expect((await say('attributes', { incarnation, changes: [{ ...change, lifetime: 'reboot' }] })).status).toBe(422);
    for (const path of ['cib', 'status']) expect((await under.call('GET', `/v1/clusters/${cluster}/${path}`)).status, path).toBe(200);
    const cib = await under.call('GET', '/v1/agent/cib', { token });
    expect(cib.status).toBe(200);
    expect(cib.text).toContain(`exit-reason="${shown}"`);
  });

  it('gives the CIB as XML', async () => {
    await join();
    const answer = await under.call('GET', '/v1/agent/cib', { token });
    expect(answer.headers.get('content-type')).toContain('application/xml');
    expect(answer.text).toContain('<node_state');
  });

  it('gives the CIB as it was written once, and says when the agent has it already', async () => {
    await join();
    const texts = vi.spyOn(under.api.app.get(DocumentTexts), 'xml');
    const ask = (headers: Record<string, string> = {}): Promise<Answer> => under.call('GET', '/v1/agent/cib', { token, headers });
    const first = await ask();
    const tag = String(first.headers.get('etag'));
    expect((await ask()).text).toBe(first.text);
    expect(texts).toHaveBeenCalledTimes(2);
    const known = await ask({ 'if-none-match': `"1", W/${tag}` });
    expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', tag]);
    expect(texts).toHaveBeenCalledTimes(2);
    expect((await ask({ 'if-none-match': '"0"' })).text).toBe(first.text);
  });

  it('is refused from another boot while the lease lives, and told why', async () => {
    await say('join', { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'boot-1', machineId: 'm-1' });
    const second = await say('join', { protocol: PROTOCOL, agentVersion: '1.0', bootId: 'boot-2', machineId: 'm-2' });
    expect(second).toMatchObject({ status: 409, json: { type: 'https://systole.dev/problems/node-joined-elsewhere' } });
    expect((await poll(1)).status).toBe(200);
  });

  it('shows what it was told of the log; what the log does not hold begins a new epoch', async () => {
    const incarnation = await join();
    const { head } = (await poll(incarnation)).json as { readonly head: Required<Head> };
    expect((await say('poll', { incarnation, waitMs: 0, known: [], witness: head })).status).toBe(200);
    // Of a server before seals.
    const lost = { epoch: head.epoch, version: head.version + 100, hash: head.hash };
    const refused = await say('poll', { incarnation, waitMs: 0, known: [], witness: lost });
    expect(refused).toMatchObject({ status: 409, json: { type: 'https://systole.dev/problems/log-epoch-changed' } });
    expect(await events('EpochBegan')).toMatchObject([{ actor: 'agent:n1', data: { previous: cluster, by: 'n1', witness: lost } }]);
    const status = await under.call('GET', `/v1/clusters/${cluster}/status`);
    expect(status.json['hold']).toContain('join');
    expect(status.json['safety']).toContainEqual({
      code: 'log-went-back',
      text: expect.stringContaining(`to ${String(lost.version)} (as far as was told to n1)`) as string,
    });
  });

  it('takes no id that is the name of a node which has a token only', async () => {
    const other = await under.agent(cluster, 'n7');
    const spare = await under.agent(cluster, 'n8');
    const joinAs = (secret: string, nodeId: string): Promise<Answer> =>
      under.call('POST', '/v1/agent/join', {
        token: secret,
        body: { protocol: PROTOCOL, agentVersion: '1.0', bootId: `b-${nodeId}`, nodeId },
      });
    expect(await joinAs(spare, 'n7')).toMatchObject({ status: 422, json: { type: 'https://systole.dev/problems/invalid-argument' } });
    expect((await joinAs(other, 'n7')).status).toBe(200);
    expect((await joinAs(spare, '8')).status).toBe(200);
  });

  it('shows what nobody had told it: that begins nothing, and is said', async () => {
    const incarnation = await join();
    const { head } = (await poll(incarnation)).json as { readonly head: Required<Head> };
    for (const tale of [
      { ...head, version: head.version + 100 },
      { ...head, epoch: crypto.randomUUID() },
    ]) {
      expect((await say('poll', { incarnation, waitMs: 0, known: [], witness: tale })).status).toBe(200);
    }
    expect(await events('EpochBegan')).toEqual([]);
    expect(await events('FalseWitnessShown')).toMatchObject([{ actor: 'agent:n1', data: { node: 'n1', incarnation } }]);
    const status = await under.call('GET', `/v1/clusters/${cluster}/status`);
    expect(status.text).toContain('false-witness');
  });

  it('leaves in good order: asked, granted, gone', async () => {
    const incarnation = await join();
    expect((await say('shutdown', { incarnation })).status).toBe(200);
    expect((await say('shutdown', { incarnation })).status).toBe(200);
    expect(await events('NodeShutdownRequested')).toHaveLength(1);
    await worker.grantShutdown(cluster, 'n1', await worker.plan(cluster), 5);
    expect((await poll(incarnation)).json).toEqual({
      leaseMs: LEASE_MS,
      actions: [],
      shutdown: true,
      head: HEAD,
      onLeaseLoss: 'keep',
      rollCall: ROLL_CALL,
      shutdownEscalationMs: SHUTDOWN_ESCALATION_MS,
    });
    expect((await say('leave', { incarnation })).status).toBe(200);
    expect(await events('NodeLeft')).toHaveLength(1);
    expect((await under.database.pool.query('SELECT FROM node_leases WHERE cluster_id = $1', [cluster])).rowCount).toBe(0);
    expect((await poll(incarnation)).status).toBe(409);
  });

  it('tells an agent that is newer than the server so, whatever else it says', async () => {
    const protocol = { major: PROTOCOL.major, minor: PROTOCOL.minor + 1 };
    const answer = await say('join', { agentVersion: '9', bootId: 'b', protocol, novelty: 1 });
    expect(answer.status).toBe(426);
    expect(answer.json).toMatchObject({ type: 'https://systole.dev/problems/protocol-too-new' });
    expect(await events('NodeJoined')).toEqual([]);
  });

  it('says which part of a message is wrong, and records nothing of it', async () => {
    const incarnation = await join();
    const action = await worker.handOut(cluster, 'n1', await worker.plan(cluster), 1);
    const good = resultOf(action);
    const bad = { ...resultOf(action), status: 'splendid', resource: { id: 'web' } };
    const answer = await say('results', { incarnation, results: [good, bad] });
    expect(answer.status).toBe(422);
    const pointers = (answer.json['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
    expect(pointers).toContain('/results/1/status');
    expect(pointers).toContain('/results/1/resource/historyId');
    expect(await events('OperationRecorded')).toEqual([]);
    expect((await say('poll', { incarnation, waitMs: -1, known: 'x' })).status).toBe(422);
  });
});
