import { describe, expect, it } from 'vitest';
import {
  agentParameters,
  canFence,
  delayOf,
  fencingDevices,
  hostCheckOf,
  maxTries,
  namesNoArgument,
  type FencingDevice,
} from './device.js';
import { toFenceAction } from './fence-action.js';
import { device, fencingCluster, withLostNode } from './testing/fencing-cluster.js';
import { option } from '../testing/stream.js';

function deviceWith(parameters: Readonly<Record<string, string>>): FencingDevice {
  const [found] = fencingDevices(fencingCluster(device('f', parameters)).cib, 0);
  if (found === undefined) throw new Error('no device');
  return found;
}

describe('a fence device', () => {
  it('is every stonith primitive, whatever stands around it', () => {
    const resources =
      `<group id="gr">${device('f')}</group><clone id="c">${device('g')}</clone>` +
      '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';
    expect(fencingDevices(fencingCluster(resources).cib, 0).map(({ id }) => id)).toEqual(['f', 'g']);
  });

  it('is tried twice, or as often as it says, and once at least', () => {
    const tries = (retries: string): number => maxTries(deviceWith({ pcmk_off_retries: retries }), 'off');
    expect(maxTries(deviceWith({}), 'off')).toBe(2);
    expect(['3', '1', '0', '-2', 'often'].map(tries)).toEqual([3, 1, 1, 1, 2]);
    expect(maxTries(deviceWith({ pcmk_off_retries: '3' }), 'reboot')).toBe(2);
  });

  it('has no plug for a node without a name in its map', () => {
    expect(canFence(deviceWith({ pcmk_host_map: ':7' }), '')).toBe(false);
    expect(canFence(deviceWith({ pcmk_host_list: ' n1;,n3 ' }), '')).toBe(false);
    expect(canFence(deviceWith({ pcmk_host_list: ' n1;,n3 ' }), 'n3')).toBe(true);
  });

  it('keeps a plug of its own', () => {
    expect(agentParameters(deviceWith({ port: '9', pcmk_host_map: 'n3:7' }), 'n3', 'off')).toEqual({
      port: '9',
      action: 'off',
      nodename: 'n3',
    });
  });

  it('leaves the parameter of the plug to its agent where nothing names it', () => {
    const named = (parameters: Readonly<Record<string, string>>): unknown => {
      const used = deviceWith(parameters);
      const { plug, port } = agentParameters(used, 'n3', 'off');
      return [namesNoArgument(used), plug ?? null, port ?? null];
    };
    expect(named({})).toEqual([true, null, 'n3']);
    expect(named({ pcmk_host_argument: 'plug' })).toEqual([false, 'n3', null]);
    expect(named({ plug: '4' })).toEqual([false, '4', null]);
    expect(named({ port: '4' })).toEqual([false, null, '4']);
  });

  it.each([
    [{}, 'auto'],
    [{ pcmk_host_list: 'n1' }, 'static-list'],
    [{ pcmk_host_map: 'n1:1' }, 'static-list'],
    [{ pcmk_host_list: 'n1', pcmk_host_check: 'Dynamic-List' }, 'dynamic-list'],
    [{ pcmk_host_check: 'status' }, 'status'],
    [{ pcmk_host_check: 'none' }, 'none'],
    [{ pcmk_host_check: 'maybe' }, 'auto'],
  ])('with %j it is known by %s whom it can fence', (parameters, expected) => {
    expect(hostCheckOf(deviceWith(parameters))).toBe(expected);
  });

  it('waits for one time, or for one by node', () => {
    const delay = (text: string, target = 'n3'): string | undefined => delayOf(deviceWith({ pcmk_delay_base: text }), target);
    expect(delayOf(deviceWith({}), 'n3')).toBeUndefined();
    expect([delay('5s'), delay('n1:1s;N3:2s'), delay('n1:1s n3:3s'), delay('n1:1s')]).toEqual(['5s', '2s', '3s', undefined]);
  });
});

