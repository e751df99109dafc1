import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../events/cluster-event.js';
import type { ClusterState } from '../state/cluster-state.js';
import { evolve } from '../state/evolve.js';
import { operationRecorded } from '../testing/operation-recorded.js';
import { append, execute, threeNodes } from '../testing/stream.js';
import { alertOrders, testOrders, type AlertOrder } from './alert-orders.js';
import { withAlertSecrets } from './alert-secrets.js';

const ALL = '<select><select_nodes/><select_fencing/><select_resources/><select_attributes/></select>';

function cluster(alerts = `<alert id="a" path="/p">${ALL}</alert>`): ClusterState {
  const db = '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';
  return threeNodes({ resources: db, more: `<alerts>${alerts}</alerts>` });
}

function orders(before: ClusterState, event: ClusterEvent): readonly AlertOrder[] {
  const recorded = { version: before.version + 1, occurredAt: '2026-01-01T00:01:00.250Z', actor: 't', correlationId: 'c', event };
  return alertOrders(recorded, before, evolve(before, recorded));
}

/** Nodes, and what they are told without what is the same in all. */
function told(before: ClusterState, event: ClusterEvent): readonly (readonly [string, Readonly<Record<string, string>>])[] {
  return orders(before, event).map(({ node, call }) => {
    const said = Object.entries(call.variables).map(([name, value]) => [name.slice('CRM_alert_'.length), value] as const);
    return [node, Object.fromEntries(said.filter(([name]) => name !== 'version' && name !== 'recipient'))];
  });
}

const lost: ClusterEvent = { type: 'NodeLeaseLost', data: { node: 'n3', incarnation: 1, expiredAt: '2026-01-01T00:00:59.000Z' } };

