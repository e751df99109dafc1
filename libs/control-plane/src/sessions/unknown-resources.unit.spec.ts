import { initialState, isTroubledAs, type ClusterCommand, type NodeTrouble } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { after } from '../testing/after-command.js';
import { UnknownResources } from './unknown-resources.js';

const N1 = { clusterId: 'c', node: 'n1', tokenId: 't', actor: 'agent:n1' };

const cib = (resources: string, status = ''): string =>
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  `<nodes><node id="1" uname="n1"/></nodes><resources>${resources}</resources><constraints/></configuration><status>${status}</status></cib>`;
const primitive = (id: string): string => `<primitive id="${id}" class="ocf" provider="pacemaker" type="Dummy"/>`;

function polling(resources = primitive('db')) {
  let now = 0;
  const join: ClusterCommand = { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5_000 };
  let state = after(after(initialState(), { type: 'create-cluster', name: 'c', cib: cib(resources) }), join);
  const servers = [new UnknownResources({ monotonic: () => now }), new UnknownResources({ monotonic: () => now })];
  const poll = (active: readonly string[] | undefined, server = 0): readonly NodeTrouble[] => {
    now += 1_000;
    return servers[server]?.heard(N1, state, active) ?? [];
  };
  return {
    poll,
    polls: (count: number, active: readonly string[]) => Array.from({ length: count }, () => poll(active)).at(-1) ?? [],
    told: (troubles: readonly NodeTrouble[]) => {
      state = after(state, { type: 'note-troubles', node: 'n1', incarnation: 1, troubles });
    },
    isRecorded: (troubles: readonly NodeTrouble[]) => isTroubledAs(state, 'n1', troubles),
    replace: (next: string) => {
      state = after(state, { type: 'replace-configuration', cib: cib(next) });
    },
  };
}

describe('what runs on a node by its agent’s word', () => {
  it('is told by name when the cluster has known nothing of it for a while, and no more when it is made again', () => {
    const { polls, told, replace } = polling();
    expect(polls(20, ['db', 'x2'])).toEqual([]);
    const troubles = polls(5, ['db', 'x2']);
    expect(troubles).toEqual([{ code: 'unknown-resources', detail: expect.stringMatching(/^x2 may run there/) as string }]);
    told(troubles);
    replace(primitive('db') + primitive('x2'));
    expect(polls(6, ['db', 'x2'])).toEqual([]);
  });

  it('is told again when it is less: who makes one after the other again sees what is left', () => {
    const { polls, told, replace, isRecorded } = polling();
    const first = polls(25, ['x1', 'x2']);
    told(first);
    expect(isRecorded(first)).toBe(true);
    replace(primitive('x1'));
    const second = polls(6, ['x1', 'x2']);
    expect(second).toEqual([{ code: 'unknown-resources', detail: expect.stringMatching(/^x2 may run there/) as string }]);
    expect(isRecorded(second)).toBe(false);
  });

  it('is told on by another server at once', () => {
    const { poll, polls, told } = polling();
    told(polls(25, ['x2']));
    expect(poll(['x2'], 1)).toHaveLength(1);
  });

  it.each([
    ['a primitive', primitive('db'), 'db'],
    ['an instance of a clone', `<clone id="k">${primitive('db')}</clone>`, 'db:0'],
    ['a replica of a bundle', '<bundle id="b"><podman image="i" replicas="1"/></bundle>', 'b-podman-0'],
    [
      'the address of a replica',
      '<bundle id="b"><podman image="i" replicas="1"/><network ip-range-start="10.0.0.5"/></bundle>',
      'b-ip-10.0.0.5',
    ],
  ])('is nothing to tell of when it is %s that is configured', (_, resources, id) => {
    expect(polling(resources).polls(30, [id])).toEqual([]);
  });

  it('is nothing to tell of when it goes within a moment, or nothing is named', () => {
    const { poll, polls } = polling();
    expect(polls(15, ['x2'])).toEqual([]);
    expect(polls(15, [])).toEqual([]);
    expect(poll(undefined)).toEqual([]);
  });

  it('is counted when it is much', () => {
    const ids = Array.from({ length: 200 }, (_, index) => `x${index}`);
    expect(polling().polls(30, ids)).toEqual([
      { code: 'unknown-resources', detail: expect.stringContaining('x9 and 190 others may') as string },
    ]);
  });
});
