import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { EPOCH, execute, option, planned, threeNodes } from '../testing/stream.js';
import { planningHold } from './planning-hold.js';

const DELAYED = option('transition-delay', '8s');

/** Ms that are left of the hold, when so much time went by since each moment that is measured. */
function heldFor(state: ClusterState, passedMs: number, seen: (version: number | undefined) => void = () => undefined): number | undefined {
  return planningHold(
    state,
    (_cause, _moment, version) => {
      seen(version);
      return passedMs;
    },
    EPOCH,
  )?.forMs;
}

describe('transition-delay', () => {
  const cluster = (options: string): ClusterState => execute(threeNodes({ options }), { type: 'set-standby', node: 'n1', standby: true });

  it('holds the plan so long after the event that asked for it; without it nothing is held', () => {
    expect(heldFor(cluster(''), 0)).toBeUndefined();
    expect(heldFor(cluster(DELAYED), 0)).toBe(8_000);
    expect(heldFor(cluster(DELAYED), 7_999)).toBe(1);
    expect(heldFor(cluster(DELAYED), 8_000)).toBeUndefined();
  });

  it('is counted anew from each event that asks for a plan, and not from others', () => {
    const versionOf = (state: ClusterState): number | undefined => {
      let newest: number | undefined;
      heldFor(state, 0, (version) => (newest = version));
      return newest;
    };
    const first = cluster(DELAYED);
    expect(versionOf(first)).toBe(first.recompute?.version);
    const second = execute(first, { type: 'set-standby', node: 'n2', standby: true });
    expect(versionOf(second)).toBe(second.version);
    expect(second.recompute?.at).not.toBe(first.recompute?.at);
    const unread = execute(second, { type: 'set-node-attribute', node: 'n2', name: 'nobody-reads-it', value: '1', lifetime: 'reboot' });
    expect(unread.version).toBeGreaterThan(second.version);
    expect(versionOf(unread)).toBe(second.version);
  });

  it('holds nothing where nothing asks for a plan', () => {
    expect(heldFor(planned(cluster(DELAYED)), 0)).toBeUndefined();
  });
});
