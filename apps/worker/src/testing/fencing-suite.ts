import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScratchDatabase } from '@systole/event-store/testing';
import { openQueues } from '@systole/queue';
import { beforeEach, expect, it } from 'vitest';
import { type AgentDesk, LEASE_MS, type SimulatedNode } from './simulated-node.js';
import { CIB, type WorkerBench } from './worker-bench.js';

/** Whom a worker fences, and how often. */
export function describeFencing(bench: WorkerBench): void {
  const { startWorker, startNodes, until, settled, activeNodes, queueBackend, changeSomethingUnrelated, events, expectFencedOnce } = bench;
  let database: ScratchDatabase;
  let desk: AgentDesk;
  let clusterId: string;
  let nodes: readonly SimulatedNode[];
  beforeEach(() => {
    ({ database, desk, clusterId, nodes } = bench.now());
  });

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
}
