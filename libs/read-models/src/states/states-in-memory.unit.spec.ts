import { initialState, type ClusterState } from '@systole/cluster';
import { jsonWeight } from '@systole/event-store';
import { describe, expect, it } from 'vitest';
import { StatesInMemory, type Kept } from './states-in-memory.js';

/** A state of about that many bytes in memory. */
function stateOf(kilobytes: number, version = 1): ClusterState {
  const problems = Array.from({ length: kilobytes * 10 }, (_, at) => ({ version: at, text: `problem ${String(at)}` }));
  return { ...initialState(), version, problems };
}

interface Entry extends Kept {
  state: ClusterState;
}

const kept = (kilobytes: number): Entry => ({ state: stateOf(kilobytes), weight: jsonWeight(stateOf(kilobytes), Infinity) });

function memory(kilobytes: number, monotonic = (): number => 0): { readonly states: StatesInMemory<Entry>; readonly left: string[] } {
  const left: string[] = [];
  return { states: new StatesInMemory<Entry>(kilobytes * 1024, (clusterId) => left.push(clusterId), monotonic), left };
}

describe('states in memory', () => {
  it('leave when there is no room for all, the least recently used first', () => {
    const { states, left } = memory(100);
    for (const id of ['a', 'b', 'c']) states.use(id, () => kept(36));
    states.use('a', () => kept(36));
    states.use('d', () => kept(70));
    expect(left).toEqual(['b', 'c']);
    expect(['a', 'b', 'c', 'd'].map((id) => states.get(id) !== undefined)).toEqual([true, false, false, true]);
    expect(states.bytes).toBeLessThanOrEqual(100 * 1024);
  });

  it('leave when another one grows; the one in use stays, however large it is', () => {
    const { states, left } = memory(100);
    states.use('a', () => kept(30));
    const large = states.use('b', () => kept(30));
    Object.assign(large, kept(3_000));
    states.settle('b', large);
    expect(left).toEqual(['a']);
    expect(states.get('b')).toBe(large);
  });

  it('are weighed before one that seemed to be larger has to leave', () => {
    const { states, left } = memory(100);
    for (const version of [1, 2]) {
      for (const id of ['a', 'b', 'c']) {
        const entry = states.use(id, () => kept(10));
        // Hundreds of events that took one another's places.
        entry.state = stateOf(10, version);
        entry.weight += 3_000;
        states.settle(id, entry);
      }
    }
    expect(left).toEqual([]);
    expect(states.bytes).toBeLessThan(100 * 1024);
  });

  it('take no room any more once they were forgotten', () => {
    const { states, left } = memory(100);
    for (let round = 0; round < 100; round++) {
      states.use('a', () => kept(60));
      states.delete('a');
    }
    const other = kept(60);
    states.settle('a', other);
    expect(states.bytes).toBe(0);
    states.use('b', () => kept(60));
    states.clear();
    expect(states.bytes).toBe(0);
    expect(left).toEqual([]);
  });

  it('leave when nobody uses them, unless they take little', () => {
    let now = 0;
    const { states, left } = memory(1_000, () => now);
    for (const id of ['a', 'b', 'c', 'd']) states.use(id, () => kept(36));
    now = 59_999;
    states.use('b', () => kept(36));
    states.leaveUnused(60_000, 80 * 1024);
    expect(left).toEqual([]);
    now = 60_000;
    states.leaveUnused(60_000, 80 * 1024);
    expect(left).toEqual(['a', 'c']);
    states.leaveUnused(60_000, 0);
    expect(left).toEqual(['a', 'c', 'd']);
    now = 119_999;
    states.leaveUnused(60_000, 0);
    expect(left).toEqual(['a', 'c', 'd', 'b']);
    expect(states.bytes).toBeCloseTo(0);
  });

  it('of thousands of small idle clusters all stay within what is there by default', () => {
    const { states, left } = memory(384 * 1024);
    // Of 3 nodes with 10 resources: 53 KB as measured, and what 500 events seem to add.
    for (let id = 0; id < 2_000; id++) states.use(String(id), () => ({ state: initialState(), weight: 2_104 + 500 * 10 }));
    expect(left).toEqual([]);
  });
});
