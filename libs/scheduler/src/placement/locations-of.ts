import { leaves } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';

/** The one node where all primitives of a resource together are active, if there is just one (specification 07 §1.2). */
export function singleCurrent(resource: Resource): ClusterNode | undefined {
  let single: ClusterNode | undefined;
  for (const { activeOn } of leaves(resource)) {
    for (const node of activeOn) {
      if (single && node !== single) return undefined;
      single = node;
    }
  }
  return single;
}

/** Blocked, itself or anything below it. */
export function isBlocked(resource: Resource): boolean {
  return resource.blocked || resource.children.some(isBlocked);
}
