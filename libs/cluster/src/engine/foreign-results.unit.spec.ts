import { describe, expect, it } from 'vitest';
import type { ClusterCommand } from '../commands/cluster-command.js';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, planned, threeNodes } from '../testing/stream.js';
import type { ActionProgress, EngineLimits } from './engine-types.js';
import { isRunning, resumeEngine } from './resume.js';
import { graphOf } from './testing/scenario.js';

const DB = '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';
const graph = graphOf(['1 stop db n1 <', '2 start db n2 < 1', '3 fence n3 <']);
const limits: EngineLimits = { batch: 10, actionsPerNode: 10, migrationsPerNode: 2, networkAllowanceMs: 1000, activationHeld: false };
const key = (id: number): string => `${String(id)}:1:0:c`;

/** `node` says that an action of the transition went well. */
const report = (node: string, id = 1, operation = 'stop'): ClusterCommand => ({
  type: 'record-results',
  node,
  incarnation: 1,
  results: [
    {
      resultId: `${node}-${String(id)}`,
      actionId: `c:1:${String(id)}`,
      transitionKey: key(id),
      resource: { id: 'db', historyId: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' },
      operation,
      intervalMs: 0,
      status: 'done',
      rc: 0,
      callId: 1,
      startedAt: 0,
      execMs: 1,
      queueMs: 0,
      recurring: false,
    },
  ],
});

const start = (): ClusterState => planned(threeNodes({ resources: DB }));

/** How far the actions are, by graph action id, when the stop and the fencing were handed out. */
function progress(state: ClusterState): Readonly<Record<string, ActionProgress | undefined>> {
  if (!isRunning(state)) throw new Error('no transition runs');
  const standing = resumeEngine(graph, limits, state, [{ graphActionId: 1, dispatchedAt: 0, incarnation: 1 }]).standing();
  return Object.fromEntries(graph.synapses.map(({ action }, position) => [String(action.id), standing.progress[position]]));
}

describe('a result of an action that went to another node', () => {
  it('is no answer: the stop is still waited for, and nothing that follows it begins', () => {
    expect(progress(execute(start(), report('n2')))).toMatchObject({ 1: 'in-flight', 2: 'waiting' });
  });

  it("takes no place from the true one's, which still counts, and makes the plan obsolete", () => {
    const state = execute(start(), report('n2'), report('n1'));
    expect(progress(state)).toMatchObject({ 1: 'done' });
    expect(state.transition?.status).toBe('aborting');
  });

  it('does not keep the server from giving up on the node that was asked', () => {
    const unanswered: ClusterCommand = {
      type: 'record-unanswered',
      actions: [
        {
          actionId: 'c:1:1',
          node: 'n1',
          transitionKey: key(1),
          resource: { id: 'db', historyId: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' },
          operation: 'stop',
          intervalMs: 0,
          at: 10,
          execMs: 1000,
        },
      ],
    };
    expect(progress(execute(start(), report('n2'), unanswered))).toMatchObject({ 1: 'failed' });
    expect(progress(execute(start(), report('n1'), unanswered))).toMatchObject({ 1: 'done' });
  });

  it('can not say that a cluster event is done', () => {
    expect(progress(execute(start(), report('n2', 3, 'monitor')))).toMatchObject({ 3: 'waiting' });
  });
});
