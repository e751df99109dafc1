import { fold, initialState, type ClusterEvent } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { skewedClocks } from './node-clocks.js';
import { safetyNotes } from './safety-notes.js';
import { troublesOf } from './troubles.js';

const joined = (node: string): ClusterEvent => ({
  type: 'NodeJoined',
  data: { node, nodeId: node, incarnation: 1, agentVersion: '1', leaseMs: 5_000 },
});
const told = (node: string, ...codes: readonly string[]): ClusterEvent => ({
  type: 'NodeTroublesTold',
  data: { node, incarnation: 1, troubles: codes.map((code) => ({ code, detail: `${code} of ${node}` })) },
});
const stateAfter = (...more: readonly ClusterEvent[]) =>
  fold(
    initialState(),
    [{ type: 'ClusterCreated', data: { name: 'c', cib: '' } } as const, joined('n1'), joined('n2'), ...more].map((event, index) => ({
      ...{ version: index + 1, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'test', correlationId: 'c' },
      event,
    })),
  );
const clockTroubles = (...more: readonly ClusterEvent[]) =>
  troublesOf({ nodes: [], resources: [], failures: [], skewedClocks: skewedClocks(stateAfter(...more)) });

describe('a node whose clock is wrong', () => {
  it('is a trouble of its own, and no matter of safety', () => {
    const state = stateAfter(told('n1', 'clock-skew', 'high-load'));
    expect(clockTroubles(told('n1', 'clock-skew', 'high-load'))).toEqual([
      { code: 'clock-skew', level: 'warn', text: expect.stringContaining('n1: clock-skew of n1') as string },
    ]);
    const notes = safetyNotes(state, [], () => 0, 0).map(({ code }) => code);
    expect(notes.filter((code) => code.startsWith('agent-'))).toEqual(['agent-high-load']);
  });

  it('is told together with others, until its clock is set or the node is gone', () => {
    const both = [told('n1', 'clock-skew'), told('n2', 'clock-skew')];
    expect(clockTroubles(...both)).toHaveLength(1);
    expect(clockTroubles(...both)[0]?.text).toMatch(/n1: clock-skew of n1; n2: clock-skew of n2/);
    expect(clockTroubles(...both, told('n1'))[0]?.text).not.toContain('n1');
    expect(clockTroubles(told('n1', 'clock-skew'), told('n1'))).toEqual([]);
    const left: ClusterEvent = { type: 'NodeLeft', data: { node: 'n1', incarnation: 1, active: [] } };
    expect(clockTroubles(told('n1', 'clock-skew'), left)).toEqual([]);
  });
});
