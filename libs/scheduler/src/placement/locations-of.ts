import { leaves } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';

/** The one node to which all primitives of a resource together are assigned, if there is just one (specification 05 §1). */
export function singleAssigned(resource: Resource): ClusterNode | undefined {
  if (resource.isPrimitive) return resource.assignedNode;
  const { assignments } = resource;
  if (resource.singleNode?.assignments !== assignments) resource.singleNode = { assignments, node: findSingleAssigned(resource) };
  return resource.singleNode.node;
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