describe('what events are to alerts', () => {
  it('an operation is told by the node that carried it out', () => {
    const said = {
      kind: 'resource',
      node: 'n1',
      rsc: 'db',
      task: 'start',
      interval: '0',
      rc: '0',
      target_rc: '0',
      status: '0',
      exec_time: '12',
    };
    expect(told(cluster(), operationRecorded())).toEqual([['n1', { ...said, desc: 'ok' }]]);
    const failed = operationRecorded({ operation: 'monitor', intervalMs: 10_000, rc: 7 });
    expect(told(cluster(), failed)[0]).toMatchObject(['n1', { task: 'monitor', interval: '10000', rc: '7', desc: 'not running' }]);
    const late = operationRecorded({ status: 'timeout', rc: 1 });
    expect(told(cluster(), late)[0]).toMatchObject(['n1', { status: '2', desc: 'Timed Out' }]);
  });

  it('a probe is told where it finds what was not expected, as with Pacemaker', () => {
    const probe = (changes: object): ClusterEvent => operationRecorded({ operation: 'monitor', transitionKey: '1:1:7:x', ...changes });
    expect(told(cluster(), probe({ rc: 7 }))).toEqual([]);
    expect(told(cluster(), probe({ rc: 0 }))).toMatchObject([
      ['n1', { task: 'monitor', interval: '0', rc: '0', target_rc: '7', desc: 'ok' }],
    ]);
    expect(told(cluster(), probe({ rc: 5, status: 'not-installed' }))[0]).toMatchObject([
      'n1',
      { rc: '5', target_rc: '7', status: '7', desc: 'Not installed' },
    ]);
  });

  it('notifications, cancellations and deletions are told by nobody, nor what a former life of a node reports', () => {
    const untold = [{ operation: 'notify' }, { operation: 'cancel', intervalMs: 10_000 }, { operation: 'delete' }, { incarnation: 7 }];
    for (const changes of untold) expect(told(cluster(), operationRecorded(changes)), JSON.stringify(changes)).toEqual([]);
  });

  it('a node that is lost, leaves or comes is told by all that are there then; one that joins anew by nobody', () => {
    const said = { kind: 'node', node: 'n3', nodeid: '3', desc: 'lost' };
    expect(told(cluster(), lost)).toEqual([
      ['n1', said],
      ['n2', said],
    ]);
    expect(told(cluster(), { type: 'NodeLeft', data: { node: 'n3', incarnation: 1 } })).toHaveLength(2);
    const joins: ClusterEvent = {
      type: 'NodeJoined',
      data: { node: 'n3', nodeId: '3', incarnation: 2, leaseMs: 5_000, agentVersion: '1' },
    };
    expect(told(append(cluster(), lost), joins).map(([node, { desc }]) => [node, desc])).toEqual([
      ['n1', 'member'],
      ['n2', 'member'],
      ['n3', 'member'],
    ]);
    expect(told(cluster(), joins)).toEqual([]);
    expect(told(append(cluster(), lost), lost), 'once').toEqual([]);
  });

  it('fencing is told at the end of the whole of it, by all that are there', () => {
    const attempt = {
      fencingId: 'f',
      target: 'n3',
      action: 'off',
      device: 'power',
      executor: 'n1',
      outcome: 'failed',
      detail: 'no answer',
    } as const;
    const end = (changes: object): ClusterEvent => ({ type: 'FencingCompleted', data: { ...attempt, ...changes } });
    const before = append(cluster(), lost);
    expect(told(before, end({ outcome: 'succeeded' }))).toEqual(
      ['n1', 'n2'].map((node) => [
        node,
        { kind: 'fencing', node: 'n3', task: 'st_notify_fence', rc: '0', desc: 'Operation off of n3 by n1 with power: OK (ref=f)' },
      ]),
    );
    // One that was there until then is lost with it.
    const { fencingId, target, action, device, executor } = attempt;
    const asked = append(cluster(), {
      type: 'FencingRequested',
      data: { fencingId, target, action, device, executor, attempt: 1, transition: 1, graphActionId: 9 },
    });
    expect(told(asked, end({ outcome: 'succeeded' })).map(([node, { kind, desc }]) => [node, kind, kind === 'node' && desc])).toEqual([
      ['n1', 'fencing', false],
      ['n2', 'fencing', false],
      ['n1', 'node', 'lost'],
      ['n2', 'node', 'lost'],
    ]);
    expect(told(before, end({ confirmed: false }))).toEqual([]);
    expect(told(before, end({ confirmed: false, exhausted: true }))[0]?.[1]).toMatchObject({
      rc: '1',
      desc: 'Operation off of n3 by n1 with power: Error: no answer (ref=f)',
    });
    expect(told(before, end({ outcome: 'succeeded', unasked: true }))).toEqual([]);
  });

  it('a change of an attribute that lasts until the node leaves is told by the node, or the first that is there', () => {
    const set = (value: string, node = 'n2', lifetime: 'reboot' | 'forever' = 'reboot'): ClusterEvent => ({
      type: 'NodeAttributeSet',
      data: { node, name: 'temp', value, lifetime },
    });
    const said = { kind: 'attribute', node: 'n2', nodeid: '2', attribute_name: 'temp', attribute_value: '42' };
    expect(told(cluster(), set('42'))).toEqual([['n2', said]]);
    const there = append(cluster(), set('42'));
    expect(told(there, set('42')), 'no change').toEqual([]);
    expect(told(there, { type: 'NodeAttributeCleared', data: { node: 'n2', name: 'temp', lifetime: 'reboot' } })).toEqual([
      ['n2', { ...said, attribute_value: '' }],
    ]);
    expect(told(cluster(), set('42', 'n2', 'forever'))).toEqual([]);
    const select = '<select><select_attributes><attribute id="x" name="other"/></select_attributes></select>';
    expect(told(cluster(`<alert id="a" path="/p">${select}</alert>`), set('42'))).toEqual([]);
  });

  it('what is counted of failures, and forgotten, and a shutdown are changes of attributes, too', () => {
    const select = '<select><select_attributes/></select>';
    const at = cluster(`<alert id="a" path="/p">${select}</alert>`);
    const changes = (before: ClusterState, event: ClusterEvent) =>
      told(before, event).map(([node, { attribute_name: name, attribute_value: value }]) => [node, name, value]);
    const failed = operationRecorded({ operation: 'monitor', intervalMs: 10_000, rc: 7, transitionKey: '1:1:0:x' });
    const failure = changes(at, failed);
    expect(failure).toEqual([
      ['n1', 'fail-count-db#monitor_10000', '1'],
      ['n1', 'last-failure-db#monitor_10000', expect.stringMatching(/^\d+$/)],
    ]);
    expect(changes(append(at, failed), { type: 'FailuresCleared', data: { node: 'n1', resource: 'db' } })).toEqual(
      failure.map(([node, name]) => [node, name, '']),
    );
    expect(changes(at, { type: 'NodeShutdownRequested', data: { node: 'n2', incarnation: 1 } })).toEqual([
      ['n2', 'shutdown', expect.stringMatching(/^\d+$/)],
    ]);
    expect(changes(append(at, failed), { type: 'NodeLeft', data: { node: 'n1', incarnation: 1 } }), 'what ends with the node').toEqual([]);
  });

  it('come to one order for each recipient, with the time of the event', () => {
    const found = orders(
      cluster('<alert id="a" path="/p"><recipient id="r1" value="x"/><recipient id="r2" value="y"/></alert>'),
      operationRecorded(),
    );
    expect(
      found.map(({ node, alert, recipient, version, call }) => [node, alert, recipient, version, call.variables['CRM_alert_recipient']]),
    ).toEqual([
      ['n1', 'a', 'r1', 5, 'x'],
      ['n1', 'a', 'r2', 5, 'y'],
    ]);
    expect(found[0]?.call).toMatchObject({ path: '/p', atMs: Date.UTC(2026, 0, 1, 0, 1, 0, 250) });
  });

  it('are nothing to what is configured later', () => {
    const before = threeNodes({ resources: '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>' });
    expect(orders(before, operationRecorded())).toEqual([]);
  });
});

