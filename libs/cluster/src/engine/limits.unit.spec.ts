import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, option, threeNodes } from '../testing/stream.js';
import { engineLimits, sameLimits } from './limits.js';
import { createEngine } from './engine.js';
import { loadThreshold } from './load-threshold.js';
import { graphOf } from './testing/scenario.js';

const graphOn = (nodes: number) => graphOf(Array.from({ length: nodes }, (_, index) => `${String(index + 1)} start db n${String(index)}`));

describe('the limits of a transition', () => {
  it('are 8 actions for each node, or what the option says', () => {
    const perNode = (text?: string): number =>
      engineLimits(graphOn(1), threeNodes(text === undefined ? {} : { options: option('node-action-limit', text) })).actionsPerNode;
    expect([perNode(), perNode('5'), perNode('0')]).toEqual([8, 5, 8]);
    expect([perNode('1.5'), perNode('1e3'), perNode('x3'), perNode('INFINITY')]).toEqual([1, 1, 8, 1000]);
  });

  it('are as many actions for each node as its agent says it carries out at a time, unless the operator says how many', () => {
    const joined = (options = ''): ClusterState =>
      execute(threeNodes({ options }), { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000, actionLimit: 32 });
    expect(engineLimits(graphOn(3), joined())).toMatchObject({ batch: 48, actionsPerNode: 8, actionsOnNode: new Map([['n1', 32]]) });
    const set = engineLimits(graphOn(3), joined(option('node-action-limit', '5')));
    expect([set.batch, set.actionsPerNode, set.actionsOnNode]).toEqual([15, 5, undefined]);
    expect([sameLimits(set, engineLimits(graphOn(3), joined())), sameLimits(set, set)]).toEqual([false, true]);
  });

  it('are half as many for a node whose agent says that it is loaded, whoever said how many', () => {
    const troubles = [{ code: 'high-load', detail: 'x' }];
    const loaded = (options = ''): ClusterState =>
      execute(
        threeNodes({ options }),
        { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000, actionLimit: 5 },
        { type: 'note-troubles', node: 'n1', incarnation: 2, troubles },
      );
    expect(engineLimits(graphOn(3), loaded())).toMatchObject({ batch: 19, actionsOnNode: new Map([['n1', 3]]) });
    expect(engineLimits(graphOn(3), loaded(option('node-action-limit', '1')))).toMatchObject({
      batch: 3,
      actionsOnNode: new Map([['n1', 1]]),
    });
    const calm = execute(loaded(), { type: 'note-troubles', node: 'n1', incarnation: 2, troubles: [] });
    expect(engineLimits(graphOn(3), calm).actionsOnNode).toEqual(new Map([['n1', 5]]));
    expect(loadThreshold(loaded())).toEqual({});
    expect(loadThreshold(loaded(option('load-threshold', '70%')))).toEqual({ loadThreshold: 70 });
    expect(loadThreshold(loaded(option('load-threshold', '0%')))).toEqual({});
  });

  it('are as many actions as the nodes of the graph take, where the operator sets no batch limit', () => {
    expect(engineLimits(graphOn(3), threeNodes()).batch).toBe(24);
    expect(engineLimits(graphOn(3), threeNodes({ options: option('node-action-limit', '20') })).batch).toBe(60);
    expect(engineLimits({ ...graphOn(10), batchLimit: '7' }, threeNodes()).batch).toBe(7);
    expect(engineLimits({ ...graphOn(3), batchLimit: '-1' }, threeNodes()).batch).toBe(24);
    expect(engineLimits({ ...graphOn(3), batchLimit: '1e3' }, threeNodes()).batch).toBe(1);
    expect(engineLimits({ ...graphOn(3), batchLimit: 'INFINITY' }, threeNodes()).batch).toBe(24);
  });

  it('are what actions wait for that could begin: an engine says how many', () => {
    const graph = graphOf(['1 start a n1', '2 start b n1', '3 start c n1', '4 start d n2', '5 start e n2 < 4']);
    const limits = engineLimits({ ...graph, batchLimit: '2' }, threeNodes({ options: option('node-action-limit', '1') }));
    const engine = createEngine(graph, limits);
    const count = () => [engine.inFlightAtAgents, engine.waitingForRoom];
    expect(count()).toEqual([0, 0]);
    engine.step({ type: 'start', now: 0 });
    expect(count()).toEqual([2, 2]);
    engine.step({ type: 'result', graphActionId: 1, status: 'done', rc: 0, now: 1 });
    expect(count()).toEqual([2, 1]);
    engine.step({ type: 'result', graphActionId: 4, status: 'done', rc: 0, now: 2 });
    expect(count()).toEqual([2, 1]);
    engine.step({ type: 'node-lost', node: 'n1', now: 3 });
    // Called off: what waits is not begun any more, limit or no limit.
    expect([...count(), engine.unanswered]).toEqual([1, 0, 1]);
  });

  it('are no migrations where the operator sets none', () => {
    expect(engineLimits(graphOn(1), threeNodes())).not.toHaveProperty('migrationsPerNode');
    expect(engineLimits({ ...graphOn(1), migrationLimit: '2' }, threeNodes()).migrationsPerNode).toBe(2);
    expect(engineLimits({ ...graphOn(1), migrationLimit: '-1' }, threeNodes())).not.toHaveProperty('migrationsPerNode');
  });
});
