import { engineLimits, resumeEngine, type ClusterCommand, type RunningState, type TransitionGraph } from '@systole/cluster';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import { KeptEngines, type KeptEngine } from './kept-engines.js';

const ID = '6a6a8dcd-0000-4000-8000-000000000002';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes/><resources/><constraints/></configuration><status/></cib>';
const GRAPH: TransitionGraph = {
  ...{ clusterDelay: '60s', fencingTimeout: '60s', failedStopOffset: 'INFINITY', failedStartOffset: '1', batchLimit: '0' },
  synapses: [
    {
      ...{ id: 0, priority: 0, inputs: [] },
      action: {
        ...{ kind: 'rsc_op', id: 1, operation: 'start', operationKey: 'db_start_0', attributes: {} },
        ...{ node: { id: 'n1', name: 'n1' }, primitive: { id: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' } },
      },
    },
  ],
};

describe('the engine of a running transition', () => {
  let monotonic = 0;
  let now = 1_800_000_000_000;
  let state: RunningState;
  let engines: KeptEngines;

  const pass = (ms: number): void => {
    monotonic += ms;
    now += ms;
  };
  const take = (): KeptEngine | undefined => {
    const limits = engineLimits(GRAPH, state);
    return engines.take(ID, { state, transition: state.transition, graph: GRAPH, limits, now });
  };

  beforeEach(async () => {
    const clock: Clock = { timeOfDay: () => now, monotonic: () => monotonic, after: () => () => undefined };
    const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
    const log = new MemoryDatabase(clock).openLog();
    const commands = new ClusterCommands({ log, clock, chance });
    const plan = {
      ...{ inputVersion: 2, now: 0, schedulerVersion: 't', digest: 'd'.repeat(64), trigger: 't', summary: [] },
      counts: COUNTS,
    };
    const asked: readonly ClusterCommand[] = [
      { type: 'create-cluster', name: 'c', cib: CIB },
      { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5_000 },
      { type: 'plan-transition', plan },
    ];
    for (const command of asked) {
      expect(await commands.execute(ID, command, { actor: 'test', correlationId: 'test' })).toMatchObject({ ok: true });
    }
    const loaded = await log.load(ID);
    if (loaded.transition === undefined) throw new Error('no transition runs');
    state = { ...loaded, transition: loaded.transition };
    engines = new KeptEngines(clock);
    expect(take()).toBeUndefined();
    const engine = resumeEngine(GRAPH, engineLimits(GRAPH, state), state, []);
    engine.step({ type: 'tick', now });
    engines.keep(ID, { state, transition: state.transition, engine });
  });

  it('counts the fencing that it waits for, also where nothing can be tried', () => {
    const attributes = { stonith_action: 'reboot' };
    const action = { kind: 'crm_event', id: 1, operation: 'stonith', operationKey: 'stonith-n2-reboot', attributes } as const;
    const graph: TransitionGraph = {
      ...GRAPH,
      synapses: [{ id: 0, priority: 0, inputs: [], action: { ...action, node: { id: '2', name: 'n2' } } }],
    };
    const engine = resumeEngine(graph, engineLimits(graph, state), state, []);
    engine.step({ type: 'tick', now });
    engines.keep(ID, { state, transition: state.transition, engine });
    expect(state.fencing).toEqual({});
    expect(engines.load).toEqual({ inFlight: 0, waiting: 0, fencing: 1 });
  });

  it('is the one of the turn before, once', () => {
    expect(take()).toMatchObject({ news: [], toCompare: false });
    expect(take()).toBeUndefined();
  });

  it('is counted with what it has to do, also while a turn has it, until it is forgotten', () => {
    expect(engines.load).toEqual({ inFlight: 1, waiting: 0, fencing: 0 });
    take();
    expect(engines.load).toEqual({ inFlight: 1, waiting: 0, fencing: 0 });
    engines.forget(ID);
    expect(engines.load).toEqual({ inFlight: 0, waiting: 0, fencing: 0 });
  });

  it('is compared every now and then with what was handed out, and is gone where that is', () => {
    pass(5_000);
    const due = take();
    expect(due?.toCompare).toBe(true);
    expect(due?.engine.handedOut).toEqual([1]);
    if (due === undefined) return;
    engines.compared(ID, true, now);
    engines.keep(ID, { state, transition: state.transition, engine: due.engine });
    expect(take()).toMatchObject({ toCompare: false });
  });

  it.each([-60_000, 60_000])('is made anew when the clock that it counts by stepped by %i ms', (stepMs) => {
    now += stepMs;
    expect(take()).toBeUndefined();
  });
});

const COUNTS = { actions: 1, pseudo: 0, fencing: 0 };
