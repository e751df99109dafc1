import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import { Kind } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { requestOrdering, taskOf } from '../requests/ordering-requests.js';
import { requestTask } from '../requests/action-requests.js';

/** Conditions of live migration (specification 06 §8.1). */
export function migrationAllowed(resource: Resource, current: ClusterNode, assigned: ClusterNode): boolean {
  return resource.migratable && resource.managed && !resource.failed && !resource.startInFlight && !current.unclean && !assigned.unclean;
}

/** The actions of a live migration, beside the stop and the start that it replaces (specification 06 §8.2, §8.3). */
export function createMigration(cluster: Cluster, resource: Resource, source: ClusterNode, target: ClusterNode): void {
  const start = requestTask(cluster, resource, 'start', target, true);
  const stop = requestTask(cluster, resource, 'stop', source, true);
  const to = resource.partialTarget ? undefined : requestTask(cluster, resource, 'migrate_to', source, true);
  const from = requestTask(cluster, resource, 'migrate_from', target, true);
  for (const action of [start, stop, to, from]) if (action) action.migratable = true;
  start.pseudo = true;
  (to ?? from).needs = start.needs;
  for (const action of [to, from]) {
    action?.meta.set('migrate_source', source.name);
    action?.meta.set('migrate_target', target.name);
  }
  if (to && !resource.remoteConnection) to.meta.set('record-pending', 'true');
  const order = (first: string, then: string, kinds: number): void => {
    requestOrdering(cluster, taskOf(resource, first), taskOf(resource, then), kinds);
  };
  if (to) {
    order('monitor', 'migrate_to', Kind.seq);
    order('migrate_to', 'migrate_from', Kind.seq | Kind.migGate);
  } else {
    order('monitor', 'migrate_from', Kind.seq);
  }
  order('migrate_from', 'stop', Kind.seq | Kind.migGate);
  order('migrate_from', 'start', Kind.seq | Kind.migGate | Kind.migFallback);
}
