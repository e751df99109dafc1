import { readCib } from '@systole/cib';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { clusterOf, dummy, history, online } from './explain/small-cluster.fixture.js';
import {
  type Action,
  type Cluster,
  type ClusterNode,
  type LocationConstraint,
  readState,
  type Relation,
  type Replica,
  type Resource,
  run,
  type SchedulerRun,
} from './index.js';
import type { DeepReadonly } from './model/deep-readonly.js';

/** All that is exported by name of what a run holds. */
interface Exported {
  readonly run: SchedulerRun;
  readonly cluster: Cluster;
  readonly node: ClusterNode;
  readonly resource: Resource;
  readonly replica: Replica;
  readonly action: Action;
  readonly relation: Relation;
  readonly location: LocationConstraint;
}

describe('what leaves the scheduler', () => {
  it('has nothing more to be taken away, in all that is reached from it', () => {
    expectTypeOf<DeepReadonly<Exported>>().toEqualTypeOf<Exported>();
    expectTypeOf(readState).returns.toEqualTypeOf<Cluster>();
  });

  it('is for its callers to read: the compiler refuses to write it', () => {
    const refused = ({ cluster, changes }: SchedulerRun, node: ClusterNode, action: Action): readonly (() => void)[] => [
      () => {
        // @ts-expect-error -- a field of the cluster
        cluster.resources = [];
      },
      () => {
        // @ts-expect-error -- what may still be done in it
        cluster.merges.left = 0;
      },
      () => {
        // @ts-expect-error -- a place in a list of it
        cluster.actions[0] = action;
      },
      () => {
        // @ts-expect-error -- a field of a node
        node.online = true;
      },
      () => {
        // @ts-expect-error -- a field of an action
        action.optional = true;
      },
      () => {
        // @ts-expect-error -- a relation, seen from either end
        for (const relation of action.followers) relation.kinds = 0;
      },
      () => {
        // @ts-expect-error -- what becomes of a resource
        for (const { start } of changes) if (start) start.runnable = false;
      },
    ];
    expect(refused).toHaveLength(3);
  });

  it('has no list, map or table that takes anything in, and no method that changes it', () => {
    expectTypeOf<Cluster['actions']>().not.toHaveProperty('push');
    expectTypeOf<Cluster['placements']>().not.toHaveProperty('set');
    expectTypeOf<Cluster>().not.toHaveProperty('warn');
    expectTypeOf<Cluster['cib']>().not.toHaveProperty('proposeRecheck');
    expectTypeOf<ClusterNode['attributes']>().not.toHaveProperty('set');
    expectTypeOf<ClusterNode['running']>().not.toHaveProperty('push');
    expectTypeOf<Action['inputs']>().not.toHaveProperty('push');
    expectTypeOf<Resource['knownOn']>().not.toHaveProperty('add');
    expectTypeOf<Resource>().not.toHaveProperty('noteActionChange');
    expectTypeOf<SchedulerRun['graph']['synapses']>().not.toHaveProperty('push');
    // In full, since what is named as an answer for one class is one for all.
    expectTypeOf<keyof Resource['candidates']>().toEqualTypeOf<'traced' | 'size' | 'capacity' | 'has' | 'score' | 'mode' | 'trail'>();
    expectTypeOf<keyof Resource['actions']>().toEqualTypeOf<'all' | 'withKey' | 'withTask'>();
    expectTypeOf<keyof Action['meta']>().toEqualTypeOf<'get' | 'has'>();
  });

  it('answers all the same', () => {
    const status = online('1', 'ace', history('1', 'p', { operation: 'start' })) + online('2', 'king');
    const { cluster } = run(readCib(clusterOf('', dummy('p'), '', status)), { now: 1_700_000_000 });
    const resource = cluster.resourceNames.first('p');
    const node = cluster.nodeByName('ace');
    expect(resource?.singleAssigned).toBe(node);
    expect(node && resource?.knownOn.has(node)).toBe(true);
    expect([...cluster.primitives()]).toEqual([resource]);
    expect(resource?.actions.withTask('start').map(({ meta }) => meta.has('interval'))).toEqual([false]);
  });
});
