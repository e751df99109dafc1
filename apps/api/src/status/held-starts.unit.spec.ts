import { fold, initialState, type ClusterEvent, type ClusterState } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { withHeldStarts, type ShownResource } from './held-starts.js';

const dummy = (id: string): string => `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"/>`;

function stateAfter(options: string, ...events: readonly ClusterEvent[]): ClusterState {
  const resources = `${dummy('db')}${dummy('ip')}<clone id="c">${dummy('app')}</clone>`;
  const cib = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config><cluster_property_set id="o">${options}</cluster_property_set></crm_config><nodes/><resources>${resources}</resources><constraints/></configuration><status/></cib>`;
  const created: ClusterEvent = { type: 'ClusterCreated', data: { name: 'c', cib } };
  return fold(
    initialState(),
    [created, ...events].map((event, index) => ({
      version: index + 1,
      occurredAt: '2026-01-01T00:00:00.000Z',
      actor: 'test',
      correlationId: 'c',
      event,
    })),
  );
}

const joined: ClusterEvent = {
  type: 'NodeJoined',
  data: { node: 'n1', nodeId: 'n1', incarnation: 1, leaseMs: 5000, agentVersion: '1', onLeaseLoss: 'keep' },
};
const left = stateAfter('', joined, { type: 'NodeLeft', data: { node: 'n1', incarnation: 1, active: ['db'] } });

const resource = (id: string, given: Partial<ShownResource> = {}): ShownResource => ({
  id,
  kind: 'primitive',
  managed: true,
  failed: false,
  blocked: false,
  removed: false,
  role: 'Stopped',
  nextRole: 'Started',
  activeOn: [],
  assignedTo: 'n2',
  children: [],
  ...given,
});
const heldIn = (resources: readonly ShownResource[], state: ClusterState): readonly (readonly [string, string | undefined])[] =>
  withHeldStarts(resources, state, 0).resources.flatMap(({ id, held, children }) => [
    [id, held] as const,
    ...children.map((child) => [child.id, child.held] as const),
  ]);

describe('a start that waits for a node', () => {
  it('is marked where what it left running is to be started elsewhere, and the reason is given', () => {
    expect(heldIn([resource('db'), resource('ip')], left)).toEqual([
      ['db', 'it may still run on n1'],
      ['ip', undefined],
    ]);
    expect(withHeldStarts([resource('db')], left, 0).reason).toBe(
      'db is not started elsewhere, for it ran on n1, unmanaged or just migrated there, when that left or was lost: start the agent there, or stop it and confirm that the node is down',
    );
  });

  it('is marked where it may run on a remote node whose connection is not up', () => {
    const of = { node: 'far', nodeId: 'far', incarnation: 1, leaseMs: 5000, agentVersion: '1', onLeaseLoss: 'keep' } as const;
    const far: ClusterEvent = { type: 'NodeJoined', data: { ...of, kind: 'remote', active: ['db'] } };
    const cut = stateAfter('', joined, far);
    expect(heldIn([resource('db'), resource('ip')], cut)).toEqual([
      ['db', 'it may still run on far'],
      ['ip', undefined],
    ]);
    expect(withHeldStarts([resource('db')], cut, 0).reason).toMatch(
      /^db is not started elsewhere, for it may run on far: .* the connection to it is not up/,
    );
    const lost: ClusterEvent = { type: 'NodeLeaseLost', data: { node: 'far', incarnation: 1, expiredAt: '2026-01-01T00:00:00.000Z' } };
    expect(withHeldStarts([resource('db')], stateAfter('', joined, far, lost), 0).reason).toMatch(/systole node confirm-down far$/);
  });

  it('is none where nothing is to be started', () => {
    const stays = resource('db', { nextRole: 'Stopped' });
    const runs = resource('db', { role: 'Started', activeOn: ['n2'] });
    for (const one of [stays, runs]) expect(withHeldStarts([one], left, 0)).toMatchObject({ resources: [one], reason: undefined });
  });

  it('holds what stands behind it in its group', () => {
    const group = resource('g', { kind: 'group', children: [resource('ip'), resource('db'), resource('web')] });
    expect(heldIn([group], left)).toEqual([
      ['g', undefined],
      ['ip', undefined],
      ['db', 'it may still run on n1'],
      ['web', 'db waits'],
    ]);
  });

  it('is every one where a node was told to keep what it runs, and there is no fencing; but no fence device', () => {
    const lost: ClusterEvent = { type: 'NodeLeaseLost', data: { node: 'n1', incarnation: 1, expiredAt: '2026-01-01T00:00:00.000Z' } };
    const state = stateAfter('<nvpair id="f" name="stonith-enabled" value="false"/>', joined, lost);
    const device = resource('ipmi', { agent: { class: 'stonith', type: 'fence_x' } });
    expect(heldIn([resource('ip'), device], state)).toEqual([
      ['ip', 'it may still run on n1'],
      ['ipmi', undefined],
    ]);
    expect(withHeldStarts([], state, 0).reason).toMatch(/^n1 was told to keep its resources running/);
  });
});

describe('a promotion that waits for what agents had noted before the event log went back', () => {
  const noted: ClusterEvent = { type: 'NodeAttributeSet', data: { node: 'n1', name: 'status', value: 'LATEST', lifetime: 'forever' } };
  const attributesOfBefore = [{ node: 'n1', name: 'status' }];
  const epoch = { id: 'e2', version: 4, since: '2026-01-01T00:00:00.000Z', reason: 'r', earlier: ['e1'], tellings: {}, attributesOfBefore };
  const restored: ClusterState = { ...stateAfter('', joined, noted), epoch };
  const promoted = resource('db', { nextRole: 'Promoted' });
  const all = [promoted, resource('ip'), resource('app', { role: 'Promoted', nextRole: 'Promoted', activeOn: ['n2'] })];

  it('is marked, and nothing else is: what is started goes on, and so does what is promoted', () => {
    expect(heldIn(all, restored)).toEqual([
      ['db', expect.stringContaining('where the newest data is') as string],
      ['ip', undefined],
      ['app', undefined],
    ]);
    expect(withHeldStarts(all, restored, 0).reason).toContain('status of n1');
    expect(withHeldStarts([resource('ip')], restored, 0).reason).toBeUndefined();
  });
});
