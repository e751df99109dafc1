import { readCib, serializeXml } from '@systole/cib';
import { schedule } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, option, threeNodes } from '../testing/stream.js';
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
    expect(decide(on, maintained)).toEqual({ ok: true, events: [] });
    expect(seenAs(execute(maintained, { ...on, maintenance: false }), 'n1')?.maintenance).toBe(false);
    expect(decide({ type: 'set-standby', node: 'n1', standby: true, reason: 'r' }, fenceable)).toMatchObject({
      events: [{ data: { name: 'standby', reason: 'r' } }],
    });
    expect(refusal({ ...on, node: 'n9' }, fenceable)).toBe('404 node-not-found');
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
});
