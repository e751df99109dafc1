import { beforeEach, expect, it } from 'vitest';
import type { PortBench, PortsOfProcess } from './port-bench.js';

/** What keeps a cluster from being moved. */
export function describeFailures(bench: PortBench): void {
  let one: PortsOfProcess;
  let other: PortsOfProcess;
  let clusterId: string;
  beforeEach(() => {
    ({ one, other, clusterId } = bench.now());
  });

  it('failures are counted until the cluster goes again', async () => {
    for (const reason of ['first', 'second\u0000']) await one.failures.note(clusterId, reason);
    const failure = await other.failures.of(clusterId);
    expect(failure).toMatchObject({ clusterId, tries: 2 });
    expect(failure?.reason).toContain('second');
    expect(await other.failures.all()).toContainEqual(failure);
    await other.failures.clear(clusterId);
    expect(await one.failures.of(clusterId)).toBeUndefined();
  });
}
