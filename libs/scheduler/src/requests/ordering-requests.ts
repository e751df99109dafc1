import { actionKey } from './action-requests.js';
import type { Cluster } from '../model/cluster.js';
import type { OrderingSide, ResourceTask } from '../model/ordering-request.js';
import { Kind, type Kinds } from '../model/relation.js';
import type { Resource } from '../model/resource.js';

/** One side of an ordering: all actions of a resource that have this task and interval (ms). */
export function taskOf(resource: Resource, task: string, interval = 0): ResourceTask {
  return interval === 0 ? resource.taskOnce(task) : { resource, key: actionKey(resource, task, interval), task };
}

/** Requests an ordering, with the equivalents that live migration needs right after it (specification 07 §2, §7.9). */
export function requestOrdering(cluster: Cluster, first: OrderingSide, then: OrderingSide, kinds: Kinds, constraint?: string): void {
  if (kinds === Kind.none) return;
  cluster.requests.push({ first, then, kinds, constraint });
  addMigrationEquivalents(cluster, first, then, constraint);
}

/** The most frequent form: a task of one resource before a task of another. */
export function orderTasks(
  cluster: Cluster,
  first: Resource,
  firstTask: string,
  then: Resource,
  thenTask: string,
  kinds: Kinds,
  constraint?: string,
): void {
  requestOrdering(cluster, taskOf(first, firstTask), taskOf(then, thenTask), kinds, constraint);
}

function addMigrationEquivalents(cluster: Cluster, first: OrderingSide, then: OrderingSide, constraint: string | undefined): void {
  const a = first.resource;
  const b = then.resource;
  if (!a || !b || a === b || !(a.migratable || b.migratable) || a.hasAncestor(b) || b.hasAncestor(a)) return;
  const add = (firstTask: string, thenTask: string, kinds: Kinds): void => {
    cluster.requests.push({ first: taskOf(a, firstTask), then: taskOf(b, thenTask), kinds, constraint });
  };
  const unless = a.migratable ? Kind.seq | Kind.unlessFirstMigrates : Kind.seq;
  switch (`${first.task} ${then.task}`) {
    case 'start start':
      if (a.migratable && b.migratable) add('migrate_from', 'migrate_to', Kind.seq);
      if (b.migratable) add('start', 'migrate_to', unless);
      break;
    case 'stop stop':
      if (b.migratable) {
        add('stop', 'migrate_to', unless);
        if (b.partialTarget) add('stop', 'migrate_from', unless);
      }
      break;
    case 'promote start':
      if (b.migratable) add('promote', 'migrate_to', Kind.seq);
      break;
    case 'demote stop':
      if (b.migratable) {
        add('demote', 'migrate_to', Kind.seq);
        if (b.partialTarget) add('demote', 'migrate_from', Kind.seq);
      }
      break;
  }
}
