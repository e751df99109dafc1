import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, option, threeNodes } from '../testing/stream.js';
import { absenceHold } from './absence-hold.js';

const NOW = Date.UTC(2026, 0, 1);
const LOST_FOR_MS = 60_000;
const withLoss = (options = ''): ClusterState =>
  execute(threeNodes({ options }), { type: 'lose-lease', node: 'n3', incarnation: 1, expiredAt: 'x' });
const lost = withLoss();
const holdAt = (state: ClusterState, servedForMs: number | undefined) => absenceHold(state, servedForMs, () => LOST_FOR_MS, NOW);

describe('a node that was lost before the servers were away', () => {
  it('gets dc-deadtime from their return', () => {
    expect(holdAt(lost, 1_000)).toEqual({ nodes: ['n3'], forMs: 19_000, reason: 'the servers were away: waiting for n3 to come back' });
    expect(holdAt(lost, 20_000)).toBeUndefined();
    expect(holdAt(withLoss(option('dc-deadtime', '30s')), 20_000)?.forMs).toBe(10_000);
  });

  it('is waited for as long as they are away', () => {
    expect(holdAt(lost, undefined)).toMatchObject({ nodes: ['n3'], forMs: Number.POSITIVE_INFINITY });
    expect(holdAt(threeNodes(), undefined)).toBeUndefined();
  });

  it('is not waited for when it was lost since, nor when somebody asked for its fencing, nor without fencing', () => {
    expect(absenceHold(lost, 1_000, () => 999, NOW)).toBeUndefined();
    const asked = execute(lost, { type: 'set-node-attribute', node: 'n3', name: 'terminate', value: 'true', lifetime: 'reboot' });
    expect(holdAt(asked, 1_000)).toBeUndefined();
    expect(holdAt(withLoss(option('fencing-enabled', 'false')), 1_000)).toBeUndefined();
  });
});
