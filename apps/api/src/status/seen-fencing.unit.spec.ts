import type { ClusterEvent } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { notSeenFencing } from './seen-fencing.js';

const fenced = (target: string): ClusterEvent => ({
  type: 'FencingCompleted',
  data: { fencingId: 'f', target, action: 'off', device: 'd', executor: 'n9', outcome: 'succeeded' },
});
const seen = (node?: string): ClusterEvent => ({ type: 'FencingHistoryCleared', data: node === undefined ? {} : { node } });
const shown = (...newestFirst: readonly ClusterEvent[]): readonly string[] =>
  notSeenFencing(newestFirst).map((event) => (event.type === 'FencingCompleted' ? event.data.target : event.type));

describe('the fencing that was not seen yet', () => {
  it('is all that came after somebody has seen all', () => {
    expect(shown(fenced('n3'), seen(), fenced('n2'), fenced('n3'))).toEqual(['n3']);
  });

  it('is of a node what came after somebody has seen that of it, and of others all', () => {
    expect(shown(fenced('n3'), seen('n3'), fenced('n2'), fenced('n3'), fenced('n1'))).toEqual(['n3', 'n2', 'n1']);
  });

  it('is everything where nobody has seen anything', () => {
    expect(shown(fenced('n3'), fenced('n2'))).toEqual(['n3', 'n2']);
  });
});