describe('a test of an alert', () => {
  const a = { id: 'a', isConfigured: true };
  it('runs it on one node, whatever it selects', () => {
    const state = cluster('<alert id="a" path="/p"><select><select_fencing/></select></alert>');
    expect(testOrders(state, a, undefined, 0)).toMatchObject([
      { node: 'n1', alert: 'a', kind: 'node', call: { variables: { CRM_alert_desc: 'test' } } },
    ]);
    expect(testOrders(state, a, 'n2', 0)).toMatchObject([{ node: 'n2' }]);
  });

  it('is refused where nothing could be run', () => {
    const off = '<meta_attributes id="m"><nvpair id="e" name="enabled" value="false"/></meta_attributes>';
    expect(testOrders(cluster(`<alert id="a" path="/p">${off}</alert>`), a, undefined, 0)).toEqual({ problem: 'disabled' });
    expect(testOrders(cluster(), { id: 'b', isConfigured: false }, undefined, 0)).toEqual({ problem: 'unknown-alert' });
    expect(testOrders(append(cluster(), lost), a, 'n3', 0)).toEqual({ problem: 'node-not-joined', node: 'n3' });
    const left = execute(cluster(), ...['n1', 'n2', 'n3'].map((node) => ({ type: 'leave-node', node, incarnation: 1 }) as const));
    expect(testOrders(left, a, undefined, 0)).toEqual({ problem: 'no-node' });
  });
});

describe('secrets of alerts', () => {
  const id = '0'.repeat(32);
  const reference = `systole-secret:${id}`;
  const order = { alert: 'a', recipient: 'r', call: { path: '/p', options: { token: reference } } } as unknown as AlertOrder;
  const secret = { owner: 'a', parameter: 'token', agents: ['alert:/p'], value: 'hush' };

  it('go to the alert or recipient that they were given for, and to no other', () => {
    expect(withAlertSecrets(order, { [id]: secret })).toEqual({ secrets: { [reference]: 'hush' } });
    expect(withAlertSecrets(order, { [id]: { ...secret, owner: 'r' } })).toEqual({ secrets: { [reference]: 'hush' } });
    for (const other of [
      { ...secret, owner: 'db' },
      { ...secret, parameter: 'else' },
      { ...secret, agents: ['alert:/q'] },
      { ...secret, erased: true as const },
    ]) {
      expect(Object.keys(withAlertSecrets(order, { [id]: other }))).toEqual(['withheld']);
    }
    expect(Object.keys(withAlertSecrets(order, {}))).toEqual(['withheld']);
    // Of before programs were written down.
    expect(withAlertSecrets(order, { [id]: { ...secret, agents: [] } })).toEqual({ secrets: { [reference]: 'hush' } });
  });
});
