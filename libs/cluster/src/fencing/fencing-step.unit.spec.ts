import { describe, expect, it } from 'vitest';
import type { ReportedResult } from '../commands/agent-command.js';
import type { ClusterState } from '../state/cluster-state.js';
import type { FencingRequested } from '../events/cluster-event.js';
import { execute, planned } from '../testing/stream.js';
import { fencingDevices } from './device.js';
import { executorsFor, fencingStep } from './fencing-step.js';
import { device, FENCE_N3, fencingCluster, level, playFencing, withLostNode } from './testing/fencing-cluster.js';

const request: FencingRequested['data'] = {
  ...{ fencingId: 'f1', target: 'n3', action: 'off', device: 'f', executor: 'n1', attempt: 1, transition: 1, graphActionId: 9 },
};
const off = { ...FENCE_N3, action: 'off' } as const;

/** An attempt at n3 was made and has that outcome. */
function attempted(state: ClusterState, outcome: 'succeeded' | 'failed', change: Partial<typeof request> = {}): ClusterState {
  const made = { ...request, ...change };
  const requested = execute(state, { type: 'request-fencing', request: made });
  const { fencingId, target, action, device: used, executor } = made;
  return execute(requested, { type: 'complete-fencing', result: { fencingId, target, action, device: used, executor, outcome } });
}

describe('the next step of a fencing operation', () => {
  it('numbers its attempts, and waits for the delay once', () => {
    const first = fencingStep(withLostNode(fencingCluster(device('f'))), { ...off, delayMs: 500 });
    expect(first).toMatchObject({ type: 'request', request: { attempt: 1, delayMs: 500 } });
    const second = fencingStep(attempted(withLostNode(fencingCluster(device('f'))), 'failed'), { ...off, delayMs: 500 });
    expect(second).toMatchObject({ type: 'request', request: { attempt: 2 } });
    expect(second.type === 'request' && second.request).not.toHaveProperty('delayMs');
  });

  it('names what was wanted where a level takes it apart, and carries what unfencing has to leave behind', () => {
    const state = withLostNode(fencingCluster(device('f') + device('g'), level(1, 'f,g')));
    expect(fencingStep(state, FENCE_N3)).toMatchObject({ request: { action: 'off', wanted: 'reboot' } });
    const plain = fencingStep(state, off);
    expect(plain.type === 'request' && plain.request).not.toHaveProperty('wanted');
    expect(plain.type === 'request' && plain.request).not.toHaveProperty('digests');
    const digests = { all: 'a', secure: 's' };
    expect(fencingStep(state, { ...off, digests })).toMatchObject({ request: { digests } });
  });

  it('does what a person asked for, whatever the plan says, and what the plan says again when nothing was said', () => {
    const asked = planned(execute(fencingCluster(device('f')), { type: 'fence-node', node: 'n3', action: 'off' }));
    expect(fencingStep(asked, FENCE_N3)).toMatchObject({ type: 'request', request: { action: 'off' } });
    const again = execute(asked, { type: 'fence-node', node: 'n3' });
    expect(fencingStep(again, FENCE_N3)).toMatchObject({ type: 'request', request: { action: 'reboot' } });
    const { log, state } = playFencing(asked, [true]);
    expect(log).toEqual(['off by f on n1', 'finished ok']);
    expect(JSON.stringify(state.cib)).not.toContain('systole-fencing-action');
  });

  it('has not to do with the outcome of another action of the same transition', () => {
    const other = attempted(withLostNode(fencingCluster(device('f', { pcmk_off_retries: '1' }) + device('g'))), 'failed', {
      graphActionId: 8,
    });
    expect(fencingStep(other, off)).toMatchObject({ type: 'request', request: { device: 'f', attempt: 1 } });
  });

  it('does not wait for the attempt of another action', () => {
    const other = execute(withLostNode(fencingCluster(device('f', { pcmk_action_limit: '-1' }))), {
      type: 'request-fencing',
      request: { ...request, graphActionId: 8 },
    });
    expect(fencingStep(other, off).type).toBe('request');
    expect(fencingStep(other, { ...off, graphActionId: 8 }).type).toBe('wait');
    expect(fencingStep(other, { ...off, transition: 2, graphActionId: 8 }).type).not.toBe('wait');
  });

  it.each([
    [{}, ['request', 'queued', 'queued']],
    [{ pcmk_action_limit: '2' }, ['request', 'request', 'queued']],
    [{ pcmk_action_limit: '-1' }, ['request', 'request', 'request']],
    [{ pcmk_action_limit: 'many' }, ['request', 'queued', 'queued']],
  ])('waits while the device is at work on as many nodes as it may at a time: %j', (parameters, expected) => {
    let state = withLostNode(fencingCluster(device('f', parameters)));
    const types = [1, 2, 3].map((graphActionId) => {
      const { type } = fencingStep(state, { ...off, graphActionId });
      if (type === 'request')
        state = execute(state, {
          type: 'request-fencing',
          request: { ...request, fencingId: `f${String(graphActionId)}`, graphActionId },
        });
      return type;
    });
    expect(types).toEqual(expected);
  });

  it('does not wait for a device whose executor is gone: nobody is at work', () => {
    const underWay = execute(withLostNode(fencingCluster(device('f'))), {
      type: 'request-fencing',
      request: { ...request, graphActionId: 8, executor: 'n2' },
    });
    expect(fencingStep(underWay, off).type).toBe('queued');
    const gone = execute(underWay, { type: 'lose-lease', node: 'n2', incarnation: 1, expiredAt: 'x' });
    expect(fencingStep(gone, off).type).toBe('request');
  });

  it('may be delayed at random by what pcmk_delay_max leaves beside the delay of the device; never to switch on', () => {
    const below = (parameters: Readonly<Record<string, string>>, action: 'off' | 'on' = 'off'): unknown => {
      const next = fencingStep(withLostNode(fencingCluster(device('f', parameters))), { ...off, action });
      return next.type === 'request' ? next.randomBelowMs : next.type;
    };
    expect(below({})).toBe(0);
    expect(below({ pcmk_delay_max: '10s' })).toBe(10_000);
    expect(below({ pcmk_delay_max: '10s', pcmk_delay_base: 'n3:4s;n2:1s' })).toBe(6_000);
    expect(below({ pcmk_delay_max: '3s', pcmk_delay_base: '4s' })).toBe(0);
    expect(below({ pcmk_delay_max: '10s' }, 'on')).toBe(0);
  });

  it('is another device at once when one says that it can not fence the target', () => {
    const state = execute(withLostNode(fencingCluster(device('f') + device('g'))), { type: 'request-fencing', request });
    const said: ReportedResult = {
      ...{ resultId: 'r', actionId: 'c:1:9:f1', transitionKey: '9:1:0:c', operation: 'off', intervalMs: 0, rc: 3, recurring: false },
      resource: { id: 'f', historyId: 'f', class: 'stonith', type: 'fence_test' },
      status: 'not-supported',
      exitReason: 'n3 is not among those that it lists',
      ...{ callId: 1, startedAt: 1, execMs: 1, queueMs: 0 },
      fence: { fencingId: 'f1', target: 'n3', action: 'off', deviceId: 'f' },
    };
    const told = execute(state, { type: 'record-results', node: 'n1', incarnation: 1, results: [said] });
    expect(fencingStep(told, off)).toMatchObject({ type: 'request', request: { device: 'g', attempt: 2 } });
    const failed = execute(state, { type: 'record-results', node: 'n1', incarnation: 1, results: [{ ...said, status: 'done', rc: 1 }] });
    expect(fencingStep(failed, off)).toMatchObject({ type: 'request', request: { device: 'f', attempt: 2 } });
  });

  it('goes by outcomes of the device and the action whose turn it is', () => {
    const state = withLostNode(
      fencingCluster(device('f', { pcmk_off_retries: '1', pcmk_on_retries: '1' }) + device('g'), level(1, 'f,g') + level(2, 'g')),
    );
    expect(fencingStep(attempted(state, 'failed', { device: 'g' }), off)).toMatchObject({ request: { device: 'f' } });
    expect(fencingStep(attempted(state, 'failed', { action: 'on' }), off)).toMatchObject({ request: { device: 'f' } });
    expect(fencingStep(attempted(state, 'succeeded', { action: 'on' }), off)).toMatchObject({ request: { device: 'f' } });
  });

  it('is that it is done where the node is down or has left; not to unfence it', () => {
    const state = fencingCluster(device('f'));
    const down = execute(withLostNode(state), { type: 'confirm-node-down', node: 'n3' });
    const left = execute(state, { type: 'leave-node', node: 'n3', incarnation: 1 });
    for (const gone of [down, left]) {
      expect(fencingStep(gone, off)).toEqual({ type: 'finished', ok: true });
      expect(fencingStep(gone, { ...off, action: 'on' }).type).not.toBe('finished');
    }
    expect(fencingStep(state, { ...off, target: 'remote-1' }).type).toBe('request');
  });

  it('is held while nobody is there to run the device', () => {
    const nobody = ['n1', 'n2'].reduce(
      (state, node) => execute(state, { type: 'lose-lease', node, incarnation: 1, expiredAt: 'x' }),
      withLostNode(fencingCluster(device('f'))),
    );
    expect(fencingStep(nobody, off)).toEqual({ type: 'held', reason: 'no node is online to run fence device f' });
  });

  it('is that it failed when the last level did', () => {
    const state = withLostNode(fencingCluster(device('f', { pcmk_off_retries: '1' })));
    expect(playFencing(state, [false], off).log).toEqual(['off by f on n1', 'finished failed']);
  });
});

