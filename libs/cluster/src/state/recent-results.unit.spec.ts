import { describe, expect, it } from 'vitest';
import { threeNodes } from '../testing/stream.js';
import type { ClusterState } from './cluster-state.js';
import { isRecentResult, withRecentResult } from './recent-results.js';

const ids = Array.from({ length: 1_000 }, (_, number) => `result-${String(number)}`);
const remembered = (state: ClusterState, node: string): readonly string[] => ids.filter((id) => isRecentResult(state, node, id));

describe('the results of a node that are remembered', () => {
  it('are the newest 256 at least, and no more than a few dozen beyond', () => {
    let state = threeNodes();
    for (const [number, id] of ids.entries()) {
      state = withRecentResult(state, 'n1', id);
      if (number % 77 !== 0) continue;
      const known = remembered(state, 'n1');
      expect(known).toEqual(ids.slice(number + 1 - known.length, number + 1));
      expect(known.length).toBeGreaterThanOrEqual(Math.min(number + 1, 256));
      expect(known.length).toBeLessThanOrEqual(288);
    }
  });

  it('are its own', () => {
    const state = withRecentResult(withRecentResult(threeNodes(), 'n1', 'result-1'), 'n2', 'result-2');
    expect(remembered(state, 'n1')).toEqual(['result-1']);
    expect(remembered(state, 'n2')).toEqual(['result-2']);
    expect(withRecentResult(state, 'nobody', 'result-3')).toBe(state);
  });
});
