import { addPreference, type Cluster } from '../../model/cluster.js';
import { isMultiplyActive } from '../../model/activity.js';
import type { ClusterNode } from '../../model/node.js';
import type { Resource } from '../../model/resource.js';
import { observing } from '../../model/resource/observing.js';
import { RoleLevel } from '../../model/role.js';
import { INFINITY } from '../../model/score.js';
import type { ScoreCause } from '../../model/score-trail.js';

/** Adds a node to the nodes where a resource is active, with what follows from it (specification 03 §11.1). */
export function addActive(cluster: Cluster, resource: Resource, node: ClusterNode, failed: boolean): void {
  if (resource.activeOn.includes(node)) return;
  observing(resource).activeOn.push(node);
  if (resource.isPrimitive) {
    node.running.push(resource);
    if (!failed) addPriority(resource, node);
    if (node.maintenance) observing(resource).nodeInMaintenance = true;
  }
  if (!resource.managed) {
    addPreference(resource, node, INFINITY, { kind: 'unmanaged' });
    for (let up = resource.parent; up; up = up.parent) observing(up).activeOn.push(node);
    return;
  }
  if (resource.isPrimitive && isMultiplyActive(resource)) applyMultipleActive(cluster, resource);
  if (resource.parent) addActive(cluster, resource.parent, node, false);
}

function addPriority(resource: Resource, node: ClusterNode): void {
  if (resource.priority === 0) return;
  const amount = resource.priority + (resource.currentRole === RoleLevel.Promoted ? 1 : 0);
  node.prioritySum += amount;
  if (node.isGuest) for (const host of node.connection?.launcher?.activeOn ?? []) host.prioritySum += amount;
}

function applyMultipleActive(cluster: Cluster, resource: Resource): void {
  if (resource.multipleActive === 'stop_only') {
    banEverywhere(cluster, resource, { kind: 'multiply-active' });
  } else if (resource.multipleActive === 'block') {
    block(resource);
    const { parent } = resource;
    if (parent && (parent.kind === 'group' || parent.kind === 'bundle') && parent.multipleActive === 'block') {
      for (const sibling of parent.children) block(sibling);
    }
  }
}

/** Unmanaged and blocked: nothing more happens to it. */
export function block(resource: Resource): void {
  observing(resource).blockedByHistory = true;
}

/** Replaces a resource's own table by all nodes at -INFINITY (specification 04 §3). */
export function banEverywhere(cluster: Cluster, resource: Resource, cause: ScoreCause): void {
  resource.candidates.become(cluster.emptyTable());
  for (const node of cluster.nodes) resource.candidates.put(node.index, -INFINITY, node.probeMode, cause);
}
