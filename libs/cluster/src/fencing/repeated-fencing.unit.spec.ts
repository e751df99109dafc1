import { describe, expect, it } from 'vitest';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { append, EPOCH, execute, planned, threeNodes } from '../testing/stream.js';
import { repeatedFencing } from './repeated-fencing.js';

/** n2 is lost, fenced, and joins again; each time some seconds pass. */
function flapped(state: ClusterState, times: number, terminate = false): ClusterState {
  if (times === 0) return state;
  const asked = terminate
    ? execute(state, { type: 'set-node-attribute', node: 'n2', name: 'terminate', value: 'true', lifetime: 'reboot' })
    : state;
  const lost = planned(
    execute(asked, { type: 'lose-lease', node: 'n2', incarnation: memberOf(asked, 'n2')?.incarnation ?? 0, expiredAt: 'x' }),
  );
  const target = { fencingId: `f${String(lost.version)}`, target: 'n2', action: 'off', device: 'd', executor: 'n1' } as const;
  const request = { ...target, attempt: 1, transition: lost.lastTransitionNumber, graphActionId: 1 };
  const result = { ...target, outcome: 'succeeded' } as const;
  const fenced = append(execute(lost, { type: 'request-fencing', request }), { type: 'FencingCompleted', data: result });
  const back = execute(fenced, {
    type: 'complete-transition',
    result: { number: lost.lastTransitionNumber, outcome: 'complete', completed: 1, skipped: 0, failed: 0 },
  });
  return flapped(execute(back, { type: 'join-node', node: 'n2', agentVersion: '1', leaseMs: 5000 }), times - 1, terminate);
}

const named = (state: ClusterState, laterMs = 0) => repeatedFencing(state, EPOCH + state.version * 1000 + laterMs);

describe('fencing of one node again and again', () => {
  it('is told from the third time on within ten minutes, with how often', () => {
    expect(named(flapped(threeNodes(), 2))).toEqual([]);
    expect(named(flapped(threeNodes(), 3))).toEqual([{ node: 'n2', count: 3 }]);
    const often = flapped(threeNodes(), 6);
    expect(named(often)).toEqual([{ node: 'n2', count: 6 }]);
    expect(named(often, 600_000)).toEqual([]);
  });

  it('remembers what lies within ten minutes', () => {
    const often = flapped(threeNodes(), 120);
    expect(often.fencings?.['n2']?.length).toBeLessThan(120);
    expect(named(often)[0]?.count).toBe(often.fencings?.['n2']?.length);
  });

  it('does not count what a person asked for', () => {
    expect(named(flapped(threeNodes(), 4, true))).toEqual([]);
  });
});
