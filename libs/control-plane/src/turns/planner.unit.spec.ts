import type { ClusterCommand } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import type { PlannedSchedule } from '../ports/scheduling.js';
import { Decisions } from './decisions.js';
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

describe('the planner of a cluster that is to be stopped and deleted', () => {
  const planOf = (active: readonly string[]): PlannedSchedule => ({
    graph: { synapses: [] } as unknown as PlannedSchedule['graph'],
    digest: '0'.repeat(64),
    graphJson: '',
    scheduleJson: '',
    counts: { actions: 0, pseudo: 0, fencing: 0 },
    active,
    summary: [],
  });

  /** Plans once after these commands. @returns what the newest event is */
  async function planned(active: readonly string[], ...commands: readonly ClusterCommand[]): Promise<string | undefined> {
    const database = new MemoryDatabase(clock);
    const log = database.openLog();
    const cluster = new ClusterCommands({ log, clock, chance });
    const join = (node: string): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5_000 });
    const all: readonly ClusterCommand[] = [{ type: 'create-cluster', name: 'c', cib: CIB }, join('n1'), join('n2'), ...commands];
    for (const command of all) await cluster.execute('c', command, META);
    const scheduling = { version: 'test', schedule: () => Promise.resolve(planOf(active)) };
    const planner = new Planner(scheduling, new Decisions(cluster, chance), clock);
    const times = {
      now: NOW,
      elapsed: () => HOUR_MS,
      witnessed: () => HOUR_MS,
      sinceSeen: () => 0,
      servedForMs: HOUR_MS,
      overdue: new Map<string, number>(),
    };
    await planner.turn({ clusterId: 'c', state: await log.load('c'), ...times, assertHeld: () => undefined });
    return database.eventsOf('c').at(-1)?.event.type;
  }
  const stop: ClusterCommand = { type: 'stop-cluster' };

  it('deletes it when nothing runs and nothing is left to do', async () => {
    expect(await planned([], stop)).toBe('ClusterDeleted');
    expect(await planned([])).toBe('TransitionPlanned');
  });

  it('lets it stay as long as something runs that could not be stopped, or a node is away', async () => {
    expect(await planned(['db'], stop)).toBe('TransitionPlanned');
    expect(await planned([], stop, { type: 'lose-lease', node: 'n2', incarnation: 1, expiredAt: 'x' })).toBe('TransitionPlanned');
  });

  it('deletes it at once when no node can run anything', async () => {
    const leave = (node: string): ClusterCommand => ({ type: 'leave-node', node, incarnation: 1 });
    expect(await planned(['db'], leave('n1'), leave('n2'), stop)).toBe('ClusterDeleted');
  });

  it('goes on as ever when that was called off', async () => {
    expect(await planned([], stop, { type: 'cancel-stop' })).toBe('TransitionPlanned');
  });
});

describe('the planner', () => {
  it('waits by what this process saw: a clock that stepped before it saw anything ends no wait', async () => {
    const log = new MemoryDatabase(clock).openLog();
    const commands = new ClusterCommands({ log, clock, chance });
    await commands.execute('c', { type: 'create-cluster', name: 'c', cib: CIB }, META);
    await commands.execute('c', { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5_000 }, META);
    const unplanned = { version: 'test', schedule: () => Promise.reject(new Error('nothing may be planned yet')) };
    const planner = new Planner(unplanned, new Decisions(commands, chance), clock);
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
});
