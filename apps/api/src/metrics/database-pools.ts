import type { Pool } from 'pg';
import type { HttpMetrics } from './http-metrics.js';

/** Shows what the pools of connections to the database are at, together. */
export function showDatabasePools(metrics: HttpMetrics, pools: ReadonlySet<Pool>): void {
  const sumOf = (count: (pool: Pool) => number): number => [...pools].reduce((sum, pool) => sum + count(pool), 0);
  metrics.show('systole_database_connections', 'Connections to the database that are open in the pools.', () =>
    sumOf(({ totalCount }) => totalCount),
  );
  metrics.show('systole_database_connections_busy', 'Those of them that are in use.', () =>
    sumOf(({ totalCount, idleCount }) => totalCount - idleCount),
  );
  metrics.show('systole_database_waiting', 'Work that waits for a connection, as all of its pool are in use.', () =>
    sumOf(({ waitingCount }) => waitingCount),
  );
}
