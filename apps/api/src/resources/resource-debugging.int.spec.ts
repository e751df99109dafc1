import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiUnderTest, type Answer, type ApiUnderTest, type Json } from '../testing/api-under-test.js';
import { RunningCluster } from '../testing/running-cluster.js';

const CIB =
  '<cib crm_feature_set="3.20.5" validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config>' +
  '<cluster_property_set id="o"><nvpair id="o1" name="maintenance-mode" value="true"/></cluster_property_set></crm_config><nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>' +
  '<resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/><primitive id="web" class="ocf" provider="systole" type="Dummy"/></resources><constraints/></configuration><status/></cib>';

let under: ApiUnderTest;
let cluster: string;
let running: RunningCluster;
let agent: string;
let incarnation: number;
let seq = 0;

interface Action {
  readonly actionId: string;
  readonly kind: string;
  readonly operation: string;
  readonly resource: Json;
  readonly transitionKey: string;
}

beforeAll(async () => {
  under = await apiUnderTest();
  cluster = await under.cluster('debugged', CIB);
  running = new RunningCluster(under, cluster);
  agent = await under.agent(cluster, 'n1');
  const joined = await under.call('POST', '/v1/agent/join', {
    token: agent,
    body: { protocol: { major: 1, minor: 7 }, agentVersion: '1.7', bootId: 'b', active: [], unmanaged: [] },
  });
  expect(joined.status).toBe(200);
  incarnation = Number(joined.json['incarnation']);
  await running.join('n2');
  await running.probed('n1', 'db', 'web');
  await running.probed('n2', 'db', 'web');
});

afterAll(async () => {
  await running.close();
  await under.close();
});

const debug = (body: object, query = ''): Promise<Answer> =>
  under.call('POST', `/v1/clusters/${cluster}/resources/db/commands/debug${query}`, { body: { node: 'n1', ...body } });

async function poll(known: readonly string[] = [], waitMs = 5_000): Promise<readonly Action[]> {
  seq += 1;
  const answer = await under.call('POST', '/v1/agent/poll', { token: agent, body: { incarnation, waitMs, seq, known } });
  expect(answer.status).toBe(200);
  return answer.json['actions'] as readonly Action[];
}

async function answered({ actionId, operation, resource, transitionKey }: Action, more: object): Promise<Answer> {
  const result = {
    ...{
      actionId,
      operation,
      resource,
      transitionKey,
      intervalMs: 0,
      resultId: `r-${actionId}`,
      callId: 1,
      startedAt: 1,
      execMs: 12,
      queueMs: 3,
    },
    ...{ status: 'done', rc: 0, recurring: false, ...more },
  };
  return under.call('POST', '/v1/agent/results', { token: agent, body: { incarnation, results: [result] } });
}

const typesOf = async (): Promise<readonly string[]> => {
  const { json } = await under.call('GET', `/v1/clusters/${cluster}/events?limit=1000`);
  return (json['items'] as readonly Json[]).map(({ type }) => String(type));
};

it('gives a node what is to be tried, and the caller what its agent said of it', async () => {
  const waiting = poll();
  const asked = debug({ operation: 'monitor', reason: 'is it up?' });
  const [action] = await waiting;
  expect(action).toMatchObject({ kind: 'debug', operation: 'monitor', resource: { id: 'db' } });
  if (action === undefined) return;
  // An answer may be lost: until the agent names it, it is given again; then not any more.
  expect((await poll([], 100)).map(({ actionId }) => actionId)).toEqual([action.actionId]);
  expect(await poll([action.actionId], 100)).toEqual([]);
  expect((await answered(action, { rc: 7, exitReason: 'not there', output: 'looked' })).status).toBe(200);
  const answer = await asked;
  expect([answer.status, answer.json['tried']]).toEqual([
    200,
    expect.objectContaining({ state: 'ended', status: 'done', rc: 7, exitReason: 'not there', output: 'looked', execMs: 12, queueMs: 3 }),
  ]);
  expect(await poll([], 100)).toEqual([]);
  const types = await typesOf();
  expect(types.filter((type) => type.startsWith('Debug'))).toHaveLength(2);
  expect(types).not.toContain('HistoryDeleted');
});

it('goes on when nobody waits for it any more; a second one of the resource waits for its end', async () => {
  const first = await debug({ operation: 'start' }, '?timeout=1');
  expect(first.json['tried']).toMatchObject({ state: 'running' });
  const second = await debug({ operation: 'monitor' });
  expect([second.status, second.json['type']]).toEqual([409, expect.stringContaining('debug-running')]);
  const [action] = await poll();
  expect(action?.operation).toBe('start');
  const held = await under.call('GET', `/v1/clusters/${cluster}/cib`);
  expect(held.status).toBe(200);
  if (action !== undefined) await answered(action, {});
  expect((await typesOf()).filter((type) => type === 'HistoryDeleted')).toHaveLength(1);
});

it('waits also until the cluster has settled where that is asked for, unless the operation goes on', async () => {
  const goesOn = await debug({ operation: 'stop' }, '?wait=settled&timeout=1');
  expect(goesOn.json).toMatchObject({ tried: { state: 'running' } });
  expect(goesOn.json).not.toHaveProperty('settled');
  const [late] = await poll();
  if (late !== undefined) await answered(late, {});
  const waiting = poll();
  const asked = debug({ operation: 'stop' }, '?wait=settled&timeout=3');
  const [action] = await waiting;
  if (action !== undefined) await answered(action, {});
  // Nobody plans here: what has to be probed now stays so.
  const { json } = await asked;
  expect(json).toMatchObject({ tried: { state: 'ended', rc: 0 }, settled: { outcome: 'timed-out' } });
  const { version, waitingFor } = json['settled'] as { readonly version: number; readonly waitingFor: readonly string[] };
  expect([version > Number(json['version']), waitingFor.length > 0]).toEqual([true, true]);
});

it('says of a dry run whether it would be refused, and does nothing', async () => {
  const dry = await under.call('POST', `/v1/clusters/${cluster}/resources/web/commands/debug?dryRun=true`, {
    body: { node: 'n1', operation: 'start' },
  });
  expect([dry.status, dry.json['dryRun']]).toEqual([200, true]);
  await under.call('POST', `/v1/clusters/${cluster}/commands/unmaintenance`, { body: {} });
  const refused = await under.call('POST', `/v1/clusters/${cluster}/resources/web/commands/debug?dryRun=true`, {
    body: { node: 'n1', operation: 'start' },
  });
  expect([refused.status, refused.json['type']]).toEqual([409, expect.stringContaining('still-managed')]);
  const old = await debug({ operation: 'monitor', node: 'n2' });
  expect([old.status, old.json['type']]).toEqual([409, expect.stringContaining('agent-too-old')]);
  const none = await debug({ operation: 'restart' });
  expect(none.status).toBe(422);
});
