import type { ClusterCommand } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import { MemoryFigures } from '../memory/memory-figures.js';
import type { Clock } from '../ports/clock.js';
import { UNCOUNTED } from '../ports/figures.js';
import type { PlannedSchedule } from '../ports/scheduling.js';
import { Decisions } from './decisions.js';
import { PlanWants } from './plan-wants.js';
import { Planner } from './planner.js';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const DEAD_TIME_MS = 20_000;
const META = { actor: 'test', correlationId: 'test' };
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes><resources/><constraints/></configuration><status/></cib>';

const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
const clock: Clock = { timeOfDay: () => NOW, monotonic: () => 0, after: () => () => undefined };
const unread = { version: 'test', graphFrom: () => Promise.reject(new Error('nothing is stored')) };

describe('the planner of a cluster that is to be stopped and deleted', () => {
  const planOf = (active: number): PlannedSchedule => ({
    graph: { synapses: [] } as unknown as PlannedSchedule['graph'],
    digest: '0'.repeat(64),
    stored: Promise.resolve(new Uint8Array()),
    counts: { actions: 0, pseudo: 0, fencing: 0 },
    active,
    summary: [],
    schedulerMs: 0,
  });

  /** Plans once after these commands. @returns what the newest event is */
  async function planned(active: number, ...commands: readonly ClusterCommand[]): Promise<string | undefined> {
    const database = new MemoryDatabase(clock);
    const log = database.openLog();
    const cluster = new ClusterCommands({ log, clock, chance });
    const join = (node: string): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5_000 });
    const all: readonly ClusterCommand[] = [{ type: 'create-cluster', name: 'c', cib: CIB }, join('n1'), join('n2'), ...commands];
    for (const command of all) await cluster.execute('c', command, META);
    const kept: (readonly [string, number, PlannedSchedule])[] = [];
    const plan = planOf(active);
    const scheduling = { ...unread, schedule: () => Promise.resolve(plan) };
    const graphs = { begin: (...one: [string, number, PlannedSchedule]) => void kept.push(one) };
    const planner = new Planner(scheduling, new Decisions(cluster, chance), clock, graphs, new PlanWants(clock), UNCOUNTED);
    const times = {
      now: NOW,
      elapsed: () => HOUR_MS,
      witnessed: () => HOUR_MS,
      sinceSeen: () => 0,
      servedForMs: HOUR_MS,
      overdue: new Map<string, number>(),
    };
    await planner.turn({ clusterId: 'c', state: await log.load('c'), ...times, assertHeld: () => undefined });
    const newest = database.eventsOf('c').at(-1)?.event.type;
    // Of what stands in the log, and of nothing else, the graph is kept.
    expect(kept).toEqual(newest === 'TransitionPlanned' ? [['c', 1, plan]] : []);
    return newest;
  }
  const stop: ClusterCommand = { type: 'stop-cluster' };

  it('deletes it when nothing runs and nothing is left to do', async () => {
    expect(await planned(0, stop)).toBe('ClusterDeleted');
    expect(await planned(0)).toBe('TransitionPlanned');
  });

  it('lets it stay as long as something runs that could not be stopped, or a node is away', async () => {
    expect(await planned(1, stop)).toBe('TransitionPlanned');
    expect(await planned(0, stop, { type: 'lose-lease', node: 'n2', incarnation: 1, expiredAt: 'x' })).toBe('TransitionPlanned');
  });

  it('deletes it at once when no node can run anything', async () => {
    const leave = (node: string): ClusterCommand => ({ type: 'leave-node', node, incarnation: 1 });
    expect(await planned(1, leave('n1'), leave('n2'), stop)).toBe('ClusterDeleted');
  });

  it('does not delete it for what was asked for before the log went back, until it is asked for again', async () => {
    const epoch: ClusterCommand = { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'a person' };
    const down = ['n1', 'n2'].map((node): ClusterCommand => ({ type: 'confirm-node-down', node }));
    expect(await planned(0, stop, epoch, ...down)).not.toBe('ClusterDeleted');
    expect(await planned(0, stop, epoch, ...down, stop)).toBe('ClusterDeleted');
  });

  it('goes on as ever when that was called off', async () => {
    expect(await planned(0, stop, { type: 'cancel-stop' })).toBe('TransitionPlanned');
  });
});

describe('the planner', () => {
  it('waits by what this process saw: a clock that stepped before it saw anything ends no wait', async () => {
    const log = new MemoryDatabase(clock).openLog();
    const commands = new ClusterCommands({ log, clock, chance });
    await commands.execute('c', { type: 'create-cluster', name: 'c', cib: CIB }, META);
    await commands.execute('c', { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5_000 }, META);
    const unplanned = { ...unread, schedule: () => Promise.reject(new Error('nothing may be planned yet')) };
    const planner = new Planner(
      unplanned,
      new Decisions(commands, chance),
      clock,
      { begin: () => undefined },
      new PlanWants(clock),
      UNCOUNTED,
    );
    const progress = await planner.turn({
      clusterId: 'c',
      state: await log.load('c'),
      now: NOW + HOUR_MS,
      elapsed: () => HOUR_MS,
      witnessed: () => 5_000,
      sinceSeen: () => 0,
      servedForMs: HOUR_MS,
      overdue: new Map(),
      assertHeld: () => undefined,
    });
    expect(progress).toEqual({ type: 'resting', wakeAt: NOW + HOUR_MS + DEAD_TIME_MS - 5_000 });
  });

  it('tells how long a plan was wanted, with those that were overtaken meanwhile, and what of it the scheduler took', async () => {
    let passedMs = 0;
    const passing: Clock = { ...clock, monotonic: () => passedMs };
    const log = new MemoryDatabase(passing).openLog();
    const commands = new ClusterCommands({ log, clock: passing, chance });
    await commands.execute('c', { type: 'create-cluster', name: 'c', cib: CIB }, META);
    await commands.execute('c', { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5_000 }, META);
    const changes: ClusterCommand[] = [{ type: 'join-node', node: 'n2', agentVersion: '1', leaseMs: 5_000 }];
    const schedule = async (): Promise<PlannedSchedule> => {
      passedMs += 400;
      for (const change of changes.splice(0)) await commands.execute('c', change, META);
      return {
        graph: { synapses: [] } as unknown as PlannedSchedule['graph'],
        digest: '0'.repeat(64),
        stored: Promise.resolve(new Uint8Array()),
        counts: { actions: 0, pseudo: 0, fencing: 0 },
        active: 0,
        summary: [],
        schedulerMs: 30,
      };
    };
    const figures = new MemoryFigures();
    const graphs = { begin: () => undefined };
    const planner = new Planner({ ...unread, schedule }, new Decisions(commands, chance), passing, graphs, new PlanWants(passing), figures);
    const turn = async (): Promise<void> => {
      const times = {
        elapsed: () => HOUR_MS,
        witnessed: () => HOUR_MS,
        sinceSeen: () => 0,
        servedForMs: HOUR_MS,
        overdue: new Map<string, number>(),
      };
      await planner.turn({ clusterId: 'c', state: await log.load('c'), now: NOW, ...times, assertHeld: () => undefined });
    };
    await turn();
    expect([figures.overtakenPlans, figures.plans]).toEqual([1, []]);
    await turn();
    expect([figures.overtakenPlans, figures.plans]).toEqual([1, [{ wantedForMs: 800, schedulerMs: 30 }]]);
  });
});
