import { leaves } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';

/** The one node to which all primitives of a resource together are assigned, if there is just one (specification 05 §1). */
export function singleAssigned(resource: Resource): ClusterNode | undefined {
  if (resource.isPrimitive) return resource.assignedNode;
  const { assignments } = resource;
  let single = resource.singleNode;
  if (single?.assignments !== assignments) {
    single = { assignments, node: findSingleAssigned(resource) };
    placing(resource).singleNode = single;
  }
  return single.node;
}

function findSingleAssigned(resource: Resource): ClusterNode | undefined {
  let single: ClusterNode | undefined;
  for (const { assignedNode } of leaves(resource)) {
    if (!assignedNode || assignedNode === single) continue;
    if (single) return undefined;
    single = assignedNode;
  }
  return single;
}

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
