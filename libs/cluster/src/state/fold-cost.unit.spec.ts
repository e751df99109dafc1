import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../events/cluster-event.js';
import { initialState, type ClusterState } from './cluster-state.js';
import { evolve } from './evolve.js';

/** What an event left to be made anew: objects and arrays that are not the same ones as before, in the same place. */
interface Made {
  readonly objects: number;
  /** Places in them. */
  readonly places: number;
}

function made(after: unknown, before: unknown): Made {
  if (after === before || typeof after !== 'object' || after === null) return { objects: 0, places: 0 };
  const known = (typeof before === 'object' ? before : null) as Readonly<Record<string, unknown>> | null;
  const within = Object.entries(after).map(([name, value]) =>
    made(value, known !== null && Object.hasOwn(known, name) ? known[name] : null),
  );
  return within.reduce((sum, { objects, places }) => ({ objects: sum.objects + objects, places: sum.places + places }), {
    objects: 1,
    places: within.length,
  });
}

function append(state: ClusterState, event: ClusterEvent): ClusterState {
  const version = state.version + 1;
  return evolve(state, {
    version,
    occurredAt: new Date(Date.UTC(2026, 0, 1) + version * 1000).toISOString(),
    actor: 'test',
    correlationId: 'c',
    event,
  });
}

function result(node: number, resource: number, resources: number, operation: 'monitor' | 'start'): ClusterEvent {
  const action = node * resources + resource + (operation === 'start' ? 1_000_000 : 0);
  const rc = operation === 'monitor' ? 7 : 0;
  return {
    type: 'OperationRecorded',
    data: {
      node: `n${String(node)}`,
      incarnation: 1,
      resource: `r${String(resource)}`,
      class: 'ocf',
      provider: 'systole',
      agentType: 'Dummy',
      operation,
      intervalMs: 0,
      status: 'done',
      rc,
      callId: action,
      transitionKey: `${String(action)}:1:${String(rc)}:c`,
      resultId: `result ${String(action)}`,
      lastRcChange: 1,
      execMs: 1,
      queueMs: 0,
      late: false,
    },
  };
}

/** All nodes joined, and all resources probed on all nodes, by the transition that runs. */
function probed(nodes: number, resources: number): ClusterState {
  let state = append(initialState(), { type: 'ClusterCreated', data: { name: 'c', cib: '' } });
  for (let node = 0; node < nodes; node++) {
    const name = `n${String(node)}`;
    state = append(state, { type: 'NodeJoined', data: { node: name, nodeId: name, incarnation: 1, leaseMs: 5_000, agentVersion: '1' } });
  }
  state = append(state, {
    type: 'TransitionPlanned',
    data: {
      number: 1,
      inputVersion: state.version,
      now: 0,
      schedulerVersion: 't',
      digest: 'd',
      counts: { actions: nodes * resources, pseudo: 0, fencing: 0 },
      trigger: 't',
      summary: [],
    },
  });
  for (let resource = 0; resource < resources; resource++) {
    for (let node = 0; node < nodes; node++) state = append(state, result(node, resource, resources, 'monitor'));
  }
  return state;
}

/** What a start makes anew, without the places of the lists that are copied as they are: the resources of its node, and the nodes of the status. */
function costOfStart(nodes: number, resources: number): Made {
  const before = probed(nodes, resources);
  const { objects, places } = made(append(before, result(1, 1, resources, 'start')), before);
  return { objects, places: places - nodes - resources };
}

describe('folding a result', () => {
  it('makes as few objects anew, and as few places besides two plain lists, in a large cluster as in a small one', () => {
    const small = costOfStart(3, 10);
    const large = costOfStart(40, 100);
    expect(large.objects).toBeLessThanOrEqual(small.objects + 4);
    // The arrays of one more level in the results, and one of the map of nodes.
    expect(large.places).toBeLessThanOrEqual(small.places + 4 * 32);
    expect(small.objects).toBeLessThan(40);
  });
});
