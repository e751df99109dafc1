import type { AdvanceFailures } from '@systole/control-plane';
import { within } from '@systole/queue';
import { Gauge } from 'prom-client';

/** Whoever collects metrics has little time, and wants them most when the database is away, ms. */
const ANSWERED_WITHIN_MS = 1_000;

/** Clusters that can't be planned or moved at the moment, with how often that was tried; asked for when metrics are. As it was known last while the database does not answer. */
export function stuckClustersGauge(failures: AdvanceFailures): Gauge<'cluster'> {
  return new Gauge({
    name: 'systole_cluster_planning_failed',
    help: 'How often in a row a worker failed to plan or move the cluster; absent for clusters that go.',
    labelNames: ['cluster'],
    registers: [],
    async collect() {
      const stuck = await within(ANSWERED_WITHIN_MS, failures.all()).catch(() => undefined);
      if (stuck === undefined) return;
      this.reset();
      for (const { clusterId, tries } of stuck) this.set({ cluster: clusterId }, tries);
    },
  });
}
