import { randomUUID } from 'node:crypto';
import type { ClusterEvent, ClusterState } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, FallingSilent, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorker, type RunningWorker } from './create-worker.js';
import { AgentDesk, SimulatedNode } from './testing/simulated-node.js';

const CIB = `<cib validate-with="pacemaker-4.0" epoch="1" num_updates="0" admin_epoch="0">
  <configuration>
    <crm_config/>
    <nodes><node id="1" uname="n1"/><node id="2" uname="n2"/><node id="3" uname="n3"/></nodes>
    <resources>
      <primitive id="fence" class="stonith" type="fence_test"/>
      <primitive id="db" class="ocf" provider="systole" type="Dummy"/>
    </resources>
    <constraints/>
  </configuration>
  <status/>
</cib>`;

describe('a worker whose connections to the database fall silent', () => {
  let database: ScratchDatabase;
  let way: FallingSilent;
  let store: EventStore<ClusterEvent>;
  let desk: AgentDesk;
  let worker: RunningWorker | undefined;
  let nodes: SimulatedNode[];
  const clusterId = randomUUID();

  beforeEach(async () => {
    database = await createScratchDatabase();
    way = await FallingSilent.before(database.url);
    store = new EventStore<ClusterEvent>(database.pool);
    desk = new AgentDesk(database.pool, store);
    desk.open();
    await desk.commands.execute(
      clusterId,
      { type: 'create-cluster', name: 'test', cib: CIB },
      { actor: 'test', correlationId: randomUUID() },
    );
    nodes = ['n1', 'n2', 'n3'].map(
      (name) =>
        new SimulatedNode(desk, clusterId, name, {
          powerOff: async (target) => nodes.find((other) => other.name === target)?.powerOff(),
        }),
    );
  });

  afterEach(async () => {
    await way.close();
    await worker?.close();
    for (const node of nodes) await node.powerOff();
    await desk.close();
    await store.close();
    await database.drop();
  });

  const reached = async (what: (state: ClusterState) => boolean, timeout: number): Promise<void> => {
    await expect.poll(async () => what(await desk.states.load(clusterId)), { timeout }).toBe(true);
  };
  const settled = (state: ClusterState): boolean =>
    state.lastTransitionNumber > 0 && state.transition === undefined && state.recompute === undefined;
  const running = (): SimulatedNode[] => nodes.filter(({ active }) => active.has('db'));

  it('fences a node that dies then within a minute, and starts elsewhere what it ran', { timeout: 120_000 }, async () => {
    worker = await createWorker({ databaseUrl: way.url, logLevel: 'silent', leaseScanMs: 100 });
    for (const node of nodes) await node.join();
    await reached((state) => settled(state) && running().length === 1, 20_000);
    const [dead] = running();
    way.fallSilent();
    await dead?.powerOff();
    await reached((state) => settled(state) && state.nodes[dead?.name ?? '']?.membership === 'down' && running().length === 1, 60_000);
  });
});
