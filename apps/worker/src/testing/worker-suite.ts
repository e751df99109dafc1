import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentAction, ClusterEvent, ClusterState } from '@systole/cluster';
import { openInstallation } from '@systole/control-plane-postgres';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { openQueues, type QueueBackend } from '@systole/queue';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorker, type RunningWorker } from '../create-worker.js';
import { spawnWorker, type WorkerUnderTest } from './worker-process.js';
import { AgentDesk, LEASE_MS, SimulatedNode, type SimulatedBehaviour } from './simulated-node.js';

const CIB = `<cib validate-with="pacemaker-4.0" epoch="1" num_updates="0" admin_epoch="0">
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

const WAITING_AT_GATE = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO action_dispatches%'`;

/** Where a worker under test keeps its queue: PostgreSQL when no Redis is named. */
export interface QueuePlace {
  readonly redisUrl?: string;
}

/** What a worker must do whatever keeps its queue; reported as skipped where there is no such server. */
export function describeWorker(name: string, queue: QueuePlace | undefined): void {
  describe.skipIf(queue === undefined)(`a worker with its queue in ${name}`, () => {
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

    /** Makes whatever plan is under way obsolete. */
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

    it('brings a new cluster to rest with every resource started once', async () => {
      await startWorker();
      await startNodes();
      await until('settled', settled);
      for (const resource of ['fence', 'db', 'web']) expect(activeNodes(resource)).toHaveLength(1);
      const planned = await events((event) => (event.type === 'TransitionPlanned' ? event.data : undefined));
      expect(planned.map(({ number }) => number)).toEqual(planned.map((_, index) => index + 1));
      const executed = nodes.flatMap(({ journal }) => journal);
      expect(new Set(executed).size).toBe(executed.length);
    });

    /** Puts back what the database held when the stream was at a version: the database refuses this, a restored copy is so. */
    async function restore({ version, lastTransitionNumber }: ClusterState): Promise<void> {
      const client = await database.pool.connect();
      await client.query('BEGIN; ALTER TABLE events DISABLE TRIGGER USER');
      await client.query('DELETE FROM events WHERE stream_id = $1 AND version > $2', [clusterId, version]);
      for (const table of ['transitions', 'action_dispatches']) {
        const column = table === 'transitions' ? 'number' : 'transition';
        await client.query(`DELETE FROM ${table} WHERE cluster_id = $1 AND ${column} > $2`, [clusterId, lastTransitionNumber]);
      }
      for (const trigger of ['events_refuse_change', 'events_refuse_row_change']) {
        await client.query(`ALTER TABLE events ENABLE ALWAYS TRIGGER ${trigger}`);
      }
      await client.query('COMMIT');
      client.release();
    }

    it('takes stock when yesterday’s database was put back: nothing is started twice, and it comes to rest when all nodes were heard of', async () => {
      await startWorker();
      await startNodes();
      const yesterday = await until('settled', settled);
      const [former = ''] = activeNodes('db');
      await desk.commands.execute(
        clusterId,
        { type: 'set-standby', node: former, standby: true },
        { actor: 'test', correlationId: randomUUID() },
      );
      await until('moved', (state) => settled(state) && !activeNodes('db').includes(former));
      const [present = ''] = activeNodes('db');
      await restore(yesterday);

      const restored = await until('a new epoch', ({ epoch }) => epoch !== undefined);
      expect(restored.epoch?.earlier).toEqual([clusterId]);
      const others = nodes.filter(({ name }) => name !== present);
      for (const node of others) await node.join();
      await sleep(2 * LEASE_MS);
      expect(activeNodes('db')).toEqual([present]);
      expect(others.flatMap(({ journal }) => journal).filter((id) => id.startsWith(restored.epoch?.id ?? ' '))).toEqual([]);
      await nodes.find(({ name }) => name === present)?.join();
      // `dc-deadtime` from when the worker saw the first join, which it did at once.
      await until('settled again', (state) => settled(state) && state.version > restored.version + 3);
      expect(activeNodes('db')).toHaveLength(1);
      const executed = nodes.flatMap(({ journal }) => journal);
      expect(new Set(executed).size).toBe(executed.length);
      expect(executed.some((id) => id.startsWith(restored.epoch?.id ?? ' '))).toBe(true);
      expect(await events((event) => (event.type === 'FencingRequested' ? event.data.target : undefined))).toEqual([]);
    }, 120_000);

    it('fences a node whose lease ran out and starts its resources elsewhere', async () => {
      await startWorker();
      await startNodes();
      await until('settled', settled);
      const [victim] = activeNodes('db');
      await nodes.find(({ name }) => name === victim)?.powerOff();
      await until('fenced', (state) => state.nodes[victim ?? '']?.membership === 'down');
      await until('settled', settled);
      expect(activeNodes('db')).toHaveLength(1);
      expect(activeNodes('db')).not.toContain(victim);
      expect(await events((event) => (event.type === 'FencingRequested' ? event.data : undefined))).toHaveLength(1);
    });

    it('loses no node because there was no api to renew its lease at, and fences only whoever does not come back', async () => {
      await startWorker();
      await startNodes();
      await until('settled', settled);
      await desk.close();
      await sleep(2 * LEASE_MS);
      const [dead] = nodes;
      await dead?.powerOff();
      desk.open();
      await until('fenced', (state) => state.nodes[dead?.name ?? '']?.membership === 'down');
      await until('settled', settled);
      expect(await events((event) => (event.type === 'NodeLeaseLost' ? event.data.node : undefined))).toEqual([dead?.name]);
      expect(await events((event) => (event.type === 'FencingRequested' ? event.data.target : undefined))).toEqual([dead?.name]);
    });

    it('tries a fence device again, and another executor, before it gives up', async () => {
      await startWorker();
      let tries = 0;
      await startNodes({ rcOf: ({ fence }) => (fence !== undefined && ++tries < 2 ? 1 : undefined) });
      await until('settled', settled);
      const [victim] = activeNodes('web');
      await nodes.find(({ name }) => name === victim)?.powerOff();
      await until('fenced', (state) => state.nodes[victim ?? '']?.membership === 'down');
      await until('settled', settled);
      const attempts = await events((event) => (event.type === 'FencingRequested' ? event.data : undefined));
      expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
      expect(new Set(attempts.map(({ fencingId }) => fencingId)).size).toBe(2);
      expect(activeNodes('web')).not.toContain(victim);
    });

    it('stops everything before it deletes a cluster of which that is asked, and starts nothing more', async () => {
      await startWorker();
      await startNodes();
      const { version } = await until('settled', settled);
      expect(activeNodes('db')).toHaveLength(1);
      await desk.commands.execute(clusterId, { type: 'stop-cluster' }, { actor: 'test', correlationId: randomUUID() });
      await until('deleted', ({ existence }) => existence === 'deleted');
      for (const resource of ['fence', 'db', 'web']) expect(activeNodes(resource)).toEqual([]);
      const done = (await store.readStream(clusterId, { fromVersion: version + 1 })).flatMap((event) =>
        event.type === 'OperationRecorded' ? [event.data.operation] : [],
      );
      expect(done).toContain('stop');
      expect(done).not.toContain('start');
    });

    it('restarts a resource whose monitor fails', async () => {
      await startWorker();
      const monitors: AgentAction[] = [];
      await startNodes({
        rcOf: (action) => {
          if (action.resource.id === 'db' && action.intervalMs > 0) monitors.push(action);
          return undefined;
        },
      });
      await until('settled', settled);
      const [monitor] = monitors;
      const [failing] = activeNodes('db');
      const node = nodes.find(({ name }) => name === failing);
      if (!monitor || !node) throw new Error('db is not monitored');
      const before = await desk.states.load(clusterId);
      await node.report(monitor, 7, true);
      await until('planned again', (state) => state.lastTransitionNumber > before.lastTransitionNumber);
      await until('settled', settled);
      const operations = (await events((event) => (event.type === 'OperationRecorded' ? event.data : undefined)))
        .filter(({ resource }) => resource === 'db')
        .map(({ operation }) => operation);
      expect(operations.slice(-3)).toEqual(['stop', 'start', 'monitor']);
      expect(activeNodes('db')).toHaveLength(1);
    });

    it('does not wait for what was delivered to an agent that has joined anew since', async () => {
      await startWorker();
      const forgotten: string[] = [];
      await startNodes({
        rcOf: ({ resource, operation, actionId }) => {
          if (resource.id !== 'db' || operation !== 'start' || forgotten.length > 0) return undefined;
          forgotten.push(actionId);
          return 'lost';
        },
      });
      await until('the start of db was delivered', () => forgotten.length > 0);
      await nodes.find(({ journal }) => journal.includes(forgotten[0] ?? ''))?.join();
      await until('settled', settled, 10_000);
      expect(activeNodes('db')).toHaveLength(1);
    });

    it.each(['running', 'aborting'])(
      'does nothing twice when the rows of what was handed out are lost while a transition is %s',
      async (status) => {
        await startWorker();
        let starting: { readonly node: string; readonly transition: number } | undefined;
        const begun = new Map<string, number>();
        await startNodes({
          takesMs: 400,
          rcOf: ({ actionId }) => {
            begun.set(actionId, (begun.get(actionId) ?? 0) + 1);
            return undefined;
          },
          answerLost: async (actions) => {
            const start = actions.find(({ resource, operation }) => resource.id === 'db' && operation === 'start');
            if (start === undefined || starting !== undefined) return false;
            const { transition } = await desk.ports.log.load(clusterId);
            const { rows } = await database.pool.query<{ node: string }>('SELECT node FROM action_dispatches WHERE action_id = $1', [
              start.actionId,
            ]);
            starting = { node: rows[0]?.node ?? '', transition: transition?.number ?? 0 };
            return false;
          },
        });
        await until('db is being started', () => starting !== undefined);
        const { node, transition } = starting ?? { node: '', transition: 0 };
        await database.pool.query('DELETE FROM action_dispatches');
        if (status === 'aborting') {
          await desk.commands.execute(
            clusterId,
            { type: 'set-standby', node, standby: true },
            { actor: 'test', correlationId: randomUUID() },
          );
        }
        await until('settled', (state) => {
          expect(activeNodes('db').length).toBeLessThan(2);
          return settled(state);
        });
        expect(activeNodes('db')).toHaveLength(1);
        expect([...begun.values()].filter((times) => times > 1)).toEqual([]);
        const ended = await events((event) => {
          if (event.type === 'OperationRecorded' && event.data.resource === 'db' && event.data.operation === 'start') return 'started';
          return event.type === 'TransitionCompleted' && event.data.number === transition ? 'ended' : undefined;
        });
        expect(ended.indexOf('started')).toBeLessThan(ended.indexOf('ended'));
      },
    );

    it('hands out nothing of a transition that a change made obsolete, and plans again', async () => {
      await startWorker();
      await startNodes({ takesMs: 300 });
      const state = await until('something under way', ({ transition }) => transition?.status === 'running');
      const number = state.transition?.number ?? 0;
      await until('handed out', () => nodes.some(({ journal }) => journal.length > 0));
      await desk.commands.execute(
        clusterId,
        { type: 'set-standby', node: 'n3', standby: true },
        { actor: 'test', correlationId: randomUUID() },
      );
      await until('settled', settled);
      const completed = await events((event) => (event.type === 'TransitionCompleted' ? event.data : undefined));
      expect(completed.find((one) => one.number === number)?.outcome).toBe('aborted');
      const changedAt = (await store.query({ streamId: clusterId, types: ['ConfigurationChanged'], limit: 10 })).at(-1)?.version ?? 0;
      const late = (await store.readStream(clusterId, { fromVersion: changedAt })).filter(
        (event) =>
          event.type === 'OperationRecorded' &&
          event.data.operation === 'start' &&
          event.data.actionId?.startsWith(`${clusterId}:${number}:`) === true,
      );
      expect(late).toEqual([]);
    });

    it.each([
      ['and the transition goes on: they are delivered again', false],
      ['and a change aborts the transition: they are taken back and nobody waits for them', true],
    ])('copes when the answer with the stops of a node is lost, %s', async (_, abort) => {
      await startWorker();
      const queues = await openQueues(await queueBackend());
      desk.wakeWorker = (id) => queues.enqueueAdvance(id);
      try {
        let losing = false;
        const lost: string[] = [];
        await startNodes({
          answerLost: async (actions) => {
            const stops = actions.filter(({ operation }) => operation === 'stop');
            if (!losing || stops.length === 0) return false;
            losing = false;
            lost.push(...stops.map(({ actionId }) => actionId));
            if (abort) {
              await changeSomethingUnrelated();
            }
            return true;
          },
        });
        await until('settled', settled);
        losing = true;
        const [source = ''] = activeNodes('db');
        await desk.commands.execute(
          clusterId,
          { type: 'set-standby', node: source, standby: true },
          { actor: 'test', correlationId: randomUUID() },
        );
        await until('lost', () => lost.length > 0);
        await until('settled', settled, 8_000);
        const executed = nodes.flatMap(({ journal }) => journal);
        expect(lost.map((actionId) => executed.includes(actionId))).toEqual(lost.map(() => !abort));
        expect(activeNodes('db')).toHaveLength(1);
        expect(activeNodes('db')).not.toContain(source);
        const outcomes = await events((event) => (event.type === 'OperationRecorded' ? event.data.status : undefined));
        expect(outcomes).not.toContain('timeout');
        expect(await events((event) => (event.type === 'FencingRequested' ? event.data.target : undefined))).toEqual([]);
      } finally {
        await queues.close();
      }
    });

    it('calls a fencing off whose order was lost, when a change aborts the transition, and fences by the next plan', async () => {
      await startWorker();
      const queues = await openQueues(await queueBackend());
      desk.wakeWorker = (id) => queues.enqueueAdvance(id);
      try {
        const fenced: string[] = [];
        let losing = true;
        await startNodes({
          powerOff: async (target) => {
            fenced.push(target);
            await nodes.find(({ name }) => name === target)?.powerOff();
          },
          answerLost: async (actions) => {
            if (!losing || !actions.some(({ kind }) => kind === 'fence')) return false;
            losing = false;
            await changeSomethingUnrelated();
            return true;
          },
        });
        await until('settled', settled);
        const [victim = ''] = activeNodes('db');
        await nodes.find(({ name }) => name === victim)?.powerOff();
        await until('fenced', (state) => state.nodes[victim]?.membership === 'down');
        expect(fenced).toEqual([victim]);
        const [first, second] = await events((event) => (event.type === 'FencingCompleted' ? event.data : undefined));
        expect(first).toMatchObject({ target: victim, outcome: 'failed' });
        expect(first?.detail).toContain('called off');
        expect(second).toMatchObject({ target: victim, outcome: 'succeeded' });
      } finally {
        await queues.close();
      }
    });

    it('waits for fencing that is under way when the rows of what was handed out are lost and a change aborts the transition', async () => {
      await startWorker();
      const fenced: string[] = [];
      await startNodes({
        powerOff: async (target) => {
          fenced.push(target);
          await database.pool.query('DELETE FROM action_dispatches');
          await changeSomethingUnrelated();
          await sleep(500);
          await nodes.find(({ name }) => name === target)?.powerOff();
        },
      });
      await until('settled', settled);
      const [victim = ''] = activeNodes('db');
      await nodes.find(({ name }) => name === victim)?.powerOff();
      await until('fenced', (state) => state.nodes[victim]?.membership === 'down');
      await until('settled', settled);
      await expectFencedOnce(fenced, victim);
    });

    it('tries to fence again cluster-recheck-interval after it gave up, though nothing happened', async () => {
      const options = [
        ['stonith-max-attempts', '1'],
        ['cluster-recheck-interval', '5s'],
      ].map(([name = '', value = '']) => `<nvpair id="options-${name}" name="${name}" value="${value}"/>`);
      await desk.commands.execute(
        clusterId,
        { type: 'replace-configuration', cib: CIB.replace('</cluster_property_set>', `${options.join('')}</cluster_property_set>`) },
        { actor: 'test', correlationId: randomUUID() },
      );
      await startWorker();
      let broken = true;
      await startNodes({ rcOf: ({ fence }) => (fence !== undefined && broken ? 1 : undefined) });
      await until('settled', settled);
      const [victim = ''] = activeNodes('db');
      await nodes.find(({ name }) => name === victim)?.powerOff();
      const held = await until(
        'held',
        ({ fencingFailures, transition }) => fencingFailures[victim] !== undefined && transition?.status === 'running',
      );
      broken = false;
      await until('fenced', (state) => state.nodes[victim]?.membership === 'down');
      await until('settled', settled);
      const planned = await events((event) => (event.type === 'TransitionPlanned' ? event.data : undefined));
      expect(planned.find(({ number }) => number > (held.transition?.number ?? 0))?.trigger).toBe('cluster-recheck-interval');
      expect(activeNodes('db')).not.toContain(victim);
    });

    /** What the fence device did, and what the stream says of it: one attempt, which succeeded. */
    async function expectFencedOnce(fenced: readonly string[], victim: string): Promise<void> {
      expect(fenced).toEqual([victim]);
      expect(await events((event) => (event.type === 'FencingRequested' ? event.data.target : undefined))).toEqual([victim]);
      expect(await events((event) => (event.type === 'FencingCompleted' ? event.data.outcome : undefined))).toEqual(['succeeded']);
      expect(activeNodes('db')).toHaveLength(1);
    }

    it('may be killed between the decision to fence and its dispatch: the node is fenced once', async () => {
      const gate = await database.pool.connect();
      await gate.query(`
        CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEW; END';
        CREATE TRIGGER gate BEFORE INSERT ON action_dispatches
          FOR EACH ROW WHEN (NEW.payload->>'kind' = 'fence') EXECUTE FUNCTION wait_at_gate();
        SELECT pg_advisory_lock(4711)`);
      const fenced: string[] = [];
      const worker = await spawn();
      try {
        await startNodes({
          powerOff: async (target) => {
            fenced.push(target);
            await Promise.all(nodes.filter(({ name }) => name === target).map((node) => node.powerOff()));
          },
        });
        await until('settled', settled);
        const [victim = ''] = activeNodes('db');
        await nodes.find(({ name }) => name === victim)?.powerOff();
        await until('decided', ({ fencing }) => Object.keys(fencing).length > 0, 30_000);
        await expect.poll(async () => (await gate.query(WAITING_AT_GATE)).rowCount).toBe(1);
        await worker.kill();
        await gate.query(`SELECT pg_terminate_backend(pid) FROM (${WAITING_AT_GATE}) AS waiting`);
        await gate.query('SELECT pg_advisory_unlock(4711)');
        expect(fenced).toEqual([]);

        await startWorker();
        await until('fenced', (state) => state.nodes[victim]?.membership === 'down');
        await until('settled', settled);
        await expectFencedOnce(fenced, victim);
      } finally {
        await worker.kill();
        gate.release(true);
      }
    }, 90_000);

    it('may be frozen while it moves a cluster, in the midst of a transaction: another goes on within seconds', async () => {
      const gate = await database.pool.connect();
      await gate.query(`
        CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEW; END';
        CREATE TRIGGER gate BEFORE INSERT ON action_dispatches FOR EACH ROW EXECUTE FUNCTION wait_at_gate();
        SELECT pg_advisory_lock(4711)`);
      const worker = await spawn();
      try {
        await startNodes();
        await expect.poll(async () => (await gate.query(WAITING_AT_GATE)).rowCount).toBe(1);
        worker.freeze();
        await gate.query('SELECT pg_advisory_unlock(4711)');
        await startWorker();
        await until('settled', settled, 25_000);
        for (const resource of ['fence', 'db', 'web']) expect(activeNodes(resource)).toHaveLength(1);
        const executed = nodes.flatMap(({ journal }) => journal);
        expect(new Set(executed).size).toBe(executed.length);
      } finally {
        await worker.kill();
        gate.release(true);
      }
    }, 90_000);

    it.each([
      ['the node is back before the device has answered', true],
      ['the node comes back later', false],
    ])(
      'may be killed while a fence device is at work, and %s: nothing is fenced twice',
      async (_, early) => {
        const fenced: string[] = [];
        const behaviour: SimulatedBehaviour = {
          powerOff: async (target) => {
            fenced.push(target);
            await nodes.find(({ name }) => name === target)?.powerOff();
            if (early) await reboot(target);
            await sleep(3_000);
          },
        };
        const reboot = async (name: string): Promise<void> => {
          const node = new SimulatedNode(desk, clusterId, name, behaviour);
          nodes.push(node);
          await node.join();
        };
        const worker = await spawn();
        try {
          await startNodes(behaviour);
          await until('settled', settled);
          const [victim = ''] = activeNodes('db');
          await nodes.find(({ name }) => name === victim)?.powerOff();
          await until('the device is at work', () => fenced.length > 0, 30_000);
          await worker.kill();
          await until('the device has answered', ({ fencing }) => Object.keys(fencing).length === 0);
          await startWorker();
          if (!early) {
            await until('fenced', (state) => state.nodes[victim]?.membership === 'down');
            await reboot(victim);
          }
          await until('settled', (state) => settled(state) && state.nodes[victim]?.membership === 'joined');
          expect((await desk.states.load(clusterId)).nodes[victim]?.incarnation).toBe(2);
          await expectFencedOnce(fenced, victim);
        } finally {
          await worker.kill();
        }
      },
      90_000,
    );

    it('may be killed at any moment: others go on, and nothing is done twice', async () => {
      await startNodes({ takesMs: 60 });
      for (let life = 0; life < 5; life++) {
        const worker = await spawn();
        const before = nodes.flatMap(({ journal }) => journal).length;
        await until('work', (state) => settled(state) || nodes.flatMap(({ journal }) => journal).length > before + life);
        await worker.kill();
      }
      await startWorker();
      await until('settled', settled, 40_000);

      const executed = nodes.flatMap(({ journal }) => journal);
      expect(new Set(executed).size).toBe(executed.length);
      const operations = (await events((event) => (event.type === 'OperationRecorded' ? event.data : undefined))).map(
        ({ resource, operation, intervalMs, node }) => `${operation}/${intervalMs} ${resource} ${node}`,
      );
      expect(new Set(operations).size).toBe(operations.length);
      const planned = await events((event) => (event.type === 'TransitionPlanned' ? event.data : undefined));
      expect(planned.map(({ number }) => number)).toEqual(planned.map((_, index) => index + 1));
      for (const resource of ['fence', 'db', 'web']) expect(activeNodes(resource)).toHaveLength(1);
    }, 90_000);
  });
}