describe('what its executor is asked', () => {
  const request = { fencingId: 'x', target: 'n3', device: 'g', executor: 'n1', attempt: 1, transition: 1, graphActionId: 9 } as const;
  const state = withLostNode(
    fencingCluster(device('f') + device('g', { pcmk_delay_base: '5s', pcmk_off_timeout: 'soon' }), '', option('fencing-timeout', '20s')),
  );

  it('is of the device that was requested, with the time-out of the option where it has no usable one', () => {
    expect(toFenceAction(state, { ...request, action: 'off' }, { epoch: 'c' })).toMatchObject({
      resource: { id: 'g' },
      timeoutMs: 20_000,
      startDelayMs: 5_000,
    });
  });

  it.each(['reboot', 'off', 'on'] as const)(
    'is what its parameters for %s say: pcmk_…_action, pcmk_…_timeout, pcmk_…_retries',
    (action) => {
      const parameters = { [`pcmk_${action}_action`]: 'other', [`pcmk_${action}_timeout`]: '7s', [`pcmk_${action}_retries`]: '5' };
      const own = withLostNode(fencingCluster(device('g', parameters)));
      expect(toFenceAction(own, { ...request, action }, { epoch: 'c' })).toMatchObject({ timeoutMs: 7_000 });
      expect(agentParameters(deviceWith(parameters), 'n3', action)).toMatchObject({ action: 'other' });
      expect(maxTries(deviceWith(parameters), action)).toBe(5);
      for (const another of ['reboot', 'off', 'on'] as const) {
        if (another === action) continue;
        expect(toFenceAction(own, { ...request, action: another }, { epoch: 'c' })).toMatchObject({ timeoutMs: 60_000 });
        expect(agentParameters(deviceWith(parameters), 'n3', another)).toMatchObject({ action: another });
        expect(maxTries(deviceWith(parameters), another)).toBe(2);
      }
    },
  );

  it('adds up the delays, and has none to switch on', () => {
    expect(toFenceAction(state, { ...request, action: 'off', delayMs: 1_000 }, { epoch: 'c' })?.startDelayMs).toBe(6_000);
    expect(toFenceAction(state, { ...request, action: 'on' }, { epoch: 'c' })).not.toHaveProperty('startDelayMs');
  });

  it('waits besides for what was drawn', () => {
    expect(toFenceAction(state, { ...request, action: 'off', delayMs: 1_000, randomDelayMs: 250 }, { epoch: 'c' })?.startDelayMs).toBe(
      6_250,
    );
  });

  it('is to make sure first that the device can fence the target, unless the configuration says so', () => {
    const check = (parameters: Readonly<Record<string, string>>): unknown =>
      toFenceAction(
        withLostNode(fencingCluster(device('g', parameters), '', option('fencing-timeout', '20s'))),
        { ...request, action: 'off' },
        { epoch: 'c' },
      )?.fence?.check;
    const list = { action: 'list', timeoutMs: 20_000, tries: 2 };
    const status = { ...list, action: 'status' };
    expect(check({})).toEqual({ how: 'auto', list, status });
    expect(check({ pcmk_host_check: 'dynamic-list', pcmk_list_action: 'list-hosts', pcmk_list_timeout: '7s' })).toEqual({
      ...{ how: 'dynamic-list', status },
      list: { action: 'list-hosts', timeoutMs: 7_000, tries: 2 },
    });
    expect(check({ pcmk_list_retries: '4' })).toMatchObject({ list: { tries: 4 } });
    expect(check({ pcmk_host_check: 'status', pcmk_status_retries: '5' })).toMatchObject({ status: { tries: 5 } });
    expect(check({ pcmk_status_action: 'is-on', pcmk_status_timeout: '9s' })).toMatchObject({
      status: { action: 'is-on', timeoutMs: 9_000 },
    });
    expect(check({ pcmk_host_list: 'n3' })).toBeUndefined();
    expect(check({ pcmk_host_check: 'none' })).toBeUndefined();
  });

  it('is nothing when the device is not configured any more', () => {
    expect(toFenceAction(state, { ...request, device: 'h', action: 'off' }, { epoch: 'c' })).toBeUndefined();
  });
});
