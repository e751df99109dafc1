import { describe, expect, it } from 'vitest';
import { debuggingOn, debugActionId, isOverdue, toDebugAction } from '../debugging/debug-action.js';
import { leftRunning } from '../lease/left-running.js';
import { initialState, memberOf, type ClusterState } from '../state/cluster-state.js';
import { execute, planned } from '../testing/stream.js';
import { startedResult } from '../testing/started.js';
import type { ClusterCommand, RequestDebugOperation } from './cluster-command.js';
import { decide } from './decide.js';

const CLUSTER = 'c1';
const RESOURCES =
  '<primitive id="db" class="ocf" provider="systole" type="Dummy"><instance_attributes id="ia"><nvpair id="p" name="secret" value="s3"/></instance_attributes>' +
  '<operations><op id="s" name="start" interval="0" timeout="7s"/></operations></primitive>' +
  '<group id="G"><primitive id="g1" class="ocf" provider="systole" type="Dummy"/></group>' +
  '<clone id="P"><meta_attributes id="pm"><nvpair id="pm1" name="promotable" value="true"/></meta_attributes><primitive id="p1" class="ocf" provider="systole" type="Dummy"/></clone>' +
  '<primitive id="fence" class="stonith" type="fence_dummy"/>';

const join = (node: string, more: object = {}): ClusterCommand => ({
  type: 'join-node',
  node,
  agentVersion: '1.7',
  leaseMs: 5000,
  debugOperations: true,
  ...more,
});

/** Nothing runs on n1, n2, which were probed. */
function cluster(options = 'maintenance-mode'): ClusterState {
  const cib =
    '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config>' +
    (options === '' ? '' : `<cluster_property_set id="o"><nvpair id="o1" name="${options}" value="true"/></cluster_property_set>`) +
    `</crm_config><nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes><resources>${RESOURCES}</resources><constraints/></configuration><status/></cib>`;
  const probed = (node: string, ...ids: readonly string[]): ClusterCommand => ({
    type: 'record-results',
    node,
    incarnation: 1,
    results: ids.map((id) => startedResult(id, { operation: 'monitor', rc: 7, resultId: `probe-${id}`, transitionKey: '1:1:7:c' })),
  });
  return execute(
    initialState(),
    { type: 'create-cluster', name: 'c', cib, force: true },
    join('n1'),
    join('n2'),
    probed('n1', 'db', 'g1', 'p1'),
    probed('n2', 'db', 'g1', 'p1'),
  );
}

const ask = (more: Partial<RequestDebugOperation> = {}): RequestDebugOperation => ({
  type: 'request-debug-operation',
  debugId: 'd1',
  resource: 'db',
  node: 'n1',
  operation: 'start',
  ...more,
});

function refusal(command: ClusterCommand, state: ClusterState): string {
  const decision = decide(command, state);
  return decision.ok ? 'accepted' : `${String(decision.rejection.status)} ${decision.rejection.code}`;
}

const answer = (state: ClusterState, more: object = {}): ClusterCommand => ({
  type: 'record-results',
  node: 'n1',
  incarnation: 1,
  results: [startedResult('db', { resultId: 'r1', actionId: debugActionId(state, CLUSTER, 'd1'), transitionKey: '-1:-1:0:c', ...more })],
});

describe('a debug operation', () => {
  it('is asked of one node, with the parameters of the resource, which stand in no event', () => {
    const state = execute(cluster(), ask({ reason: 'does it start?' }));
    const [pending] = debuggingOn(state, 'n1');
    expect(pending).toMatchObject({ debugId: 'd1', node: 'n1', incarnation: 1, resource: 'db', operation: 'start', timeoutMs: 7_000 });
    expect(JSON.stringify(decide(ask(), cluster()))).not.toContain('s3');
    const action = pending === undefined ? undefined : toDebugAction(state, CLUSTER, pending);
    expect(action).toMatchObject({ kind: 'debug', operation: 'start', timeoutMs: 7_000, parameters: { secret: 's3' } });
    expect(action?.meta['CRM_meta_on_node']).toBe('n1');
  });

  it('says to an agent what a clone is like', () => {
    const state = execute(cluster(), ask({ resource: 'p1', operation: 'monitor' }));
    const [pending] = debuggingOn(state, 'n1');
    expect(pending === undefined ? undefined : toDebugAction(state, CLUSTER, pending)?.meta).toMatchObject({
      CRM_meta_clone: '0',
      CRM_meta_clone_max: '2',
      CRM_meta_promoted_max: '1',
    });
  });

  it('ends with what the agent said; after one that may have changed something the resource is probed there', () => {
    const state = execute(cluster(), ask());
    const decision = decide(answer(state, { output: 'hello' }), state);
    expect(decision).toMatchObject({
      ok: true,
      events: [
        { type: 'DebugOperationEnded', data: { debugId: 'd1', status: 'done', rc: 0, output: 'hello', resultId: 'r1' } },
        { type: 'HistoryDeleted', data: { resource: 'db', node: 'n1' } },
      ],
    });
    const looked = execute(cluster(), ask({ operation: 'monitor' }));
    const seen = decide(answer(looked, { operation: 'monitor', rc: 7 }), looked);
    expect(seen.ok && seen.events.map(({ type }) => type)).toEqual(['DebugOperationEnded']);
  });

  it('that comes to an end twice is recorded once, and one of an earlier life as late', () => {
    const state = execute(cluster(), ask());
    const ended = execute(state, answer(state));
    expect(decide(answer(state), ended)).toEqual({ ok: true, events: [] });
    const again = execute(state, join('n1'));
    expect(debuggingOn(again, 'n1')).toEqual([]);
    const late = decide(answer(state), again);
    expect(late).toMatchObject({ ok: true, events: [{ type: 'DebugOperationEnded', data: { late: true } }] });
  });

  it('is told never to have begun only when it has not ended', () => {
    const state = execute(cluster(), ask());
    const end: ClusterCommand = { type: 'end-debug-operation', node: 'n1', debugId: 'd1' };
    expect(decide(end, state)).toMatchObject({ ok: true, events: [{ type: 'DebugOperationEnded', data: { debugId: 'd1' } }] });
    expect(decide(end, execute(state, answer(state)))).toEqual({ ok: true, events: [] });
    const [pending] = debuggingOn(state, 'n1');
    const asked = Date.parse(pending?.requestedAt ?? '');
    expect(pending && [isOverdue(pending, asked + 60_000), isOverdue(pending, asked + 68_000)]).toEqual([false, true]);
  });
});

