import { readCib, serializeXml } from '@systole/cib';
import { schedule } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { append, execute, option, threeNodes } from '../testing/stream.js';
import type { ClusterCommand } from './cluster-command.js';
import { decide } from './decide.js';

const DEVICE = '<primitive id="power" class="stonith" type="fence_x"/>';
const fenceable = threeNodes({ resources: DEVICE, options: option('stonith-enabled', 'true') });
const seenAs = (state: ClusterState, name: string) =>
  schedule(readCib(serializeXml(state.cib)), { now: 1_800_000_000 }).nodes.find((node) => node.name === name);
const refusal = (command: ClusterCommand, state: ClusterState): string => {
  const decision = decide(command, state);
  return decision.ok ? 'accepted' : `${String(decision.rejection.status)} ${decision.rejection.code}`;
};

describe('modes of a node', () => {
  it('are set and ended, with the reason in the event', () => {
    const on = { type: 'set-maintenance', node: 'n1', maintenance: true, reason: 'new disk' } as const;
    expect(decide(on, fenceable)).toMatchObject({
      events: [{ type: 'NodeAttributeSet', data: { name: 'maintenance', reason: 'new disk' } }],
    });
    const maintained = execute(fenceable, on);
    expect(seenAs(maintained, 'n1')?.maintenance).toBe(true);
    expect(decide({ type: 'set-maintenance', node: 'n1', maintenance: true }, maintained)).toEqual({ ok: true, events: [] });
    const again = decide({ ...on, reason: 'the disk is late' }, maintained);
    expect(again).toMatchObject({ events: [{ type: 'NodeAttributeSet', data: { value: 'true', reason: 'the disk is late' } }] });
    const later = append(maintained, ...(again.ok ? again.events : []));
    expect(later.recompute).toEqual(maintained.recompute);
    expect(serializeXml(later.cib)).toBe(serializeXml(maintained.cib));
    expect(decide({ ...on, maintenance: false }, fenceable)).toEqual({ ok: true, events: [] });
    expect(seenAs(execute(maintained, { ...on, maintenance: false }), 'n1')?.maintenance).toBe(false);
    expect(decide({ type: 'set-standby', node: 'n1', standby: true, reason: 'r' }, fenceable)).toMatchObject({
      events: [{ data: { name: 'standby', reason: 'r' } }],
    });
    expect(refusal({ ...on, node: 'n9' }, fenceable)).toBe('404 node-not-found');
  });
});

describe('standby until the reboot', () => {
  const on = { type: 'set-standby', node: 'n1', standby: true, lifetime: 'reboot', reason: 'kernel' } as const;
  const off = { type: 'set-standby', node: 'n1', standby: false } as const;

  it('is of a node that is there, and ends with its life', () => {
    expect(decide(on, fenceable)).toMatchObject({
      events: [{ type: 'NodeAttributeSet', data: { name: 'standby', value: 'on', lifetime: 'reboot', reason: 'kernel' } }],
    });
    const asked = execute(fenceable, on);
    expect(seenAs(asked, 'n1')?.standby).toBe(true);
    const gone = execute(
      asked,
      { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: 'x' },
      { type: 'confirm-node-down', node: 'n1' },
    );
    expect(serializeXml(gone.cib)).not.toContain('name="standby"');
    expect(refusal(on, gone)).toBe('409 node-offline');
    expect(refusal({ ...on, node: 'n9' }, fenceable)).toBe('404 node-not-found');
  });

  it('stays with an agent that is started anew on the same boot, and with no other', () => {
    const join = (bootId: string): ClusterCommand => ({ type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5_000, bootId });
    const asked = execute(fenceable, join('one'), on);
    expect(seenAs(execute(asked, join('one')), 'n1')?.standby).toBe(true);
    expect(serializeXml(execute(asked, join('one'), off).cib)).not.toContain('name="standby"');
    const lost: ClusterCommand = { type: 'lose-lease', node: 'n1', incarnation: 2, expiredAt: 'x' };
    expect(seenAs(execute(asked, lost, { type: 'confirm-node-down', node: 'n1' }, join('two')), 'n1')?.standby).toBe(false);
  });

  it('is taken back together with the one that is for ever', () => {
    const both = execute(fenceable, on, { type: 'set-standby', node: 'n1', standby: true });
    const back = execute(both, off);
    expect(seenAs(back, 'n1')?.standby).toBe(false);
    expect(serializeXml(back.cib)).not.toContain('name="standby"');
    expect(seenAs(execute(fenceable, on, off), 'n1')?.standby).toBe(false);
  });
});

