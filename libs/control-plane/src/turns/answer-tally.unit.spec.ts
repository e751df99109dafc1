import type { ClusterState, FencingOutcome, PendingFencing, ReportedResult, TransitionGraph } from '@systole/cluster';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import { MemoryFigures } from '../memory/memory-figures.js';
import type { Clock } from '../ports/clock.js';
import type { ClusterLog } from '../ports/cluster-log.js';
import { AnswerTally } from './answer-tally.js';

const ID = '6a6a8dcd-0000-4000-8000-000000000003';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes/><resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources><constraints/></configuration><status/></cib>';
const META = { actor: 'test', correlationId: 'test' };
let monotonic = 0;
const clock: Clock = { timeOfDay: () => 1_800_000_000_000, monotonic: () => monotonic, after: () => () => undefined };
const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
const ATTEMPT: PendingFencing = {
  ...{ fencingId: '', target: 'n2', action: 'off', device: 'ipmi', executor: 'n1', attempt: 1, transition: 1, graphActionId: 9 },
  ...{ targetIncarnation: 1, executorIncarnation: 1 },
};
const DB = { id: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' };

/** Starts on n1, one for each id. */
function graphOf(ids: readonly number[]): TransitionGraph {
  return {
    ...{ clusterDelay: '60s', fencingTimeout: '60s', failedStopOffset: 'INFINITY', failedStartOffset: '1', batchLimit: '0' },
    synapses: ids.map((id) => ({
      ...{ id, priority: 0, inputs: [] },
      action: {
        ...{ kind: 'rsc_op', id, operation: 'start', operationKey: 'db_start_0', attributes: {}, primitive: DB },
        node: { id: 'n1', name: 'n1' },
      },
    })),
  };
}

describe('the answers to what was handed out', () => {
  const graph = graphOf([1, 2, 3]);
  let log: ClusterLog;
  let commands: ClusterCommands;
  let figures: MemoryFigures;
  let tally: AnswerTally;

  beforeEach(async () => {
    log = new MemoryDatabase(clock).openLog();
    commands = new ClusterCommands({ log, clock, chance });
    figures = new MemoryFigures();
    tally = new AnswerTally(figures, clock);
    await commands.execute(ID, { type: 'create-cluster', name: 'c', cib: CIB }, META);
    for (const node of ['n1', 'n2']) await commands.execute(ID, { type: 'join-node', node, agentVersion: '1', leaseMs: 5_000 }, META);
    await commands.execute(
      ID,
      {
        type: 'plan-transition',
        plan: {
          ...{ inputVersion: 3, now: 0, schedulerVersion: 't', digest: 'd'.repeat(64), trigger: 't', summary: [] },
          counts: { actions: 3, pseudo: 0, fencing: 0 },
        },
      },
      META,
    );
  });

  const report = async (id: number, rc: number, node = 'n1'): Promise<void> => {
    const result: ReportedResult = {
      ...{ resultId: crypto.randomUUID(), actionId: `${ID}:1:${String(id)}`, transitionKey: `${String(id)}:1:0:${ID}` },
      ...{ resource: { ...DB, historyId: 'db' }, operation: 'start', intervalMs: 0, status: 'done', rc, callId: id },
      ...{ startedAt: 1, execMs: 1, queueMs: 0, recurring: false },
    };
    await commands.execute(ID, { type: 'record-results', node, incarnation: 1, results: [result] }, META);
  };
  const hear = async (by = tally): Promise<void> => {
    const state: ClusterState = await log.load(ID);
    if (state.transition === undefined) throw new Error('no transition runs');
    by.hear({ clusterId: ID, state }, state.transition, graph);
  };

  it('are counted once, by whether they were expected, and only from the node that was asked', async () => {
    await hear();
    await report(1, 0);
    await report(2, 0, 'n2');
    await hear();
    await hear();
    expect(figures.actions).toMatchObject({ expected: 1, unexpected: 0 });
    await report(2, 1);
    await hear();
    expect(figures.actions).toMatchObject({ expected: 1, unexpected: 1, givenUp: 0 });
  });

  it('are none where the server recorded that there was none in time', async () => {
    await hear();
    tally.gaveUp(ID, [1]);
    await report(1, 1);
    await report(2, 0);
    await hear();
    expect(figures.actions).toMatchObject({ expected: 1, unexpected: 0, givenUp: 1 });
  });

  it('of fence devices are told with what they did and how long that took, and are pending until then', async () => {
    const fencing = (ids: readonly string[], results: readonly FencingOutcome['result'][] = []): Promise<void> =>
      log.load(ID).then((state) => {
        if (state.transition === undefined) throw new Error('no transition runs');
        const attempt = { ...ATTEMPT, transition: 1 };
        const pending = Object.fromEntries(ids.map((id) => [id, { ...attempt, fencingId: id }]));
        const outcomes = results.map((result) => ({ graphActionId: 9, attempt: 1, result }));
        tally.hear({ clusterId: ID, state: { ...state, fencing: pending } }, { ...state.transition, fencing: outcomes }, graph);
      });
    const result = (fencingId: string, outcome: 'succeeded' | 'failed'): FencingOutcome['result'] => ({
      ...{ fencingId, target: 'n2', action: 'off', device: 'ipmi', executor: 'n1', outcome },
    });
    await fencing([]);
    await fencing(['a']);
    expect(tally.fencingPending).toBe(1);
    monotonic += 7_000;
    await fencing(['b'], [result('a', 'failed')]);
    await fencing(['b'], [result('a', 'failed')]);
    expect(tally.fencingPending).toBe(1);
    monotonic += 2_000;
    await fencing([], [result('a', 'failed'), result('b', 'succeeded'), result('unseen', 'succeeded')]);
    expect(tally.fencingPending).toBe(0);
    expect(figures.fencings).toEqual([
      { action: 'off', outcome: 'failed', tookMs: 7_000 },
      { action: 'off', outcome: 'succeeded', tookMs: 2_000 },
      { action: 'off', outcome: 'succeeded', tookMs: undefined },
    ]);
    expect([tally.movedForMs(ID, 1), tally.movedForMs(ID, 2)]).toEqual([9_000, 0]);
  });

  it('are counted by whoever had the cluster when they came', async () => {
    await hear();
    await report(1, 0);
    await hear();
    const other = new AnswerTally(figures, clock);
    await hear(other);
    await report(2, 0);
    await hear(other);
    tally.forget(ID);
    await hear();
    expect(figures.actions).toMatchObject({ expected: 2 });
  });

  it('are counted by neither where they come between the last turn of one worker and the first of the next', async () => {
    await hear();
    await report(1, 0);
    tally.forget(ID);
    const other = new AnswerTally(figures, clock);
    await hear(other);
    await hear(other);
    expect(figures.actions).toMatchObject({ expected: 0, unexpected: 0 });
  });
});
