import { describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import { ClusterWorker } from './cluster-worker.js';

const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes/><resources/><constraints/></configuration><status/></cib>';
const clock: Clock = { timeOfDay: () => 1_800_000_000_000, monotonic: () => 0, after: () => () => undefined };
const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
const unused = () => Promise.reject(new Error('not in this test'));

/** A worker on a database, and what it says. */
function workerOn(database: MemoryDatabase): { readonly worker: ClusterWorker; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const { leases, heartbeats, dispatches, graphs, claims, failures } = database;
  const worker = new ClusterWorker(
    {
      ...{ leases, heartbeats, dispatches, graphs, claims, failures, clock, chance },
      log: database.openLog(),
      databaseClock: { now: () => database.now() },
      scheduling: { version: 'none', schedule: unused, graphFrom: unused },
      report: { info: () => undefined, warn: (_, message) => warnings.push(message) },
    },
    { concurrency: 1, leaseScanMs: 500, sweepMs: 30_000 },
  );
  return { worker, warnings };
}

describe('a worker that is asked to move a cluster', () => {
  it('says that the event log does not hold it, as when two installations share a queue', async () => {
    const { worker, warnings } = workerOn(new MemoryDatabase(clock));
    await worker.move('6a6a8dcd-0000-4000-8000-000000000000');
    expect(warnings).toEqual([expect.stringContaining('the event log does not hold')]);
  });

  it('says nothing of one that was deleted', async () => {
    const database = new MemoryDatabase(clock);
    const commands = new ClusterCommands({ log: database.openLog(), clock, chance });
    const id = '6a6a8dcd-0000-4000-8000-000000000001';
    for (const command of [{ type: 'create-cluster', name: 'c', cib: CIB }, { type: 'delete-cluster' }] as const) {
      expect(await commands.execute(id, command, { actor: 'test', correlationId: 'test' })).toMatchObject({ ok: true });
    }
    const { worker, warnings } = workerOn(database);
    await worker.move(id);
    expect(warnings).toEqual([]);
  });
});
