import type { AdvanceFailures } from '@systole/control-plane';
import { Gauge } from 'prom-client';

/** Clusters that can't be planned or moved at the moment, with how often that was tried; asked for when metrics are. */
export function stuckClustersGauge(failures: AdvanceFailures): Gauge<'cluster'> {
  return new Gauge({
    name: 'systole_cluster_planning_failed',
    help: 'How often in a row a worker failed to plan or move the cluster; absent for clusters that go.',
    labelNames: ['cluster'],
    registers: [],
    async collect() {
      this.reset();
      for (const { clusterId, tries } of await failures.all()) this.set({ cluster: clusterId }, tries);
    },
  });
}
