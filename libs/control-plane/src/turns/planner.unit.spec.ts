import { describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import { Decisions } from './decisions.js';
import { Planner } from './planner.js';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const DEAD_TIME_MS = 20_000;
const META = { actor: 'test', correlationId: 'test' };
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes><resources/><constraints/></configuration><status/></cib>';

describe('the planner', () => {
  it('waits by what this process saw: a clock that stepped before it saw anything ends no wait', async () => {
    const clock: Clock = { timeOfDay: () => NOW, monotonic: () => 0, after: () => () => undefined };
    const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
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
      overdue: new Map(),
      assertHeld: () => undefined,
    });
    expect(progress).toEqual({ type: 'resting', wakeAt: NOW + HOUR_MS + DEAD_TIME_MS - 5_000 });
  });
});
