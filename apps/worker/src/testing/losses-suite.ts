import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterState } from '@systole/cluster';
import type { ScratchDatabase } from '@systole/event-store/testing';
import { openQueues } from '@systole/queue';
import { beforeEach, expect, it } from 'vitest';
import { type AgentDesk, LEASE_MS, type SimulatedNode } from './simulated-node.js';
import type { WorkerBench } from './worker-bench.js';

/** What is lost between the server and agents, or from the database. */
export function describeLosses(bench: WorkerBench): void {
  const { startWorker, startNodes, until, settled, activeNodes, queueBackend, changeSomethingUnrelated, events } = bench;
  let database: ScratchDatabase;
  let desk: AgentDesk;
  let clusterId: string;
  let nodes: readonly SimulatedNode[];
  beforeEach(() => {
    ({ database, desk, clusterId, nodes } = bench.now());
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
}
