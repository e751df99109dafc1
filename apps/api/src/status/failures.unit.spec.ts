import { fold, initialState, type ClusterEvent, type ClusterState } from '@systole/cluster';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failCountsIn, failuresIn } from './failures.js';

function stateAfter(...events: readonly ClusterEvent[]): ClusterState {
  const begun: readonly ClusterEvent[] = [
    { type: 'ClusterCreated', data: { name: 'c', cib: '' } },
    { type: 'NodeJoined', data: { node: 'n1', nodeId: 'n1', incarnation: 1, leaseMs: 5000, agentVersion: '1' } },
  ];
  return fold(
    initialState(),
    [...begun, ...events].map((event, index) => ({
      version: index + 1,
      occurredAt: '2026-01-01T00:00:00.000Z',
      actor: 'test',
      correlationId: 'c',
      event,
    })),
  );
}

const attribute = (name: string, value: string): ClusterEvent => ({
  type: 'NodeAttributeSet',
  data: { node: 'n1', name, value, lifetime: 'reboot' },
});
const COUNT = 'fail-count-db#monitor_10000';
const LAST = 'last-failure-db#monitor_10000';

describe('fail counts', () => {
  it('say when it failed last', () => {
    expect(failCountsIn(stateAfter(attribute(COUNT, '2'), attribute(LAST, '1767225600')), 0)).toEqual([
      { node: 'n1', resource: 'db', operation: 'monitor', intervalMs: 10_000, count: '2', lastFailure: '2026-01-01T00:00:00.000Z' },
    ]);
  });

  it('are told without a time that there can not be', () => {
    for (const never of ['1e300', '8640000000001', '-1e300', 'NaN', 'Infinity', '', 'yesterday', '0x7fffffffffffffff'])
      expect(failCountsIn(stateAfter(attribute(COUNT, '2'), attribute(LAST, never)), 0)).toMatchObject([{ resource: 'db', count: '2' }]);
  });

  it('can be told whatever agents set', () => {
    const digits = fc.stringMatching(/^\d{1,230}$/);
    fc.assert(
      fc.property(digits, fc.oneof(fc.string(), digits, fc.double().map(String)), (interval, value) => {
        const state = stateAfter(attribute(`fail-count-r#op_${interval}`, '1'), attribute(`last-failure-r#op_${interval}`, value));
        for (const { intervalMs } of failCountsIn(state, 0)) expect(Number.isSafeInteger(intervalMs)).toBe(true);
      }),
    );
  });
});

describe('failures', () => {
  it('are told without a time that there can not be', () => {
    const state = stateAfter({
      type: 'OperationRecorded',
      data: {
        ...{ node: 'n1', incarnation: 1, resource: 'db', class: 'ocf', provider: 'systole', agentType: 'Dummy', operation: 'start' },
        ...{ intervalMs: 0, status: 'done', rc: 1, callId: 1, transitionKey: '1:1:0:c', lastRcChange: 1e300, execMs: 1, queueMs: 0 },
        late: false,
      },
    });
    const [failure] = failuresIn(state.cib);
    expect(failure).toMatchObject({ resource: 'db', rc: 1 });
    expect(failure).not.toHaveProperty('at');
  });
});
