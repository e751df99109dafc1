import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../events/cluster-event.js';
import type { ClusterState } from '../state/cluster-state.js';
import { append, execute } from '../testing/stream.js';
import { fencingStep } from './fencing-step.js';
import { device, FENCE_N3, fencingCluster, level, withLostNode } from './testing/fencing-cluster.js';
import { ableDevices, fencingPlan, isFenceable } from './topology.js';

const devices = device('f') + device('g') + device('h', {}, { 'target-role': 'Stopped' });

/** Device ids of each level of the plan for n3. */
function planOf(state: ClusterState, action: 'off' | 'reboot' | 'on' = 'off'): readonly string[] {
  return fencingPlan(state, 'n3', action).map((turns) => turns.map((turn) => `${turn.action} ${turn.device.id}`).join(', '));
}

describe('the levels of the fencing topology', () => {
  it('come by ascending index', () => {
    expect(planOf(fencingCluster(devices, level(2, 'f') + level(1, 'g')))).toEqual(['off g', 'off f']);
  });

  it('are passed over where a device is stopped', () => {
    expect(planOf(fencingCluster(devices, level(2, 'f,h') + level(3, 'h') + level(4, 'g')))).toEqual(['off g']);
    const none = withLostNode(fencingCluster(devices, level(1, 'f,h')));
    expect(fencingStep(none, FENCE_N3)).toMatchObject({
      type: 'held',
      reason: expect.stringContaining('no fence device can fence n3') as string,
    });
  });

  it('with several devices reboot by switching all off, then on as far as that works', () => {
    const [turns] = fencingPlan(fencingCluster(devices, level(1, 'f,g')), 'n3', 'reboot');
    expect(turns?.map(({ action, optional }) => [action, optional])).toEqual([
      ['off', false],
      ['off', false],
      ['on', true],
      ['on', true],
    ]);
    expect(fencingPlan(fencingCluster(devices, level(1, 'f')), 'n3', 'reboot')[0]).toMatchObject([{ action: 'reboot', optional: false }]);
  });

  it.each<[string, string]>([
    ['by name, whatever its case', 'target="N3"'],
    ['by a pattern', 'target-pattern="^n[34]$"'],
    ['by a pattern with a class of characters, as POSIX writes it', 'target-pattern="^N[[:digit:]]{1}$"'],
    ['by an attribute', 'target-attribute="rack" target-value="7"'],
  ])('are found %s', (_, target) => {
    const state = append(fencingCluster(devices, level(1, 'g', target)), {
      type: 'NodeAttributeSet',
      data: { node: 'n3', name: 'rack', value: '7', lifetime: 'forever' },
    });
    expect(planOf(state)).toEqual(['off g']);
  });

  it.each<[string, string]>([
    ['another name', 'target="n2"'],
    ['a pattern that does not match', 'target-pattern="^n[12]$"'],
    ['a pattern that is none', 'target-pattern="n3["'],
    ['a pattern that looks back, which is none', 'target-pattern="(n)3|\\1"'],
    ['an attribute that the node has with another value', 'target-attribute="rack" target-value="8"'],
    ['an attribute that the node has not', 'target-attribute="row" target-value="7"'],
  ])('are not those of %s: each device that can is a level of its own then', (_, target) => {
    const state = append(fencingCluster(devices, level(1, 'g', target)), {
      type: 'NodeAttributeSet',
      data: { node: 'n3', name: 'rack', value: '7', lifetime: 'forever' },
    });
    expect(planOf(state)).toEqual(['off f', 'off g']);
  });

  it('by name go before those by pattern, and those before the ones by attribute', () => {
    const byPattern = level(1, 'f', 'target-pattern="n3"');
    expect(planOf(fencingCluster(devices, byPattern + level(2, 'g')))).toEqual(['off g']);
    const state = append(
      fencingCluster(devices, level(1, 'g', 'target-attribute="rack" target-value="7"') + level(2, 'f', 'target-pattern="n3"')),
      {
        type: 'NodeAttributeSet',
        data: { node: 'n3', name: 'rack', value: '7', lifetime: 'forever' },
      },
    );
    expect(planOf(state)).toEqual(['off f']);
  });
});

describe('devices that provide unfencing', () => {
  const provides = device('u', {}, { provides: 'unfencing' });

  it('alone unfence, outside of any level; to switch off they are as the others', () => {
    const state = fencingCluster(device('f') + provides, level(1, 'f'));
    expect(planOf(state, 'on')).toEqual(['on u']);
    expect(planOf(state, 'off')).toEqual(['off f']);
    expect(planOf(fencingCluster(device('f') + provides), 'off')).toEqual(['off f', 'off u']);
  });
});

describe('a device that differs by node', () => {
  const on = (node: string, hosts: string): string =>
    `<instance_attributes id="f-${node}"><rule id="f-${node}-r"><expression id="f-${node}-e" attribute="#uname" operation="eq" value="${node}"/></rule><nvpair id="f-${node}-h" name="pcmk_host_list" value="${hosts}"/></instance_attributes>`;
  const resources = `<primitive id="f" class="stonith" type="fence_test">${on('n1', 'n2')}${on('n2', 'n3')}</primitive>`;

  it('can fence what it can fence from any node that is there', () => {
    const state = fencingCluster(resources);
    expect(planOf(state)).toEqual(['off f']);
    expect(planOf(execute(state, { type: 'lose-lease', node: 'n2', incarnation: 1, expiredAt: 'x' }))).toEqual(['off f']);
    const without = ['n2', 'n3'].reduce(
      (folded, node) => execute(folded, { type: 'lose-lease', node, incarnation: 1, expiredAt: 'x' }),
      state,
    );
    expect(planOf(without)).toEqual([]);
  });
});

describe('the devices that can fence a node', () => {
  it('are those whose list has it, and those that ask their device, whatever its levels say; none that is stopped', () => {
    const listed = device('a', { pcmk_host_list: 'n2 N3' }) + device('b', { pcmk_host_list: 'n2' }) + devices;
    const state = fencingCluster(listed, level(1, 'g'));
    expect(ableDevices(state, 'n3').map(({ id }) => id)).toEqual(['a', 'f', 'g']);
    expect(ableDevices(state, 'n2').map(({ id }) => id)).toEqual(['a', 'b', 'f', 'g']);
  });
});

describe('whether a node can be fenced', () => {
  const listed = (node: string): string => device('f', { pcmk_host_list: node });
  const rack = (value: string): ClusterEvent => ({
    type: 'NodeAttributeSet',
    data: { node: 'n3', name: 'rack', value, lifetime: 'reboot' },
  });

  it('follows the configuration', () => {
    const without = fencingCluster(listed('n2'));
    expect([isFenceable(without, 'n2'), isFenceable(without, 'n3'), isFenceable(without, 'n3')]).toEqual([true, false, false]);
    const after = fencingCluster(listed('n2 n3'));
    expect([isFenceable(after, 'n3'), isFenceable(without, 'n3')]).toEqual([true, false]);
  });

  it('follows what is said of nodes where the configuration asks for it', () => {
    const state = fencingCluster(
      device('f') + device('h', {}, { 'target-role': 'Stopped' }),
      level(1, 'h', 'target-attribute="rack" target-value="7"'),
    );
    const answers = [state, append(state, rack('7')), append(state, rack('7'), rack('8'))].map((of) => isFenceable(of, 'n3'));
    expect(answers).toEqual([true, false, true]);
  });
});