describe('the node that runs a device', () => {
  const reported = (operation: string, rc: number, intervalMs = 0): ReportedResult => ({
    resultId: `${operation}${String(rc)}${String(intervalMs)}`,
    actionId: 'a',
    transitionKey: '1:1:0:c',
    resource: { id: 'f', historyId: 'f', class: 'stonith', type: 'fence_test' },
    operation,
    intervalMs,
    status: 'done',
    rc,
    callId: 1,
    startedAt: 1,
    execMs: 1,
    queueMs: 0,
    recurring: intervalMs > 0,
  });

  it.each<[string, readonly ReportedResult[], string]>([
    ['where it was started', [reported('start', 0)], 'n3'],
    ['where it was started and is monitored', [reported('start', 0), reported('monitor', 0, 10_000)], 'n3'],
    ['not where the start failed', [reported('start', 1)], 'n2'],
    ['not where it was probed', [reported('monitor', 7)], 'n2'],
    ['not where it was stopped again', [reported('start', 0), { ...reported('stop', 0), callId: 2 }], 'n2'],
  ])('is first the one %s', (_, results, first) => {
    const state = execute(fencingCluster(device('f')), { type: 'record-results', node: 'n3', incarnation: 1, results });
    const [f] = fencingDevices(state.cib, 0);
    if (f === undefined) throw new Error('no device');
    expect(executorsFor(state, f, 'n1')[0]).toBe(first);
  });
});
