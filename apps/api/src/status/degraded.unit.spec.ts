import { fold, initialState, type ClusterEvent, type ClusterState } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { degradedIn } from './degraded.js';
import { failuresIn } from './failures.js';
import { troublesOf } from './troubles.js';

let calls = 0;

/** One of `db` on n1. */
function operation(
  name: string,
  rc: number,
  more: { readonly intervalMs?: number; readonly exitReason?: string; readonly expected?: number } = {},
): ClusterEvent {
  const { intervalMs = 0, exitReason, expected = 0 } = more;
  calls += 1;
  return {
    type: 'OperationRecorded',
    data: {
      ...{ node: 'n1', incarnation: 1, resource: 'db', class: 'ocf', provider: 'x', agentType: 'Db', operation: name, intervalMs },
      ...{
        status: 'done',
        rc,
        callId: calls,
        transitionKey: `1:1:${String(expected)}:c`,
        lastRcChange: 1_767_225_600,
        execMs: 1,
        queueMs: 0,
        late: false,
      },
      ...(exitReason === undefined ? {} : { exitReason }),
    },
  };
}

const monitor = (rc: number, intervalMs = 10_000, exitReason?: string): ClusterEvent =>
  operation('monitor', rc, { intervalMs, ...(exitReason === undefined ? {} : { exitReason }) });

function after(...events: readonly ClusterEvent[]): ClusterState {
  const begun: readonly ClusterEvent[] = [
    { type: 'ClusterCreated', data: { name: 'c', cib: '' } },
    { type: 'NodeJoined', data: { node: 'n1', nodeId: 'n1', incarnation: 1, leaseMs: 5000, agentVersion: '1' } },
  ];
  return fold(
    initialState(),
    [...begun, ...events].map((event, index) => ({
      ...{ version: index + 1, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'test', correlationId: 'c', event },
    })),
  );
}

const degraded = (...events: readonly ClusterEvent[]): readonly string[] =>
  degradedIn(after(...events).cib).map(
    ({ resource, node, operation: name, intervalMs, rc }) => `${name}_${String(intervalMs)} ${resource} on ${node}: ${String(rc)}`,
  );

describe('a resource that runs degraded', () => {
  it('is told once its monitor says so, with what its agent says, until it says otherwise', () => {
    const found = [operation('start', 0), monitor(0), monitor(190, 10_000, 'one path of two')];
    expect(degraded(operation('start', 0), monitor(0))).toEqual([]);
    expect(degradedIn(after(...found).cib)).toEqual([
      {
        ...{ resource: 'db', node: 'n1', operation: 'monitor', intervalMs: 10_000, rc: 190 },
        ...{ exitReason: 'one path of two', at: '2026-01-01T00:00:00.000Z' },
      },
    ]);
    expect(degraded(...found, monitor(0))).toEqual([]);
  });

  it('is no failure: nothing is counted or recovered', () => {
    expect(failuresIn(after(operation('start', 0), monitor(190)).cib)).toEqual([]);
  });

  it('is so by any of its monitors, whatever another one found since', () => {
    expect(degraded(operation('start', 0), monitor(190), monitor(0, 60_000))).toEqual(['monitor_10000 db on n1: 190']);
  });

  it('is so from the start where that says so, or a probe that found it', () => {
    expect(degraded(operation('start', 190))).toEqual(['start_0 db on n1: 190']);
    expect(degraded(operation('start', 190), monitor(0))).toEqual([]);
    expect(degraded(operation('monitor', 191, { expected: 7 }))).toEqual(['monitor_0 db on n1: 191']);
  });

  it('is not once it is stopped', () => {
    expect(degraded(operation('start', 0), monitor(190), operation('stop', 0))).toEqual([]);
  });

  it('troubles whoever looks', () => {
    const facts = {
      nodes: [],
      resources: [],
      failures: [],
      degraded: degradedIn(after(operation('start', 0), monitor(190, 10_000, 'slow')).cib),
    };
    expect(troublesOf(facts)).toContainEqual({ code: 'degraded-resources', level: 'warn', text: 'degraded: db on n1 (slow)' });
  });
});
