import { randomUUID } from 'node:crypto';
import type { ClusterEvent, ClusterState } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorker, type RunningWorker } from './create-worker.js';
import { freePort } from '@systole/queue/testing';
import { AgentDesk, SimulatedNode } from './testing/simulated-node.js';

const CIB = `<cib validate-with="pacemaker-4.0" epoch="1" num_updates="0" admin_epoch="0">
  <configuration>
    <crm_config><cluster_property_set id="options">
      <nvpair id="options-fencing" name="stonith-enabled" value="false"/>
    </cluster_property_set></crm_config>
    <nodes><node id="1" uname="n1"/></nodes>
    <resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources>
    <constraints/>
  </configuration>
  <status/>
</cib>`;

describe('the metrics of a worker', () => {
  const clusterId = randomUUID();
  let database: ScratchDatabase;
  let store: EventStore<ClusterEvent>;
  let desk: AgentDesk;
  let worker: RunningWorker;
  let node: SimulatedNode;
  let url: string;

  beforeEach(async () => {
    database = await createScratchDatabase();
    store = new EventStore<ClusterEvent>(database.pool);
    desk = new AgentDesk(database.pool, store);
    desk.open();
    const healthPort = await freePort();
    url = `http://127.0.0.1:${String(healthPort)}`;
    worker = await createWorker({ databaseUrl: database.url, healthPort, logLevel: 'silent', leaseScanMs: 100 });
    const made = { actor: 'test', correlationId: clusterId };
    await desk.commands.execute(clusterId, { type: 'create-cluster', name: 'test', cib: CIB }, made);
    node = new SimulatedNode(desk, clusterId, 'n1');
  });

  afterEach(async () => {
    await worker.close();
    await node.powerOff();
    await desk.close();
    await store.close();
    await database.drop();
  });

  /** What Prometheus reads, by name and labels. */
  async function metrics(): Promise<ReadonlyMap<string, number>> {
    const answer = await fetch(`${url}/metrics`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  }

  it('show what was planned, handed out, answered and ended, and what it keeps', async () => {
    const before = await metrics();
    const counted = [
      'systole_plan_duration_seconds_count',
      'systole_actions_handed_out_total',
      'systole_actions_answered_total{answer="expected"}',
      'systole_actions_answered_total{answer="unexpected"}',
      'systole_transitions_ended_total{outcome="complete"}',
    ];
    expect(counted.map((name) => before.get(name))).toEqual([0, 0, 0, 0, 0]);
    await node.join();
    const isSettled = ({ lastTransitionNumber, transition, recompute }: ClusterState): boolean =>
      lastTransitionNumber > 0 && transition === undefined && recompute === undefined;
    await expect.poll(async () => isSettled(await desk.ports.log.load(clusterId)), { timeout: 20_000 }).toBe(true);
    expect(node.active).toEqual(new Set(['db']));

    const events = (await store.readStream(clusterId)).map(({ type }) => type);
    const happened = (wanted: ClusterEvent['type']): number => events.filter((type) => type === wanted).length;
    const after = await metrics();
    expect(after.get('systole_plan_duration_seconds_count')).toBe(happened('TransitionPlanned'));
    expect(after.get('systole_scheduler_duration_seconds_count')).toBe(happened('TransitionPlanned'));
    expect(after.get('systole_plan_duration_seconds_sum')).toBeGreaterThan(after.get('systole_scheduler_duration_seconds_sum') ?? Infinity);
    // A probe and a start at least.
    expect(after.get('systole_actions_handed_out_total')).toBe(node.journal.length);
    expect(node.journal.length).toBeGreaterThanOrEqual(2);
    expect(after.get('systole_actions_answered_total{answer="expected"}')).toBe(node.journal.length);
    expect(after.get('systole_actions_answered_total{answer="unexpected"}')).toBe(0);
    expect(after.get('systole_actions_given_up_total')).toBe(0);
    expect(after.get('systole_transitions_ended_total{outcome="complete"}')).toBe(happened('TransitionCompleted'));
    for (const name of ['systole_actions_in_flight', 'systole_actions_waiting', 'systole_plans_waiting', 'systole_scheduling_threads_busy'])
      expect([name, after.get(name)]).toEqual([name, 0]);
    expect(after.get('systole_transition_duration_seconds_count{outcome="complete"}')).toBe(happened('TransitionCompleted'));
    expect(after.get('systole_transition_duration_seconds_sum{outcome="complete"}')).toBeGreaterThan(0);
    expect(after.get('systole_fencing_attempts_total{action="off",outcome="failed"}')).toBe(0);
    expect(after.get('systole_fencing_pending')).toBe(0);
    expect(after.get('systole_event_wait_seconds_count')).toBeGreaterThan(0);
    expect(after.get('systole_queue_jobs{state="waiting"}')).toBe(0);
    expect(after.get('systole_database_connections')).toBeGreaterThan(0);
    expect(after.get('systole_database_waiting')).toBe(0);
    expect(after.get('systole_event_loop_longest_pause_seconds{loop="worker"}')).toBeGreaterThanOrEqual(0);
    expect(after.get('systole_states_cached_bytes')).toBeGreaterThan(0);
    expect(after.get('systole_states_cached_limit_bytes')).toBe(384 * 1024 * 1024);
    expect(after.get('systole_graphs_cached_limit_bytes')).toBeGreaterThan(0);
    expect(after.get('systole_clusters_attended')).toBeLessThanOrEqual(1);
    expect(after.get('process_cpu_seconds_total')).toBeGreaterThan(0);
    // Of its host it says nothing where it is a part of another program.
    expect((await worker.metrics()).filter(({ name }) => !name.startsWith('systole_'))).toEqual([]);
    expect((await fetch(`${url}/other`)).status).toBe(404);
  }, 40_000);

  it('show what is in flight, and what waits for a limit', async () => {
    const setting = '<nvpair id="options-batch" name="batch-limit" value="1"/>';
    const more = '<primitive id="web" class="ocf" provider="systole" type="Dummy"/></resources>';
    const cib = CIB.replace('</cluster_property_set>', `${setting}</cluster_property_set>`).replace('</resources>', more);
    const slow = randomUUID();
    await desk.commands.execute(slow, { type: 'create-cluster', name: 'slow', cib }, { actor: 'test', correlationId: slow });
    const other = new SimulatedNode(desk, slow, 'n1', { takesMs: 3_000 });
    try {
      await other.join();
      const shown = async (): Promise<readonly (number | undefined)[]> => {
        const now = await metrics();
        return [now.get('systole_actions_in_flight'), now.get('systole_actions_waiting'), now.get('systole_clusters_attended')];
      };
      await expect.poll(shown, { timeout: 10_000, interval: 50 }).toEqual([1, 1, 1]);
      expect((await metrics()).get('systole_graphs_cached_bytes')).toBeGreaterThan(0);
    } finally {
      await other.powerOff();
    }
  }, 40_000);
});
