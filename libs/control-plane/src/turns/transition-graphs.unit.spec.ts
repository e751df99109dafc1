import { emptyCib, type PlannedTransition, type TransitionGraph } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import type { PlannedSchedule, Scheduling } from '../ports/scheduling.js';
import type { StoredGraphs } from '../ports/transition-graphs.js';
import { TransitionGraphs } from './transition-graphs.js';

const DIGEST = 'd'.repeat(64);
const PLAN: PlannedTransition = { number: 3, inputVersion: 7, plannedVersion: 8, now: 1, digest: DIGEST, schedulerVersion: '1' };
const CLUSTER = { clusterId: 'c' };

const graphOf = (clusterDelay: string): TransitionGraph => ({
  clusterDelay,
  fencingTimeout: '60s',
  failedStopOffset: 'INFINITY',
  failedStartOffset: '1',
  batchLimit: '0',
  synapses: [],
});
const bytesOf = (graph: TransitionGraph): Uint8Array => new TextEncoder().encode(JSON.stringify(graph));

/** A process on a table of graphs, whose scheduler comes to this digest. */
function processOn(table: Map<string, Uint8Array>, digest = DIGEST, mostBytes?: number) {
  const computed: string[] = [];
  const told: string[] = [];
  const stored: StoredGraphs = {
    graphOf: (clusterId, plan) => Promise.resolve(table.get(`${clusterId} ${plan.number} ${plan.digest}`)),
    store: (clusterId, plan, graph) => {
      if (graph.length === 0) return Promise.reject(new Error('the database is away'));
      table.set(`${clusterId} ${plan.number} ${plan.digest}`, graph);
      return Promise.resolve();
    },
  };
  const planOf = (clusterId: string): PlannedSchedule => {
    computed.push(clusterId);
    const graph = graphOf('computed');
    const counts = { actions: 0, pseudo: 0, fencing: 0 };
    return { graph, digest, stored: Promise.resolve(bytesOf(graph)), counts, active: 0, summary: [], schedulerMs: 0 };
  };
  const scheduling: Scheduling = {
    version: '1',
    schedule: (clusterId) => Promise.resolve(planOf(clusterId)),
    graphFrom: (bytes) => Promise.resolve().then(() => JSON.parse(new TextDecoder().decode(bytes)) as TransitionGraph),
  };
  const log = { loadAt: () => Promise.resolve({ cib: emptyCib() } as never) };
  const report = { info: (_: object, text: string) => void told.push(text), warn: (_: object, text: string) => void told.push(text) };
  const forgotten: string[] = [];
  const graphs = new TransitionGraphs(stored, log, scheduling, report, (clusterId) => forgotten.push(clusterId), mostBytes);
  return { graphs, computed, told, planOf, forgotten };
}

describe('the graph of a transition', () => {
  it('is there as soon as it is planned, before it is stored', async () => {
    const { graphs, planOf } = processOn(new Map());
    const planned: PlannedSchedule = { ...planOf('c'), stored: new Promise(() => undefined) };
    graphs.begin('c', PLAN.number, planned);
    expect(await graphs.of(CLUSTER, PLAN)).toBe(planned.graph);
  });

  it('is new to whoever asks first where this process planned it, and to nobody else', () => {
    const { graphs, planOf } = processOn(new Map());
    graphs.begin('c', PLAN.number, planOf('c'));
    expect(graphs.isNew('d', PLAN)).toBe(false);
    expect(graphs.isNew('c', PLAN)).toBe(true);
    expect(graphs.isNew('c', PLAN)).toBe(false);
  });

  it('is not new where the log holds another one by that number, nor where it had to be computed again', async () => {
    const { graphs, planOf } = processOn(new Map());
    graphs.begin('c', PLAN.number, planOf('c'));
    expect(graphs.isNew('c', { ...PLAN, digest: 'f'.repeat(64) })).toBe(false);
    graphs.begin('c', PLAN.number, planOf('c'));
    expect(graphs.isNew('c', { ...PLAN, number: PLAN.number + 1 })).toBe(false);
    await graphs.of({ clusterId: 'd' }, PLAN);
    expect(graphs.isNew('d', PLAN)).toBe(false);
  });

  it('is read by the next process from what this one stored', async () => {
    const table = new Map<string, Uint8Array>();
    const { graphs, planOf } = processOn(table);
    graphs.begin('c', PLAN.number, planOf('c'));
    await expect.poll(() => table.size).toBe(1);
    const next = processOn(table);
    expect(await next.graphs.of(CLUSTER, PLAN)).toEqual(graphOf('computed'));
    expect(next.computed).toEqual([]);
  });

  it('is computed again when it was never stored, or can not be read, and is stored then', async () => {
    for (const found of [[], [new TextEncoder().encode('{')]]) {
      const table = new Map(found.map((bytes) => [`c 3 ${DIGEST}`, bytes] as const));
      const { graphs, computed } = processOn(table);
      expect(await graphs.of(CLUSTER, PLAN)).toEqual(graphOf('computed'));
      expect(await graphs.of(CLUSTER, PLAN)).toEqual(graphOf('computed'));
      expect(computed).toEqual(['c']);
      await expect.poll(() => table.get(`c 3 ${DIGEST}`)).toEqual(bytesOf(graphOf('computed')));
    }
  });

  it('is not known any more when another scheduler comes to another one', async () => {
    const { graphs, told } = processOn(new Map(), 'e'.repeat(64));
    expect(await graphs.of(CLUSTER, PLAN)).toBeUndefined();
    expect(told).toContain('the graph has changed its digest');
  });

  it('is let go of where others were asked for since and all take too much, and whatever goes with it is told', async () => {
    const { graphs, planOf, computed, forgotten } = processOn(new Map(), DIGEST, 800);
    for (const cluster of ['a', 'b']) graphs.begin(cluster, PLAN.number, planOf(cluster));
    await graphs.of({ clusterId: 'a' }, PLAN);
    graphs.begin('c', PLAN.number, planOf('c'));
    expect(forgotten).toEqual(['b']);
    await graphs.of({ clusterId: 'a' }, PLAN);
    expect(computed).toEqual(['a', 'b', 'c']);
  });

  it('that can not be stored holds up neither the plan nor those that follow', async () => {
    const table = new Map<string, Uint8Array>();
    const { graphs, planOf, told } = processOn(table);
    graphs.begin('a', 1, { ...planOf('a'), stored: Promise.reject(new Error('the thread ended')) });
    graphs.begin('b', 1, { ...planOf('b'), stored: Promise.resolve(new Uint8Array()) });
    graphs.begin('c', 3, planOf('c'));
    await expect.poll(() => [...table.keys()]).toEqual([`c 3 ${DIGEST}`]);
    expect(told).toHaveLength(2);
  });
});