describe('fencing that a person asks for', () => {
  const fence = { type: 'fence-node', node: 'n1', reason: 'it hangs' } as const;

  it('makes the scheduler plan it', () => {
    expect(seenAs(fenceable, 'n1')?.unclean).toBe(false);
    const asked = execute(fenceable, fence);
    expect(seenAs(asked, 'n1')?.unclean).toBe(true);
    expect(asked.recompute).toBeDefined();
  });

  it('is refused where nothing is to fence, or to fence with', () => {
    expect(refusal({ ...fence, node: 'n9' }, fenceable)).toBe('404 node-not-found');
    expect(refusal(fence, threeNodes({ options: option('stonith-enabled', 'false') }))).toBe('409 fencing-disabled');
    const lost = { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: 'x' } as const;
    expect(refusal(fence, execute(fenceable, lost))).toBe('accepted');
    expect(refusal(fence, execute(fenceable, lost, { type: 'confirm-node-down', node: 'n1' }))).toBe('409 node-offline');
  });

  describe('and that the scheduler would not plan, as the node counts as gone in order, is refused with the way out', () => {
    const terminated = (state: ClusterState): ClusterState =>
      append(state, { type: 'NodeAttributeSet', data: { node: 'n1', name: 'terminate', value: 'true', lifetime: 'reboot' } });
    const maintained = execute(fenceable, { type: 'set-maintenance', node: 'n1', maintenance: true });
    const left = append(maintained, { type: 'NodeLeft', data: { node: 'n1', incarnation: 1, active: ['db'] } });
    const goneBefore = execute(
      fenceable,
      { type: 'leave-node', node: 'n1', incarnation: 1 },
      { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'a person' },
    );

    it.each([
      ['left, and left something running', left, 'db may run on there unmanaged'],
      ['was off by what is left of the log', goneBefore, 'had left or was down'],
    ])('%s', (_, state, why) => {
      expect(seenAs(terminated(state), 'n1')?.unclean).toBe(false);
      const decision = decide(fence, state);
      expect(decision).toMatchObject({ ok: false, rejection: { status: 409, code: 'node-offline' } });
      const message = decision.ok ? '' : decision.rejection.message;
      expect(message).toContain(why);
      expect(message).toContain('systole node confirm-down n1');
      expect(execute(state, { type: 'confirm-node-down', node: 'n1' }).nodes['n1']).toMatchObject({ membership: 'down' });
    });

    it('but is accepted of any other node that may run something, and planned', () => {
      const lost = execute(maintained, { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: 'x' });
      expect(seenAs(execute(lost, fence), 'n1')?.unclean).toBe(true);
      const unheard = execute(fenceable, { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'a person' });
      expect(seenAs(execute(unheard, fence), 'n1')?.unclean).toBe(true);
    });

    it('nor does it keep a node from being fenced that is lost before that was done, however long the attribute stays', () => {
      const lost = { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: 'x' } as const;
      expect(seenAs(execute(fenceable, fence, lost), 'n1')?.unclean).toBe(true);
      const forEver = { type: 'set-node-attribute', node: 'n1', name: 'terminate', value: 'true', lifetime: 'forever' } as const;
      expect(seenAs(execute(fenceable, forEver, lost), 'n1')?.unclean).toBe(true);
    });
  });
});
