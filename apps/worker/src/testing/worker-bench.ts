import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterEvent, ClusterState } from '@systole/cluster';
import { openInstallation } from '@systole/control-plane-postgres';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import type { QueueBackend } from '@systole/queue';
import { afterEach, beforeEach, expect } from 'vitest';
import { createWorker, type RunningWorker } from '../create-worker.js';
import { AgentDesk, type SimulatedBehaviour, SimulatedNode } from './simulated-node.js';
import { spawnWorker, type WorkerUnderTest } from './worker-process.js';

/** Fencing, two resources that are monitored, three nodes. */
export const CIB = `<cib validate-with="pacemaker-4.0" epoch="1" num_updates="0" admin_epoch="0">
  <configuration>
    <crm_config><cluster_property_set id="options">
      <nvpair id="options-fencing" name="stonith-enabled" value="true"/>
    </cluster_property_set></crm_config>
    <nodes><node id="1" uname="n1"/><node id="2" uname="n2"/><node id="3" uname="n3"/></nodes>
    <resources>
      <primitive id="fence" class="stonith" type="fence_test"/>
      <primitive id="db" class="ocf" provider="systole" type="Dummy">
        <operations><op id="db-monitor" name="monitor" interval="10s"/></operations>
      </primitive>
      <primitive id="web" class="ocf" provider="systole" type="Dummy">
        <operations><op id="web-monitor" name="monitor" interval="10s"/></operations>
      </primitive>
    </resources>
    <constraints/>
  </configuration>
  <status/>
</cib>`;

/** Where a worker under test keeps its queue: PostgreSQL when no Redis is named. */
export interface QueuePlace {
  readonly redisUrl?: string;
}

/** What a test of a worker finds: a database of its own with a cluster, agents that can be served, and no worker yet. */
export interface WorkerAtHand {
  readonly database: ScratchDatabase;
  readonly store: EventStore<ClusterEvent>;
  readonly desk: AgentDesk;
  readonly clusterId: string;
  /** Those that were started; a test may add others. */
  readonly nodes: SimulatedNode[];
}

/** {@link WorkerAtHand}, and what tests of workers do all the time. */
export interface WorkerBench {
  readonly now: () => WorkerAtHand;
  /** In this process. */
  readonly startWorker: () => Promise<void>;
  /** In a process of its own. */
  readonly spawn: () => Promise<WorkerUnderTest>;
  readonly startNodes: (behaviour?: SimulatedBehaviour) => Promise<void>;
  /** @throws {Error} when it is not reached within `patienceMs` */
  readonly until: (what: string, reached: (state: ClusterState) => boolean, patienceMs?: number) => Promise<ClusterState>;
  /** Nothing runs, and nothing is to be planned. */
  readonly settled: (state: ClusterState) => boolean;
  /** Names of the nodes on which a resource runs. */
  readonly activeNodes: (resource: string) => string[];
  readonly queueBackend: () => Promise<QueueBackend>;
  /** What every plan depends on, and no resource. */
  readonly changeSomethingUnrelated: () => Promise<void>;
  /** The events of a cluster, picked and typed by what `pick` lets through. */
  readonly events: <T>(pick: (event: ClusterEvent) => T | undefined) => Promise<T[]>;
  /** What the fence device did, and what the stream says of it: one attempt, which succeeded. */
  readonly expectFencedOnce: (fenced: readonly string[], victim: string) => Promise<void>;
}

/** Makes another database before each test of the describe that it is called in, and ends all that was started after it. */
export function workerBench(queue: QueuePlace | undefined): WorkerBench {
  let database: ScratchDatabase;
  let store: EventStore<ClusterEvent>;
  let desk: AgentDesk;
  let clusterId: string;
  let nodes: SimulatedNode[];
  const workers: RunningWorker[] = [];

  beforeEach(async () => {
    database = await createScratchDatabase({ poolSize: 20 });
    store = new EventStore<ClusterEvent>(database.pool);
    desk = new AgentDesk(database.pool, store);
    desk.open();
    clusterId = randomUUID();
    nodes = [];
    await desk.commands.execute(
      clusterId,
      { type: 'create-cluster', name: 'test', cib: CIB },
      { actor: 'test', correlationId: randomUUID() },
    );
  });

  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
    for (const node of nodes) await node.powerOff();
    await desk.close();
    await store.close();
    await database.drop();
  });

  async function startWorker(): Promise<void> {
    workers.push(
      await createWorker({ databaseUrl: database.url, ...queue, logLevel: process.env['LOG_LEVEL'] ?? 'silent', leaseScanMs: 100 }),
    );
  }

  async function spawn(): Promise<WorkerUnderTest> {
    // An empty value counts as none, whatever this process inherited.
    return spawnWorker({ DATABASE_URL: database.url, REDIS_URL: queue?.redisUrl ?? '' });
  }

  async function startNodes(behaviour: SimulatedBehaviour = {}): Promise<void> {
    for (const name of ['n1', 'n2', 'n3']) {
      const node = new SimulatedNode(desk, clusterId, name, {
        powerOff: async (target) => nodes.find((other) => other.name === target)?.powerOff(),
        ...behaviour,
      });
      nodes.push(node);
      await node.join();
    }
  }

  async function until(what: string, reached: (state: ClusterState) => boolean, patienceMs = 20_000): Promise<ClusterState> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const state = await desk.ports.log.load(clusterId);
      if (reached(state)) return state;
      if (Date.now() > deadline) throw new Error(`${what}: not within ${patienceMs} ms; ${JSON.stringify({ ...state, cib: undefined })}`);
      await sleep(20);
    }
  }

  const settled = (state: ClusterState): boolean =>
    state.lastTransitionNumber > 0 && state.transition === undefined && state.recompute === undefined;

  const activeNodes = (resource: string): string[] => nodes.filter((node) => node.active.has(resource)).map(({ name }) => name);

  const queueBackend = async (): Promise<QueueBackend> =>
    queue?.redisUrl === undefined
      ? { backend: 'postgres', databaseUrl: database.url }
      : { backend: 'redis', redisUrl: queue.redisUrl, installation: (await openInstallation(database.pool)).id };

  /** What every plan depends on, and no resource. */
  async function changeSomethingUnrelated(): Promise<void> {
    await desk.commands.execute(
      clusterId,
      { type: 'set-node-attribute', node: 'n3', name: 'site-name', value: '1', lifetime: 'forever' },
      { actor: 'test', correlationId: randomUUID() },
    );
  }

  /** The events of a cluster, picked and typed by what `pick` lets through. */
  async function events<T>(pick: (event: ClusterEvent) => T | undefined): Promise<T[]> {
    const recorded = await store.readStream(clusterId);
    return recorded.flatMap((event) => pick(event) ?? []);
  }

  /** What the fence device did, and what the stream says of it: one attempt, which succeeded. */
  async function expectFencedOnce(fenced: readonly string[], victim: string): Promise<void> {
    expect(fenced).toEqual([victim]);
    expect(await events((event) => (event.type === 'FencingRequested' ? event.data.target : undefined))).toEqual([victim]);
    expect(await events((event) => (event.type === 'FencingCompleted' ? event.data.outcome : undefined))).toEqual(['succeeded']);
    expect(activeNodes('db')).toHaveLength(1);
  }

  const now = (): WorkerAtHand => ({ database, store, desk, clusterId, nodes });
  return {
    now,
    startWorker,
    spawn,
    startNodes,
    until,
    settled,
    activeNodes,
    queueBackend,
    changeSomethingUnrelated,
    events,
    expectFencedOnce,
  };
}
