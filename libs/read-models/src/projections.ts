import type { ClusterEvent, ClusterEventType } from '@systole/cluster';
import type { EventStore } from '@systole/event-store';
import type { ClientBase, Pool, QueryConfig } from 'pg';
import { ClusterCatalog } from './clusters/cluster-catalog.js';
import { inTransaction } from '@systole/event-store';
import { recordedClusterEvent, type ClusterStates } from './states/cluster-states.js';
import { TransitionList } from './transitions/transition-list.js';

const PROJECTED: ReadonlySet<ClusterEventType> = new Set<ClusterEventType>([
  'ClusterCreated',
  'ClusterDeleted',
  'TransitionPlanned',
  'TransitionAborted',
  'TransitionCompleted',
]);

/** Events that mean something for the catalog of clusters. */
const CATALOGUED: ReadonlySet<ClusterEventType> = new Set<ClusterEventType>(['ClusterCreated', 'ClusterDeleted']);

/** Whether some projection shows the event. Those are written in the event's own transaction, so that a reader never sees one without the other. */
export function isProjected(event: ClusterEvent): boolean {
  return PROJECTED.has(event.type);
}

/** Writes what an event means for every projection. @throws {ClusterNameTaken} */
export async function applyToProjections(
  client: ClientBase,
  clusterId: string,
  event: ClusterEvent,
  version: number,
  occurredAt: string,
): Promise<void> {
  await ClusterCatalog.project(client, clusterId, event, version, occurredAt);
  const listed = TransitionList.projection(clusterId, event, version, occurredAt);
  if (listed !== undefined) await client.query(listed);
}

/** Whether what an event means for the projections is written by statements that are known beforehand ({@link projectionOf}): of a cluster's name nobody knows whether it is taken. */
export function isPlainlyProjected(event: ClusterEvent): boolean {
  return !CATALOGUED.has(event.type);
}

/** What writes all that an event means for the projections, where it {@link isPlainlyProjected}; undefined: it means nothing for them. */
export function projectionOf(clusterId: string, event: ClusterEvent, version: number, occurredAt: string): QueryConfig | undefined {
  return TransitionList.projection(clusterId, event, version, occurredAt);
}

/** Something that was not what the events say. */
export interface Difference {
  readonly clusterId: string;
  /** E.g. `cluster`, `transition 7`, `snapshot at version 500`. */
  readonly what: string;
}

/** What was derived from a cluster's stream, made anew. */
export interface Rebuilt {
  /** How many events were read. */
  readonly events: number;
  /** What had been changed, had got lost, or was too much; it is right now. */
  readonly differences: readonly Difference[];
}

/** $1 the cluster, $2 where its transitions are put aside: graphs are no events, and those of the same plan are kept. */
const PUT_ASIDE = `
UPDATE transitions SET cluster_id = $2 WHERE cluster_id = $1`;

const TAKE_BACK = `
UPDATE transitions AS made SET packed_graph = aside.packed_graph
FROM transitions AS aside
WHERE made.cluster_id = $1 AND aside.cluster_id = $2 AND (made.number, made.digest) = (aside.number, aside.digest)`;

const DIFFERENT_TRANSITIONS = `
SELECT coalesce(made.number, aside.number) AS number
FROM (SELECT number, to_jsonb(transitions) - 'cluster_id' - 'packed_graph' AS row FROM transitions WHERE cluster_id = $1) AS made
FULL JOIN (SELECT number, to_jsonb(transitions) - 'cluster_id' - 'packed_graph' AS row FROM transitions WHERE cluster_id = $2) AS aside
  ON made.number = aside.number
WHERE made.row IS DISTINCT FROM aside.row
ORDER BY 1`;

const CLUSTER_ROW = `
SELECT to_jsonb(clusters)::text AS row FROM clusters WHERE id = $1`;

/**
 * Makes everything that is derived from a cluster's stream again, and says what was not as it is now. Readers see the old rows until the new ones are
 * complete.
 */
export async function rebuildCluster(
  pool: Pool,
  store: EventStore<ClusterEvent>,
  states: ClusterStates,
  clusterId: string,
): Promise<Rebuilt> {
  const aside = `${clusterId}~aside`;
  const { events, found } = await inTransaction(pool, async (client) => {
    const clusterRow = async (): Promise<string | undefined> =>
      (await client.query<{ row: string }>(CLUSTER_ROW, [clusterId])).rows[0]?.row;
    const before = await clusterRow();
    await ClusterCatalog.clear(client, clusterId);
    await client.query(PUT_ASIDE, [clusterId, aside]);
    let count = 0;
    for await (const recorded of store.streamEvents(clusterId)) {
      count++;
      const { event, version, occurredAt } = recordedClusterEvent(recorded);
      if (isProjected(event)) await applyToProjections(client, clusterId, event, version, occurredAt);
    }
    await client.query(TAKE_BACK, [clusterId, aside]);
    const { rows } = await client.query<{ number: number }>(DIFFERENT_TRANSITIONS, [clusterId, aside]);
    await TransitionList.clear(client, aside);
    const transitions = rows.map(({ number }) => `transition ${number}`);
    return { events: count, found: (await clusterRow()) === before ? transitions : ['cluster', ...transitions] };
  });
  const { differentSnapshot } = await states.rebuild(clusterId);
  const whats = differentSnapshot === undefined ? found : [...found, `snapshot at version ${differentSnapshot}`];
  return { events, differences: whats.map((what) => ({ clusterId, what })) };
}

/** {@link rebuildCluster} for every cluster there ever was. */
export async function rebuildAll(
  pool: Pool,
  store: EventStore<ClusterEvent>,
  states: ClusterStates,
): Promise<{ readonly clusters: number; readonly differences: readonly Difference[] }> {
  const ids = await new ClusterCatalog(pool).streamIds();
  const differences: Difference[] = [];
  for (const id of ids) differences.push(...(await rebuildCluster(pool, store, states, id)).differences);
  return { clusters: ids.length, differences };
}
