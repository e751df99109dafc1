import type { WorkerWatch } from '../watches/worker-watch.js';
import { Gauge } from 'prom-client';
import type { HttpMetrics } from './http-metrics.js';

/** Shows whether anybody moves the clusters. */
export function showWorkers(metrics: HttpMetrics, watch: WorkerWatch): void {
  metrics.show(
    'systole_worker_silence_seconds',
    'Since a worker was last heard of, or this process began to listen; without workers nothing is planned, fenced or recovered.',
    () => watch.silenceMs() / 1_000,
  );
  metrics.show(
    'systole_lease_over_seconds',
    'For how long the lease of which that is true longest has been over, in any cluster; 0: none is. Without fencing a margin belongs to it.',
    () => watch.longestOverMs() / 1_000,
  );
  metrics.show('systole_leases', 'Leases of agents that there are, in all clusters. Every api shows the same.', () => watch.leaseCount);
  metrics.register(
    new Gauge({
      name: 'systole_lease_least_slack_seconds',
      help: 'How much was left, a second ago at most, of the lease that is the nearest to its end, in any cluster; negative: it is over. Absent when there is none. Every api shows the same.',
      registers: [],
      collect() {
        const leftMs = watch.leastLeftMs();
        if (leftMs === undefined) this.remove();
        else this.set(leftMs / 1_000);
      },
    }),
  );
  metrics.show(
    'systole_server_blind_seconds',
    'For how long this process could not look whether workers are there and leases are judged, as the database does not answer; 0: it can.',
    () => (watch.blindForMs() ?? 0) / 1_000,
  );
}
