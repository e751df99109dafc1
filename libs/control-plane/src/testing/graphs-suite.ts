import { beforeEach, expect, it } from 'vitest';
import { META, type PortBench, type PortsOfProcess } from './port-bench.js';

/** Stored graphs. */
export function describeGraphs(bench: PortBench): void {
  const { commandsOf } = bench;
  let one: PortsOfProcess;
  let other: PortsOfProcess;
  let clusterId: string;
  beforeEach(() => {
    ({ one, other, clusterId } = bench.now());
  });

  it('graphs are given for the plan that they were stored for', async () => {
    const digest = 'd'.repeat(64);
    const counts = { actions: 1, pseudo: 0, fencing: 0 };
    const plan = {
      type: 'plan-transition',
      plan: { inputVersion: 1, now: 1, schedulerVersion: '1', digest, counts, trigger: 't', summary: [] },
    } as const;
    await commandsOf(one).execute(clusterId, plan, META);
    const { transition } = await other.log.load(clusterId);
    if (!transition) throw new Error('nothing runs');
    expect(await other.graphs.graphOf(clusterId, transition)).toBeUndefined();
    const graph = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
    await one.graphs.store(clusterId, transition, graph);
    expect([...((await other.graphs.graphOf(clusterId, transition)) ?? [])]).toEqual([...graph]);
    const otherDigest = { ...transition, digest: 'e'.repeat(64) };
    expect(await other.graphs.graphOf(clusterId, otherDigest)).toBeUndefined();
  });
}
