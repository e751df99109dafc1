import type { Cluster } from '../model/cluster.js';
import type { Colocation } from '../model/constraints.js';
import { compareBytes } from '../model/names.js';
import { Kind } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { RoleLevel } from '../model/role.js';
import { INFINITY } from '../model/score.js';
import { orderTasks } from './ordering-requests.js';

/** Stores a colocation with both its resources; apart in time, too, when it forbids (specification 04 §6.1 rule 5, §6.4). */
export function addColocation(cluster: Cluster, colocation: Colocation): void {
  cluster.merges.left += 500;
  cluster.merges.perChain += 10;
  insertColocation(planning(colocation.dependent).thisWith, colocation, 'primary');
  insertColocation(planning(colocation.primary).withThis, colocation, 'dependent');
  if (colocation.score > -INFINITY) return;
  keepApart(cluster, colocation.dependent, colocation.dependentRole, colocation.primary, colocation.primaryRole);
  keepApart(cluster, colocation.primary, colocation.primaryRole, colocation.dependent, colocation.dependentRole);
}

/** Inserts before the first element that isn't strictly smaller: among equals the latest comes first (specification 04 §6.4). */
export function insertColocation(list: Colocation[], colocation: Colocation, by: 'primary' | 'dependent'): void {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = list[middle];
    if (other && compareByResource(other[by], colocation[by]) < 0) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, colocation);
}

const rank = { primitive: 0, group: 1, clone: 2, bundle: 3 } as const;

function compareByResource(a: Resource, b: Resource): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.kind !== b.kind) return rank[b.kind] - rank[a.kind];
  if (a.kind === 'clone' && a.promotable !== b.promotable) return a.promotable ? -1 : 1;
  return compareBytes(a.id, b.id);
}

/** Anti-colocated resources change places one after the other (specification 07 §7.8). */
function keepApart(
  cluster: Cluster,
  first: Resource,
  firstRole: RoleLevel | undefined,
  then: Resource,
  thenRole: RoleLevel | undefined,
): void {
  const firstTasks = firstRole === RoleLevel.Promoted ? ['demote'] : firstRole === RoleLevel.Unpromoted ? ['stop', 'promote'] : ['stop'];
  const thenTasks = thenRole === RoleLevel.Promoted ? ['promote'] : thenRole === RoleLevel.Unpromoted ? ['start', 'demote'] : ['start'];
  for (const firstTask of firstTasks)
    for (const thenTask of thenTasks) orderTasks(cluster, first, firstTask, then, thenTask, Kind.antiSameNode);
}
