import { randomUUID } from 'node:crypto';
import type { AgentAction, ClusterCommand, ClusterEvent } from '@systole/cluster';
import type { EventStore } from '@systole/event-store';
import { beforeEach, expect, it } from 'vitest';
import type { AgentDesk, SimulatedNode } from './simulated-node.js';
import { CIB, type WorkerBench } from './worker-bench.js';

/** That resources are started, recovered and stopped. */
export function describeResources(bench: WorkerBench): void {
  const { startWorker, startNodes, until, settled, activeNodes, events } = bench;
  let store: EventStore<ClusterEvent>;
  let desk: AgentDesk;
  let clusterId: string;
  let nodes: readonly SimulatedNode[];
  beforeEach(() => {
    ({ store, desk, clusterId, nodes } = bench.now());
  });

  /** @returns the recurring monitors of a resource that agents are asked for, as they come */
  async function startNodesWithMonitorsOf(resource: string): Promise<readonly AgentAction[]> {
    const monitors: AgentAction[] = [];
    await startNodes({
      rcOf: (action) => {
        if (action.resource.id === resource && action.intervalMs > 0) monitors.push(action);
        return undefined;
      },
    });
    return monitors;
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

  it('restarts a resource whose monitor fails', async () => {
    await startWorker();
    const monitors = await startNodesWithMonitorsOf('db');
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

  it('carries the correlation id of a request on to all that follows from it, and that of a report likewise', async () => {
    await startWorker();
    const monitors = await startNodesWithMonitorsOf('db');
    await until('settled', settled);
    const followed = async (correlationId: string): Promise<readonly string[]> =>
      (await store.query({ streamId: clusterId, correlationId })).map(({ type, data }) =>
        type === 'OperationRecorded' ? `${data.operation} ${data.resource}` : type,
      );
    const meta = (correlationId: string) => ({ actor: 'user:alice', correlationId });
    const { version } = await until('settled', settled);
    const command = { type: 'set-resource-mode', resource: 'db', mode: 'disable' } as const satisfies ClusterCommand;
    await desk.commands.execute(clusterId, command, meta('stop-db'));
    await until('planned and settled', (state) => state.version > version + 1 && settled(state));
    expect(await followed('stop-db')).toEqual(['ConfigurationChanged', 'TransitionPlanned', 'stop db', 'TransitionCompleted']);

    await desk.commands.execute(clusterId, { ...command, mode: 'enable' }, meta('start-db'));
    const standby = { type: 'set-standby', node: 'n3', lifetime: 'forever', standby: true } as const;
    await desk.commands.execute(clusterId, standby, meta('standby'));
    await until('settled', settled);
    expect(await followed('start-db')).toEqual(expect.arrayContaining(['TransitionPlanned', 'start db', 'TransitionCompleted']));
    // Both asked for the plan, or for one each.
    expect(await followed('standby')).toEqual(expect.arrayContaining(['TransitionPlanned']));

    const [failing] = activeNodes('db');
    const node = nodes.find(({ name }) => name === failing);
    const monitor = monitors.at(-1);
    if (!monitor || !node) throw new Error('db is not monitored');
    await node.report(monitor, 7, true);
    await until('recovered', (state) => state.lastTransitionNumber > 0 && settled(state));
    const failure = (await store.query({ streamId: clusterId, types: ['OperationRecorded'], direction: 'backward' })).find(
      ({ data }) => 'rc' in data && data.rc === 7 && 'resource' in data && data.resource === 'db',
    );
    expect(await followed(failure?.correlationId ?? '')).toEqual([
      'monitor db',
      'TransitionPlanned',
      'stop db',
      'start db',
      'monitor db',
      'TransitionCompleted',
    ]);
  });

  it('stops nothing because the agent of another node was restarted', async () => {
    await startWorker();
    await startNodes({ takesMs: 40 });
    await until('settled', settled);
    // Where it is then is as good as where it would be put first: it stays there.
    for (const constraints of ['<rsc_location id="at" rsc="db" node="n3" score="INFINITY"/>', '']) {
      const cib = CIB.replace('<constraints/>', `<constraints>${constraints}</constraints>`);
      await desk.commands.execute(clusterId, { type: 'replace-configuration', cib }, { actor: 'test', correlationId: randomUUID() });
      await until('settled', settled);
    }
    expect(activeNodes('db')).toEqual(['n3']);
    const { version } = await until('settled', settled);
    for (const node of nodes) {
      const before = await desk.states.load(clusterId);
      await node.join();
      await until('planned', (state) => state.lastTransitionNumber > before.lastTransitionNumber);
      await until('settled', settled);
    }
    const stops = (await store.readStream(clusterId, { fromVersion: version + 1 })).filter(
      (event) => event.type === 'OperationRecorded' && event.data.operation === 'stop',
    );
    expect(stops).toEqual([]);
    for (const resource of ['fence', 'db', 'web']) expect(activeNodes(resource)).toHaveLength(1);
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
}
