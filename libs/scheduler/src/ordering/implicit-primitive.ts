import { fenceAction } from '../requests/fencing.js';
import { nodePseudo } from '../requests/action-requests.js';
import { addColocation } from '../requests/colocations.js';
import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import { Kind } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { RoleLevel } from '../model/role.js';
import { INFINITY } from '../model/score.js';
import { orderTasks, requestOrdering, taskOf } from '../requests/ordering-requests.js';

/** Orderings and colocations that every managed primitive has (specification 07 §7.1, 04 §6.5). */
export function orderPrimitive(cluster: Cluster, resource: Resource): void {
  if (!resource.managed) return;
  orderTasks(cluster, resource, 'stop', resource, 'start', Kind.seq | Kind.pullThen | Kind.restartPair);
  if (resource.top.promotable || resource.currentRole === RoleLevel.Promoted) {
    orderTasks(cluster, resource, 'demote', resource, 'stop', Kind.pullFirstPromoted);
    orderTasks(cluster, resource, 'start', resource, 'promote', Kind.blockThen);
  }
  orderTasks(cluster, resource, 'lrm_delete', resource, 'monitor', Kind.sameNode | Kind.cancelFirst);
  const allowed = cluster.nodes.filter(({ index }) => resource.candidates.has(index));
  if (resource.needsUnfencing && !resource.fenceDevice && cluster.usesUnfencing) {
    for (const node of allowed) {
      const unfencing = fenceAction(cluster, node, 'on', true, undefined, false);
      requestOrdering(cluster, taskOf(resource, 'stop'), unfencing, Kind.seq | Kind.sameNode);
      requestOrdering(cluster, unfencing, taskOf(resource, 'start'), Kind.sameNodePull | Kind.sameNode);
    }
  }
  if (resource.utilization.size > 0 && cluster.options.placementStrategy !== 'default') orderLoad(cluster, resource, allowed);
  if (resource.fenceDevice || resource.remoteConnection) avoidRemoteNodes(cluster, resource);
  if (resource.launcher) orderLauncher(cluster, resource, resource.launcher);
}

/** Waiting for capacity to become free (specification 04 §12.5). */
function orderLoad(cluster: Cluster, resource: Resource, allowed: readonly ClusterNode[]): void {
  const loadStopped = (node: ClusterNode): Action => nodePseudo(cluster, `load_stopped_${node.name}`, `load_stopped_${node.name}`, node);
  for (const node of resource.activeOn) requestOrdering(cluster, taskOf(resource, 'stop'), loadStopped(node), Kind.loadNode);
  for (const node of allowed) {
    const gate = loadStopped(node);
    requestOrdering(cluster, gate, taskOf(resource, 'start'), Kind.loadNode);
    requestOrdering(cluster, gate, taskOf(resource, 'migrate_to'), Kind.loadNode);
  }
}

/** Sets the entries of all nodes that have a connection to -INFINITY. */
function avoidRemoteNodes(cluster: Cluster, resource: Resource): void {
  for (const index of resource.candidates.indexes()) {
    if (cluster.nodesByIndex[index]?.connection) resource.candidates.setScore(index, -INFINITY, { kind: 'remote-node' });
  }
}

function orderLauncher(cluster: Cluster, resource: Resource, launcher: Resource): void {
  if (resource.remoteConnection) {
    orderTasks(cluster, launcher, 'monitor', resource, 'stop', Kind.seq);
    // A guest doesn't run on a guest.
    if (!resource.isBundled) avoidRemoteNodes(cluster, launcher);
  } else {
    const connection = launcher.remoteConnection ? launcher : launcher.launched.find((other) => other.remoteConnection);
    if (connection) {
      for (const index of resource.candidates.indexes()) {
        if (cluster.nodesByIndex[index]?.connection !== connection)
          resource.candidates.setScore(index, -INFINITY, { kind: 'launcher', launcher: launcher.id });
      }
      return;
    }
  }
  orderTasks(cluster, launcher, 'start', resource, 'start', Kind.pullThen | Kind.blockThen);
  orderTasks(cluster, resource, 'stop', launcher, 'stop', Kind.back);
  addColocation(cluster, {
    id: '#resource-with-container',
    dependent: resource,
    primary: launcher,
    score: resource.replica?.connection === resource ? 10000 : INFINITY,
    dependentRole: undefined,
    primaryRole: undefined,
    nodeAttribute: '#uname',
    explicit: false,
    influence: true,
  });
}
