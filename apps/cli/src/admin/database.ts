import type { ClusterEvent } from '@systole/cluster';
import { EventStore, type ChainVerdict } from '@systole/event-store';
import { ClusterCatalog, ClusterStates, rebuildAll, type Difference } from '@systole/read-models';
import pg from 'pg';
import { UsageError } from '../exit-code.js';

/** Makes again whatever is derived from the events. @returns of how many clusters, and what was not what the events say */
export async function rebuild(databaseUrl: string): Promise<{ readonly clusters: number; readonly differences: readonly Difference[] }> {
  return withStore(databaseUrl, (pool, store) => rebuildAll(pool, store, new ClusterStates(store)));
}

/**
 * Recomputes the hash chain. @param cluster id or name; every cluster when left out
 * @throws {UsageError} when there is no such cluster
 */
export async function verify(databaseUrl: string, cluster: string | undefined): Promise<ChainVerdict> {
  return withStore(databaseUrl, async (pool, store) => {
    if (cluster === undefined) return store.verifyChain();
    const entry = await new ClusterCatalog(pool).find(cluster);
    if (entry === undefined) throw new UsageError(`there is no cluster ${cluster}`);
    return store.verifyChain({ streamId: entry.id });
  });
}

async function withStore<T>(databaseUrl: string, work: (pool: pg.Pool, store: EventStore<ClusterEvent>) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, application_name: 'systole-cli' });
  const store = new EventStore<ClusterEvent>(pool);
  try {
    return await work(pool, store);
  } finally {
    await store.close();
    await pool.end();
  }
}
