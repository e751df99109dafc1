import { initialState, type ClusterCommand, type NodeTrouble } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { after } from '../testing/after-command.js';
import { ClockSkews } from './clock-skews.js';

const N1 = { clusterId: 'c', node: 'n1', tokenId: 't', actor: 'agent:n1' };
const RIGHT = 1_800_000_000_000;

function polling() {
  let now = 0;
  const create: ClusterCommand = { type: 'create-cluster', name: 'c' };
  let state = after(after(initialState(), create), { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5_000 });
  const skews = new ClockSkews({ monotonic: () => now });
  /** A second after the one before. */
  const poll = (aheadS: number | undefined): readonly NodeTrouble[] => {
    now += 1_000;
    const shown = aheadS === undefined ? undefined : RIGHT + now + aheadS * 1_000;
    return skews.heard(N1, state, shown, RIGHT + now);
  };
  return {
    poll,
    polls: (count: number, aheadS: number) => Array.from({ length: count }, () => poll(aheadS)).at(-1) ?? [],
    waiting: (aheadS: number) => skews.heard(N1, state, RIGHT + now + aheadS * 1_000, RIGHT + now),
    told: (troubles: readonly NodeTrouble[]) => {
      state = after(state, { type: 'note-troubles', node: 'n1', incarnation: 1, troubles });
    },
  };
}

describe("a node's clock", () => {
  it.each([
    ['ahead of', 3_600],
    ['behind', -3_600],
  ])('that is an hour %s the right time is told when that has lasted, and no more when it is set', (where, aheadS) => {
    const { poll, polls, told } = polling();
    expect(polls(20, aheadS)).toEqual([]);
    const troubles = poll(aheadS);
    expect(troubles).toEqual([{ code: 'clock-skew', detail: expect.stringContaining(`3600 s ${where} that of the database`) as string }]);
    told(troubles);
    expect(poll(aheadS)).toHaveLength(1);
    expect(poll(0)).toEqual([]);
  });

  it('is told on by a server that has just come, and only over when it is well within the limit', () => {
    const { poll, told } = polling();
    told([{ code: 'clock-skew', detail: 'as another server saw it' }]);
    expect(poll(-3_600)).toHaveLength(1);
    expect(poll(-9)).toHaveLength(1);
    expect(poll(-4)).toEqual([]);
  });

  it('is not told of for polls that waited, for a few seconds, nor for an agent that does not show it', () => {
    const { poll, polls, waiting } = polling();
    for (let count = 0; count < 100; count++) expect(waiting(-60)).toEqual([]);
    polls(10, 0);
    expect(polls(19, -60)).toEqual([]);
    expect(poll(0)).toEqual([]);
    expect(polls(19, -60)).toEqual([]);
    expect(polls(60, 9)).toEqual([]);
    expect(poll(undefined)).toEqual([]);
  });
});
