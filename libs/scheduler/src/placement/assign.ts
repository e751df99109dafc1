import { type Cluster, subtree } from '../model/cluster.js';
import { placing } from '../model/resource/placing.js';
import { leadTo } from '../model/score-trail.js';
import type { Assign } from './assignment.js';
import { assignBundle } from './assign-bundle.js';
import { assignClone } from './assign-clone.js';
import { assignGroup } from './assign-group.js';
import { assignPrimitive } from './assign-primitive.js';
import { sortForPlacement } from './resource-order.js';
import { runStep } from '../model/step.js';
import { logCapacities } from './utilization-log.js';

/** Assigns a resource; the node is that of a primitive, or the first one of a group's members. */
function assigner(cluster: Cluster): Assign {
  const assign: Assign = (resource, preferred, tentative) => {
    switch (resource.kind) {
      case 'primitive':
        return assignPrimitive(cluster, assign, resource, preferred, tentative);
      case 'group':
        return assignGroup(cluster, assign, resource, preferred, tentative);
      case 'clone':
        return assignClone(cluster, assign, resource, preferred, tentative);
      case 'bundle':
        return assignBundle(cluster, assign, resource, preferred, tentative);
    }
  };
  return assign;
}

/** Places everything: remote connections first, then the rest (specification 04 §11.2). */
export function assignAll(cluster: Cluster): void {
  logCapacities(cluster, 'original');
  if (cluster.options.placementStrategy !== 'default') sortForPlacement(cluster);
  if (cluster.explains) tracePriorities(cluster);
  const assign = assigner(cluster);
  if (cluster.hasRemoteNodes) {
    for (const resource of cluster.resources) {
      if (resource.remoteConnection) runStep(assign(resource, resource.partialTarget, false));
    }
  }
  for (const resource of cluster.resources) {
    if (!(cluster.hasRemoteNodes && resource.remoteConnection)) runStep(assign(resource, undefined, false));
  }
  logCapacities(cluster, 'remaining');
}

/** Every working priority begins as what is configured (specification 05 §1). */
function tracePriorities(cluster: Cluster): void {
  for (const top of cluster.resources)
    for (const resource of subtree(top)) placing(resource).priorityTrail = leadTo(undefined, resource.priority, { kind: 'priority' });
}
