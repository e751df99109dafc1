import type { ClusterEvent } from '@systole/cluster';
import { MemoryDatabase } from '@systole/control-plane/memory';
import { PROTOCOL } from '@systole/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MachineClock, Process } from './process.js';
import { SimulatedQueue } from './queue.js';
import { Random } from './random.js';
import { ApiProcess, workerIn, type Ground } from './server.js';
import { VirtualTime } from './virtual-time.js';

const CLUSTER = 'c';
const HOUR_MS = 3_600_000;
const PROBE_TIMEOUT_MS = 20_000;
/** `cluster-delay`, which the graph of a plan names. */
const ALLOWANCE_MS = 60_000;
const FENCE_TIMEOUT_MS = 15_000;
const FENCE_ALLOWANCE_MS = 10_000;
/** The worker looks at least so often. */
const LOOK_MS = 3_000;
/** Agents get it to find an api that has just come: in the beginning nobody's time runs before; and after a step of the clock, which looks like an absence. Less than a lease. */
const AGENT_PAUSE_MS = 5_000;
/** How late it is known that agents could report: a beat of the api, and a look at it. */
const KNOWN_LATE_MS = 1_000;

const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>' +
  '<crm_config><cluster_property_set id="o"><nvpair id="o1" name="stonith-timeout" value="15s"/><nvpair id="o2" name="stonith-max-attempts" value="1"/></cluster_property_set></crm_config>' +
  '<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes><resources>' +
  '<primitive id="fencing" class="stonith" type="fence_simulated"/>' +
  '<primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources><constraints/></configuration><status/></cib>';

/** Two nodes, of which the first answers nothing but polls, and the second leaves everybody waiting after a while. */
async function run(steps: readonly { readonly atMs: number; readonly byMs: number }[]) {
  const time = new VirtualTime();
  const random = new Random(1);
  const machine = new MachineClock(time);
  const database = new MemoryDatabase(machine);
  const ground: Ground = {
    database,
    random,
    queue: new SimulatedQueue(time, random),
    report: { info: () => undefined, warn: () => undefined },
  };
  // No call takes long: the bounds below are those of the looks, whatever a turn asks for.
  const spawn = (): Process => new Process(time, random, new MachineClock(time), { slow: 0 });
  const api = new ApiProcess(spawn(), ground);
  const process = spawn();
  const worker = workerIn(process, ground);
  ground.queue.consumers = [{ process, worker }];
  const at = new Map<ClusterEvent['type'], number[]>();
  database.onAppended = (clusterId, { events }) => {
    for (const { type } of events) at.set(type, [...(at.get(type) ?? []), time.now]);
    worker.want(clusterId);
  };
  void api.start();
  void api.operate(CLUSTER, { type: 'create-cluster', name: 'c', cib: CIB });
  await time.runUntil(100);
  worker.start();
  for (const { atMs, byMs } of steps) {
    time.after(atMs, () => {
      machine.step(byMs);
    });
  }
  const poll = async (node: string, untilMs: number): Promise<void> => {
    const caller = { clusterId: CLUSTER, node, tokenId: 't', actor: `agent:${node}` };
    const joined = await api.sessions.join(caller, { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' }, 'test');
    if (!joined.ok) throw new Error(joined.rejection.message);
    const { incarnation } = joined.answer;
    const known: string[] = [];
    for (let seq = 1; time.now < untilMs; seq++) {
      const polled = await api.sessions.poll(caller, { incarnation, waitMs: 1_000, seq, known, active: [], watchdog: false }, [], 'test');
      if (!polled.ok) throw new Error(polled.rejection.message);
      known.push(...polled.answer.actions.map(({ actionId }) => actionId));
    }
  };
  void poll('n1', HOUR_MS);
  void poll('n2', 30_000);
  await time.runUntil(280_000);
  return { events: database.eventsOf(CLUSTER), at };
}

describe('what nobody answers', () => {
  const steps = fc.array(
    fc.record({ atMs: fc.integer({ min: 1_000, max: 200_000 }), byMs: fc.constantFrom(-HOUR_MS, HOUR_MS, -300_000, 300_000) }),
    { maxLength: 4 },
  );

  it('is given up when its time is over by the worker’s own clock, wherever the database’s steps', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (stepped) => {
        const { events, at } = await run(stepped);
        const timeouts = events.filter(({ event }) => event.type === 'OperationRecorded' && event.data.status === 'timeout');
        expect(timeouts.length).toBeGreaterThan(0);
        const lateMs = KNOWN_LATE_MS + LOOK_MS + stepped.length * AGENT_PAUSE_MS;
        const [planned = 0] = at.get('TransitionPlanned') ?? [];
        const [recorded = 0] = at.get('OperationRecorded') ?? [];
        expect(recorded - planned).toBeGreaterThanOrEqual(PROBE_TIMEOUT_MS + ALLOWANCE_MS);
        expect(recorded - planned).toBeLessThan(PROBE_TIMEOUT_MS + ALLOWANCE_MS + AGENT_PAUSE_MS + lateMs);
        const [requested = 0] = at.get('FencingRequested') ?? [];
        const [completed = 0] = at.get('FencingCompleted') ?? [];
        expect(completed - requested).toBeGreaterThanOrEqual(FENCE_TIMEOUT_MS + FENCE_ALLOWANCE_MS);
        expect(completed - requested).toBeLessThan(FENCE_TIMEOUT_MS + FENCE_ALLOWANCE_MS + lateMs);
      }),
      { numRuns: 30 },
    );
  });
});
