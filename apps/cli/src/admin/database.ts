import type { ClusterEvent } from '@systole/cluster';
import { openInstallation } from '@systole/control-plane-postgres';
import { EventStore, readStreamEnds, UnusableArchive, writeArchive, type ArchiveManifest, type ChainVerdict } from '@systole/event-store';
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

/**
 * Archives what an archive does not have yet, of all streams or of one cluster.
 *
 * @param what.cluster id or name; also of one that was deleted (its id)
 * @param what.upTo version of that cluster
 * @returns the files that were written
 * @throws {UsageError} when there is no such cluster, or the archive can't be used
 */
export async function archive(
  databaseUrl: string,
  root: string,
  { cluster, upTo }: { readonly cluster?: string; readonly upTo?: number },
): Promise<readonly ArchiveManifest[]> {
  return withStore(databaseUrl, async (pool) => {
    const catalog = new ClusterCatalog(pool);
    const named = cluster === undefined ? undefined : await catalog.named(cluster);
    // A name means the one that is there; ids are never given again.
    const chosen = named?.find(({ id }) => id === cluster) ?? named?.find(({ deleted }) => !deleted);
    if (cluster !== undefined && chosen === undefined) throw new UsageError(`there is no cluster ${cluster}`);
    const streams = chosen === undefined ? (await readStreamEnds(pool)).map(({ streamId }) => streamId) : [chosen.id];
    const names = await catalog.names();
    const { id: installation } = await openInstallation(pool);
    const written: ArchiveManifest[] = [];
    for (const streamId of streams) {
      const clusterName = names.get(streamId);
      const archiving = { root, installation, streamId, now: () => new Date() };
      const more = { ...(clusterName === undefined ? {} : { clusterName }), ...(upTo === undefined ? {} : { upTo }) };
      written.push(
        ...(await writeArchive(pool, { ...archiving, ...more }).catch((error: unknown) => {
          throw error instanceof UnusableArchive ? new UsageError(error.message) : error;
        })),
      );
    }
    return written;
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
