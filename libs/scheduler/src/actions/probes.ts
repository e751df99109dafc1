import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import { leaves } from '../model/cluster.js';
import { ProbeMode } from '../model/candidates.js';
import type { ClusterNode } from '../model/node.js';
import { Kind } from '../model/relation.js';
import type { Replica, Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { RoleLevel } from '../model/role.js';
import { orderTasks, requestOrdering, taskOf } from '../requests/ordering-requests.js';
import { sortByNumber } from '../placement/instance-order.js';
import { isActive } from '../model/activity.js';
import { clearFailCount, failCount } from '../requests/fail-counts.js';
import { markForFencing } from '../requests/fencing.js';
import { connectionState } from './connection-state.js';
import { actionKey, requestAction } from '../requests/action-requests.js';
import { orderAfterUnfencing } from './unfencing.js';

/** Probes of what isn't known yet, node by node (specification 06 §9). */
export function createProbes(cluster: Cluster): void {
  if (!cluster.options.startupProbes) return;
  for (const node of cluster.nodes) {
    if (!node.online) {
      if (node.isRemote && node.connection && connectionState(node.connection) === 'broken') {
        markForFencing(cluster, node, 'the connection is unrecoverable');
      }
      continue;
    }
    if (node.unclean || !node.probingOn) continue;
    for (const resource of cluster.resources) probe(cluster, resource, node);
  }
}

/** True when a probe was made of the resource or of anything below it. */
function probe(cluster: Cluster, resource: Resource, node: ClusterNode): boolean {
  switch (resource.kind) {
    case 'primitive':
      return probePrimitive(cluster, resource, node) !== undefined;
    case 'group':
      if (forbiddenOnRemote(resource, node)) return false;
      return probeAll(cluster, resource.children, node);
    case 'clone':
      return probeClone(cluster, resource, node);
    case 'bundle':
      return probeBundle(cluster, resource, node);
  }
}

function probeAll(cluster: Cluster, resources: readonly Resource[], node: ClusterNode): boolean {
  let any = false;
  for (const resource of resources) if (probe(cluster, resource, node)) any = true;
  return any;
}

function probeClone(cluster: Cluster, clone: Resource, node: ClusterNode): boolean {
  if (clone.exclusiveDiscovery && clone.candidates.mode(node.index) !== ProbeMode.Exclusive) {
    clone.candidates.remove(node.index);
    return false;
  }
  sortByNumber(planning(clone).children);
  if (clone.unique) return probeAll(cluster, clone.children, node);
  const known = (instance: Resource): boolean => {
    for (const leaf of leaves(instance)) if (leaf.knownOn.has(node)) return true;
    return false;
  };
  const instance = clone.children.find(known) ?? clone.children.find((child) => child.singleAssigned === node) ?? clone.children[0];
  return instance !== undefined && probe(cluster, instance, node);
}

function probeBundle(cluster: Cluster, bundle: Resource, node: ClusterNode): boolean {
  const replicas = bundle.bundle?.replicas ?? [];
  let any = false;
  for (const replica of replicas) {
    const { ip, child, container, connection } = replica;
    if (ip && probe(cluster, ip, node)) any = true;
    if (child && replica.node === node && probe(cluster, child, node)) any = true;
    if (probe(cluster, container, node)) {
      any = true;
      // The requests are for all probes of the container, so the first one makes them.
      if (container.actions.withKey(actionKey(container, 'monitor')).length === 1) orderOtherContainers(cluster, bundle, replica);
    }
    const connectionProbe = connection && probePrimitive(cluster, connection, node);
    if (connectionProbe) {
      any = true;
      requestOrdering(cluster, taskOf(container, 'start'), connectionProbe, Kind.nestedProbe);
    }
  }
  return any;
}

/** With one replica per host, no container starts before it is known that none runs there. */
function orderOtherContainers(cluster: Cluster, bundle: Resource, replica: Replica): void {
  if (bundle.bundle?.replicasPerHost !== 1) return;
  for (const other of bundle.bundle.replicas) {
    if (other === replica) continue;
    orderTasks(cluster, replica.container, 'monitor', other.container, 'start', Kind.seq | Kind.sameNode);
  }
}

/** What never runs on nodes of remote type (specification 06 §9.3 rule 1). */
function forbiddenOnRemote(resource: Resource, node: ClusterNode): boolean {
  if (!node.remoteType) return false;
  return (
    resource.fenceDevice || resource.remoteConnection || (node.isGuest && resource.launched.some((launched) => launched.remoteConnection))
  );
}

function probePrimitive(cluster: Cluster, resource: Resource, node: ClusterNode): Action | undefined {
  if (forbiddenOnRemote(resource, node) || (resource.launcher && !resource.remoteConnection) || resource.removed) return undefined;
  if (resource.knownOn.has(node)) return undefined;
  const mode = resource.candidates.mode(node.index);
  if ((resource.exclusiveDiscovery || resource.top.exclusiveDiscovery) && mode !== ProbeMode.Exclusive) return undefined;
  if ((mode ?? node.probeMode) === ProbeMode.Never) return undefined;
  if (node.isGuest && node.connection?.launcher && guestPreventsProbe(cluster, resource, node, node.connection.launcher)) return undefined;

  const action = requestAction(cluster, resource, actionKey(resource, 'monitor'), 'monitor', node, false);
  action.optional = false;
  orderAfterUnfencing(cluster, resource, action, Kind.seq);
  if (!resource.activeOn.includes(node)) action.meta.set('op_target_rc', '7');
  else if (resource.currentRole === RoleLevel.Promoted) action.meta.set('op_target_rc', '8');
  const { top } = resource;
  const target = top.kind === 'clone' ? top : resource;
  const blocks = !action.runnable && !isActive(target);
  requestOrdering(cluster, action, taskOf(target, 'start'), Kind.seq | (blocks ? Kind.blockThen : 0));
  requestOrdering(cluster, action, taskOf(target, 'reload-agent'), Kind.seq);
  return action;
}

/** A guest that isn't up, or won't stay, is not probed; what depends on it waits instead (specification 06 §9.3 rule 7). */
function guestPreventsProbe(cluster: Cluster, resource: Resource, node: ClusterNode, launcher: Resource): boolean {
  const { top } = resource;
  if (launcher.currentRole === RoleLevel.Stopped) {
    if (launcher.assignedNode && !launcher.knownOn.has(launcher.assignedNode))
      orderTasks(cluster, launcher, 'monitor', top, 'start', Kind.seq);
    return true;
  }
  const moves = launcher.activeOn.length > 0 && !(launcher.assignedNode && launcher.activeOn.includes(launcher.assignedNode));
  if (node.toBeReset || node.unclean || launcher.failed || launcher.nextRole === RoleLevel.Stopped || moves) {
    orderTasks(cluster, launcher, 'stop', top, 'start', Kind.seq);
    return true;
  }
  return false;
}

/** Fail counts of removed resources are cleared before these are stopped (specification 03 §6.6). */
export function clearRemovedFailCounts(cluster: Cluster): void {
  if (!cluster.options.stopRemovedResources) return;
  for (const resource of cluster.resources) {
    if (!resource.removed) continue;
    for (const node of cluster.nodes) {
      if (!node.online || failCount(cluster, resource, node, { effective: true }).count === 0) continue;
      const action = clearFailCount(cluster, resource, node, 'it is removed');
      requestOrdering(cluster, action, taskOf(resource, 'stop'), Kind.seq);
    }
  }
}
