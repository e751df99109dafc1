import { setTimeout as sleep } from 'node:timers/promises';
import type { ScratchDatabase } from '@systole/event-store/testing';
import { beforeEach, expect, it } from 'vitest';
import { type AgentDesk, type SimulatedBehaviour, SimulatedNode } from './simulated-node.js';
import type { WorkerBench } from './worker-bench.js';

/** Those who wait to hand something out. */
const WAITING_AT_GATE = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO action_dispatches%'`;

/** Workers that are killed or frozen. */
export function describeKilledWorkers(bench: WorkerBench): void {
  const { startWorker, spawn, startNodes, until, settled, activeNodes, events, expectFencedOnce } = bench;
  let database: ScratchDatabase;
  let desk: AgentDesk;
  let clusterId: string;
  let nodes: SimulatedNode[];
  beforeEach(() => {
    ({ database, desk, clusterId, nodes } = bench.now());
  });

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
}
