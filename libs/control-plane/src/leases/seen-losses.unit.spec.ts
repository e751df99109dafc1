import type { ClusterState } from '@systole/cluster';
import { beforeEach, describe, expect, it } from 'vitest';
import { SeenLosses } from './seen-losses.js';

const LEASE_MS = 10_000;

/** @param losses versions of the newest losses, by node; undefined: never lost */
function stateOf(version: number, losses: Readonly<Record<string, number | undefined>>): Pick<ClusterState, 'nodes' | 'version'> {
  const members = Object.entries(losses).map(([name, lost]) => {
    const loss = { at: '2026-01-01T00:00:00.000Z', version: lost ?? 0 };
    const member = { name, incarnation: 1, membership: 'joined', leaseMs: LEASE_MS, since: loss.at };
    return [name, lost === undefined ? member : { ...member, lastLoss: { ...loss, first: loss } }];
  });
  return { version, nodes: Object.fromEntries(members) as ClusterState['nodes'] };
}

describe('what a worker saw of losses', () => {
  let now: number;
  let losses: SeenLosses;
  beforeEach(() => {
    now = 1_000_000;
    losses = new SeenLosses(() => now);
  });

  it('is nothing where no other node was ever lost', () => {
    expect(losses.beside('c', stateOf(5, { n1: undefined, n2: 4 }), 'n2')).toBeUndefined();
  });

  it('is how far apart they are, of those that it declared, whatever date they bear', () => {
    losses.declared('c', 'n3', 7);
    const state = stateOf(7, { n2: undefined, n3: 7 });
    expect(losses.beside('c', state, 'n2')).toEqual({ version: 7, near: ['n3'] });
    now += LEASE_MS + 1;
    expect(losses.beside('c', state, 'n2')).toEqual({ version: 7, near: [] });
  });

  it('is the same of those that came between two of its looks, if that was soon', () => {
    losses.see('c', stateOf(6, { n2: undefined, n3: undefined }));
    now += 100;
    losses.see('c', stateOf(7, { n2: undefined, n3: 7 }));
    expect(losses.beside('c', stateOf(7, { n2: undefined, n3: 7 }), 'n2')).toEqual({ version: 7, near: ['n3'] });
    now += LEASE_MS + 1;
    losses.see('c', stateOf(9, { n2: undefined, n3: 9 }));
    expect(losses.beside('c', stateOf(9, { n2: undefined, n3: 9 }), 'n2')).toEqual({ version: 9, near: [], unseen: ['n3'] });
  });

  it('is nothing of one that was there before it looked, until that is long ago for certain', () => {
    const state = stateOf(7, { n2: undefined, n3: 7 });
    expect(losses.beside('c', state, 'n2')).toEqual({ version: 7, near: [], unseen: ['n3'] });
    losses.see('c', state);
    expect(losses.beside('c', state, 'n2')).toEqual({ version: 7, near: [], unseen: ['n3'] });
    now += LEASE_MS + 1;
    expect(losses.beside('c', state, 'n2')).toEqual({ version: 7, near: [] });
    losses.forget('c');
    expect(losses.beside('c', state, 'n2')).toEqual({ version: 7, near: [], unseen: ['n3'] });
  });
});
