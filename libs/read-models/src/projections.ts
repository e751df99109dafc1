import type { ClusterEvent, ClusterEventType } from '@systole/cluster';
import type { EventStore } from '@systole/event-store';
import type { ClientBase, Pool } from 'pg';
import { ClusterCatalog } from './clusters/cluster-catalog.js';
import { inTransaction } from './postgres/transaction.js';
import { recordedClusterEvent, type ClusterStates } from './states/cluster-states.js';
import { TransitionList } from './transitions/transition-list.js';

const PROJECTED: ReadonlySet<ClusterEventType> = new Set<ClusterEventType>([
  'ClusterCreated',
  'ClusterDeleted',
  'TransitionPlanned',
  'TransitionAborted',
  'TransitionCompleted',
]);

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
  await TransitionList.project(client, clusterId, event, version, occurredAt);
}

/**
 * Deletes everything that is derived from a cluster's stream and makes it again. Readers see the old rows until the new ones are complete.
 * Graphs and schedules are computed again when somebody asks for them.
 *
 * @returns how many events were read
 */
export async function rebuildCluster(
  pool: Pool,
  store: EventStore<ClusterEvent>,
  states: ClusterStates,
  clusterId: string,
): Promise<number> {
  const events = await inTransaction(pool, async (client) => {
    await ClusterCatalog.clear(client, clusterId);
    await TransitionList.clear(client, clusterId);
    let count = 0;
    for await (const recorded of store.streamEvents(clusterId)) {
      count++;
      const { event, version, occurredAt } = recordedClusterEvent(recorded);
      if (isProjected(event)) await applyToProjections(client, clusterId, event, version, occurredAt);
    }
    return count;
  });
  await states.rebuild(clusterId);
  return events;
}

/** {@link rebuildCluster} for every stream there is. @returns how many streams */
export async function rebuildAll(pool: Pool, store: EventStore<ClusterEvent>, states: ClusterStates): Promise<number> {
  const ids = await new ClusterCatalog(pool).streamIds();
  for (const id of ids) await rebuildCluster(pool, store, states, id);
  return ids.length;
}
