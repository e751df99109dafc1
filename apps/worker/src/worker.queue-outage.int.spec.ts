import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ClusterEvent, ClusterState } from '@systole/cluster';
import { openInstallation } from '@systole/control-plane-postgres';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { openQueues } from '@systole/queue';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorker, type RunningWorker } from './create-worker.js';
import { AgentDesk, SimulatedNode } from './testing/simulated-node.js';
import { freePort } from '@systole/queue/testing';

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

const REDIS = ['redis-server', 'valkey-server'].find((program) => spawnSync(program, ['--version']).status === 0);

async function startRedis(port: number): Promise<ChildProcess> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
  const redis = spawn(REDIS ?? '', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    redis.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Ready to accept connections')) resolve();
    });
    redis.once('exit', () => {
      reject(new Error('Redis ended before it accepted connections'));
    });
  });
  return redis;
}

async function kill(redis: ChildProcess): Promise<void> {
  if (redis.exitCode !== null || redis.signalCode !== null) return;
  const exited = once(redis, 'exit');
  redis.kill('SIGKILL');
  await exited;
}

describe.skipIf(REDIS === undefined)('a worker whose Redis goes away', () => {
  let database: ScratchDatabase;
  let store: EventStore<ClusterEvent>;
  let desk: AgentDesk;
  let redis: ChildProcess;
  let redisPort: number;
  let healthPort: number;
  let worker: RunningWorker | undefined;
  let nodes: SimulatedNode[];
  const clusterId = randomUUID();

  beforeEach(async () => {
    database = await createScratchDatabase();
    store = new EventStore<ClusterEvent>(database.pool);
    desk = new AgentDesk(database.pool, store);
    desk.open();
    redisPort = await freePort();
    healthPort = await freePort();
    redis = await startRedis(redisPort);
    await execute({ type: 'create-cluster', name: 'test', cib: CIB });
    nodes = ['n1', 'n2', 'n3'].map(
      (name) =>
        new SimulatedNode(desk, clusterId, name, {
          powerOff: async (target) => nodes.find((other) => other.name === target)?.powerOff(),
        }),
    );
  });

  afterEach(async () => {
    await worker?.close();
    for (const node of nodes) await node.powerOff();
    await desk.close();
    await store.close();
    await kill(redis);
    await database.drop();
  });

  async function start(): Promise<void> {
    worker = await createWorker({
      databaseUrl: database.url,
      redisUrl: `redis://127.0.0.1:${redisPort}`,
      healthPort,
      logLevel: process.env['LOG_LEVEL'] ?? 'silent',
      leaseScanMs: 100,
    });
    for (const node of nodes) await node.join();
    await reached(settled);
  }

  async function execute(command: Parameters<AgentDesk['commands']['execute']>[1]): Promise<void> {
    await desk.commands.execute(clusterId, command, { actor: 'test', correlationId: randomUUID() });
  }

  async function reached(what: (state: ClusterState) => boolean, timeout = 20_000): Promise<void> {
    await expect.poll(async () => what(await desk.states.load(clusterId)), { timeout }).toBe(true);
  }

  const settled = (state: ClusterState): boolean =>
    state.lastTransitionNumber > 0 && state.transition === undefined && state.recompute === undefined;

  const running = (): SimulatedNode[] => nodes.filter(({ active }) => active.has('db'));

  /** Takes the node that runs db out of service; resolves when db runs elsewhere. */
  async function drain(within: number): Promise<void> {
    const [from] = running();
    await execute({ type: 'set-standby', node: from?.name ?? '', standby: true });
    await reached((state) => settled(state) && running().length === 1 && running()[0] !== from, within);
  }

  async function readiness(): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${healthPort}/health/ready`);
    return { status: response.status, body: await response.json() };
  }

  it('plans changes and fences dead nodes all the same, says so, and uses the queue again when it is back', async () => {
    await start();
    await kill(redis);
    await drain(10_000);
    await expect
      .poll(readiness)
      .toMatchObject({ status: 200, body: { parts: { database: 'up', queue: expect.stringContaining('going on without it') as string } } });

    const [dead] = running();
    await dead?.powerOff();
    await reached((state) => state.nodes[dead?.name ?? '']?.membership === 'down', 25_000);

    redis = await startRedis(redisPort);
    await expect.poll(readiness, { timeout: 15_000 }).toMatchObject({ status: 200, body: { parts: { queue: 'up' } } });
    for (const name of ['n1', 'n2', 'n3']) await execute({ type: 'set-standby', node: name, standby: false });
    await reached(settled);
    await drain(10_000);
  }, 90_000);

  it('starts without it all the same, says so, and takes the queue when it comes', async () => {
    await kill(redis);
    const begun = performance.now();
    await start();
    expect(performance.now() - begun).toBeLessThan(15_000);
    await drain(10_000);
    await expect
      .poll(readiness)
      .toMatchObject({ status: 200, body: { parts: { database: 'up', queue: expect.stringContaining('going on without it') as string } } });

    redis = await startRedis(redisPort);
    await expect.poll(readiness, { timeout: 15_000 }).toMatchObject({ status: 200, body: { parts: { queue: 'up' } } });
    const { id: installation } = await openInstallation(database.pool);
    const queues = await openQueues({ backend: 'redis', redisUrl: `redis://127.0.0.1:${redisPort}`, installation });
    try {
      // Somebody consumes them.
      await queues.enqueueAdvance(clusterId);
      await expect.poll(() => queues.health()).toMatchObject({ status: 'up', jobs: { waiting: 0, active: 0 } });
    } finally {
      await queues.close();
    }
    for (const name of ['n1', 'n2', 'n3']) await execute({ type: 'set-standby', node: name, standby: false });
    await reached(settled);
    await drain(10_000);
  }, 90_000);
});