describe('a start by hand (S1)', () => {
  it('keeps the cluster from starting the resource until it was probed, whoever manages it meanwhile', () => {
    const held = (state: ClusterState): readonly string[] => leftRunning(state).flatMap(({ resources }) => resources);
    const asked = execute(cluster(), ask(), { type: 'set-cluster-maintenance', maintenance: false });
    expect(held(asked)).toEqual(['db']);
    const ended = execute(asked, answer(asked));
    expect(held(ended)).toEqual(['db']);
    const probe = startedResult('db', { operation: 'monitor', rc: 0, resultId: 'probe', transitionKey: '2:2:7:c' });
    const known = execute(ended, { type: 'record-results', node: 'n1', incarnation: 1, results: [probe] });
    expect(held(known)).toEqual([]);
  });

  it('is remembered of a node that goes away meanwhile, until that is back, fenced or confirmed down', () => {
    const asked = execute(cluster(), ask());
    const lost = execute(asked, { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: '2026-01-01T00:01:00.000Z' });
    expect(memberOf(lost, 'n1')?.leftRunning?.flatMap(({ resources }) => resources)).toContain('db');
    const left = execute(asked, { type: 'leave-node', node: 'n1', incarnation: 1, active: ['db'] });
    expect(memberOf(left, 'n1')?.leftRunning?.flatMap(({ resources }) => resources)).toContain('db');
    expect(leftRunning(execute(lost, { type: 'confirm-node-down', node: 'n1' }))).toEqual([]);
  });

  it('is refused where anybody else may start or run it', () => {
    expect(refusal(ask(), cluster(''))).toBe('409 still-managed');
    expect(refusal(ask(), planned(cluster()))).toBe('409 transition-running');
    const elsewhere = execute(cluster(), { type: 'record-results', node: 'n2', incarnation: 1, results: [startedResult('db')] });
    expect(refusal(ask(), elsewhere)).toBe('409 still-active');
    const lost = execute(cluster(), { type: 'lose-lease', node: 'n2', incarnation: 1, expiredAt: '2026-01-01T00:01:00.000Z' });
    expect(refusal(ask(), lost)).toBe('409 still-active');
    expect(refusal(ask(), execute(cluster(), join('n2')))).toBe('409 still-active');
    expect(refusal(ask({ resource: 'p1', operation: 'promote' }), cluster())).toBe('409 place-not-clear');
  });

  it('is not refused for what takes nothing up', () => {
    const managed = cluster('');
    for (const operation of ['monitor', 'validate-all', 'stop'] as const) expect(refusal(ask({ operation }), managed)).toBe('accepted');
    expect(refusal(ask(), cluster())).toBe('accepted');
  });
});

describe('what can be tried', () => {
  it('is a primitive that one node can be told to try, once at a time, by an agent that knows how', () => {
    const state = cluster();
    expect(refusal(ask({ resource: 'dbb' }), state)).toBe('404 resource-not-found');
    expect(refusal(ask({ resource: 'G' }), state)).toBe('422 invalid-argument');
    expect(refusal(ask({ resource: 'fence', operation: 'monitor' }), state)).toBe('422 invalid-argument');
    expect(refusal(ask({ operation: 'promote' }), state)).toBe('422 invalid-argument');
    expect(refusal(ask({ node: 'n9' }), state)).toBe('404 node-not-found');
    expect(refusal(ask({ debugId: 'd2', operation: 'monitor', node: 'n2' }), execute(state, ask()))).toBe('409 debug-running');
    const old = execute(state, { type: 'join-node', node: 'n1', agentVersion: '1.6', leaseMs: 5000 });
    expect(refusal(ask({ operation: 'monitor' }), old)).toBe('409 agent-too-old');
  });
});
