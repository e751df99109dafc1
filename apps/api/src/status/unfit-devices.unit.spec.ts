import { fold, initialState, type ClusterEvent, type ClusterState } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { unfitDevices } from './unfit-devices.js';

const STOPPED = '<meta_attributes id="ID-m"><nvpair id="ID-t" name="target-role" value="Stopped"/></meta_attributes>';
const device = (id: string, hosts: string, more = ''): string =>
  `<primitive id="${id}" class="stonith" type="fence_x"><instance_attributes id="${id}-i"><nvpair id="${id}-h" name="pcmk_host_list" value="${hosts}"/></instance_attributes>${more.replaceAll('ID', id)}</primitive>`;

function stateWith(resources: string, more = '', failures: readonly (readonly [string, string])[] = [], constraints = ''): ClusterState {
  const nodes = ['n1', 'n2', 'n3'];
  const cib =
    '<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
    `<nodes>${nodes.map((name, index) => `<node id="${String(index + 1)}" uname="${name}"/>`).join('')}</nodes>` +
    `<resources>${resources}</resources><constraints>${constraints}</constraints>${more}</configuration><status/></cib>`;
  const events: readonly ClusterEvent[] = [
    { type: 'ClusterCreated', data: { name: 'c', cib } },
    ...nodes.map((node, index): ClusterEvent => ({
      type: 'NodeJoined',
      data: { node, nodeId: String(index + 1), incarnation: 1, leaseMs: 5000, agentVersion: '1' },
    })),
    ...failures.map(([resource, node]): ClusterEvent => ({
      type: 'NodeAttributeSet',
      data: { node, name: `fail-count-${resource}#start_0`, value: 'INFINITY', lifetime: 'reboot' },
    })),
  ];
  return fold(
    initialState(),
    events.map((event, index) => ({
      version: index + 1,
      occurredAt: '2026-01-01T00:00:00.000Z',
      actor: 'test',
      correlationId: 'c',
      event,
    })),
  );
}
const texts = (...given: Parameters<typeof stateWith>): readonly string[] => unfitDevices(stateWith(...given), 0).map(({ text }) => text);

describe('fencing that can not be expected to work', () => {
  const ALL = device('ipmi', 'n1 n2 n3');

  it('is that of nodes whose only device failed to start wherever it could run', () => {
    expect(texts(ALL)).toEqual([]);
    const two = [
      ['ipmi', 'n2'],
      ['ipmi', 'n3'],
    ] as const;
    expect(texts(ALL, '', two)).toEqual([
      "Fencing of n1 can't be expected to work: ipmi failed to start on n2, n3: repair and clean up the device.",
    ]);
    expect(texts(ALL, '', [...two, ['ipmi', 'n1']])).toHaveLength(3);
    expect(texts(ALL + device('pdu', 'n1'), '', two)).toEqual([]);
  });

  it('is that of nodes whose only device is stopped, where there are others for other nodes', () => {
    const stopped = device('pdu', 'n1 n2', STOPPED);
    expect(texts(stopped + device('ipmi', 'n3'))).toEqual([
      "Fencing of n1, n2 can't be expected to work: pdu is stopped (target-role): start it.",
    ]);
    expect(texts(stopped)).toEqual([]);
    expect(texts(stopped + ALL)).toEqual([]);
  });

  it('goes by levels: one is enough, and needs all its devices', () => {
    const both = ALL + device('pdu', 'n1');
    const level = (index: number, devices: string): string =>
      `<fencing-level id="l${String(index)}" target="n1" index="${String(index)}" devices="${devices}"/>`;
    const failed = [
      ['pdu', 'n2'],
      ['pdu', 'n3'],
    ] as const;
    expect(texts(both, `<fencing-topology>${level(1, 'ipmi,pdu')}</fencing-topology>`, failed)).toEqual([
      "Fencing of n1 can't be expected to work: pdu failed to start on n2, n3: repair and clean up the device.",
    ]);
    expect(texts(both, `<fencing-topology>${level(1, 'ipmi,pdu')}${level(2, 'ipmi')}</fencing-topology>`, failed)).toEqual([]);
  });

  it('is that of nodes whose only device location constraints keep from all others', () => {
    const ban = (device: string, node: string): string =>
      `<rsc_location id="ban-${device}-${node}" rsc="${device}" node="${node}" score="-INFINITY"/>`;
    const [n1, n2, n3] = ['n1', 'n2', 'n3'].map((node) => ban('ipmi', node)) as [string, string, string];
    expect(texts(ALL, '', [], n1)).toEqual([]);
    expect(texts(ALL, '', [], n1 + n2 + n3)).toEqual([
      "Fencing of n1, n2, n3 can't be expected to work: location constraints keep ipmi from every node: allow it on one of them.",
    ]);
    expect(texts(ALL, '', [], n1 + n2)).toEqual([
      "Fencing of n3 can't be expected to work: location constraints keep ipmi from every node but n3 itself: allow it on another one.",
    ]);
    expect(texts(ALL + device('pdu', 'n3'), '', [], n1 + n2)).toEqual([]);
    expect(texts(ALL, '', [['ipmi', 'n2']], n3)).toEqual([
      "Fencing of n1 can't be expected to work: ipmi failed to start on n2: repair and clean up the device.",
    ]);
  });

  it('is that of nodes that no device covers', () => {
    expect(texts(device('ipmi', 'n1 n2'))).toEqual([
      expect.stringMatching(/^Fencing of n3 can't be expected to work: no fence device covers it/),
    ]);
    const level = '<fencing-topology><fencing-level id="l" target="n1" index="1" devices="ipmi gone"/></fencing-topology>';
    expect(texts(ALL, level)).toEqual([expect.stringMatching(/^Fencing of n1 can't be expected to work: no fence device covers it/)]);
  });
});
