import type { Action } from '../model/action.js';
import { type Cluster, leaves } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import { Kind, relate } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { notifyImpliedStop } from '../ordering/notify-fencing.js';
import { requestOrdering } from '../requests/ordering-requests.js';
import { canFence, fenceAction } from '../requests/fencing.js';
import { nodePseudo } from '../requests/action-requests.js';

/** Fencing and shutdown of nodes (specification 07 §9.5, §10). */
export function scheduleFencing(cluster: Cluster): void {
  const managed = anyManaged(cluster);
  let dcAction: Action | undefined;
  let dcIsFenced = false;
  const fencings: Action[] = [];
  const shutdowns: Action[] = [];
  for (const node of cluster.nodes) {
    if (node.isGuest) {
      if (node.toBeReset && managed && canFence(cluster, node)) fenceGuest(cluster, node);
      continue;
    }
    if (node.unclean && managed && canFence(cluster, node)) {
      const fencing = fenceAction(cluster, node, undefined, false, 'node is unclean', false);
      implyFencing(cluster, node, fencing);
      if (node.isDc) {
        dcAction = fencing;
        dcIsFenced = true;
        continue;
      }
      const previous = fencings.at(-1);
      if (!cluster.options.concurrentFencing && previous) relate(previous, fencing, Kind.seq);
      fencings.push(fencing);
    } else if (node.online && node.shutdown && !node.remoteType) {
      const shutdown = scheduleShutdown(cluster, node);
      if (node.isDc) dcAction = shutdown;
      else shutdowns.push(shutdown);
    } else if (node.unclean) {
      cluster.warn(unfencedText(node.name));
    }
  }
  if (!dcAction) return;
  if (!dcIsFenced) for (const shutdown of shutdowns) relate(shutdown, dcAction, Kind.seq);
  const last = fencings.at(-1);
  if (cluster.options.concurrentFencing) for (const fencing of fencings) relate(fencing, dcAction, Kind.seq);
  else if (last) relate(last, dcAction, Kind.seq);
}

function anyManaged(cluster: Cluster): boolean {
  const managed = (resource: Resource): boolean => resource.managed || resource.children.some(managed);
  return cluster.resources.some(managed);
}

/** A fenced guest: its launcher is stopped or killed with its host (specification 07 §9.6). */
function fenceGuest(cluster: Cluster, node: ClusterNode): void {
  const { connection } = node;
  const launcher = connection?.launcher;
  if (!connection || !launcher) return;
  const start = launcher.newestAction('start');
  const fencing = fenceAction(cluster, node, start ? 'reboot' : 'off', false, 'guest is unclean', false);
  fencing.pseudo = true;
  fencing.runnable = true;
  const stop = launcher.newestAction('stop');
  if (stop?.pseudo && stop.node) {
    relate(fenceAction(cluster, stop.node, undefined, true, undefined, false), fencing, Kind.blockThen | Kind.pullThen);
  } else if (stop) {
    relate(stop, fencing, Kind.blockThen | Kind.pullThen);
  } else {
    const connectionStop = connection.newestAction('stop');
    if (connectionStop) relate(connectionStop, fencing, Kind.seq);
  }
  implyFencing(cluster, node, fencing);
}

/** What the fencing of a node means for every managed primitive (specification 07 §9.5.1). */
function implyFencing(cluster: Cluster, node: ClusterNode, fencing: Action): void {
  for (const resource of cluster.resources) {
    for (const leaf of [...leaves(resource)]) {
      if (!leaf.managed) continue;
      orderStarts(leaf, node, fencing);
      implyStops(cluster, leaf, node, fencing);
    }
  }
}

function orderStarts(resource: Resource, node: ClusterNode, fencing: Action): void {
  for (let i = resource.actions.all.length - 1; i >= 0; i--) {
    const action = resource.actions.all[i];
    if (!action) continue;
    if (action.needs === 'fencing') {
      relate(fencing, action, Kind.seq);
    } else if (action.needs === 'quorum' && action.task === 'start' && resource.candidates.has(node.index) && !knownOn(resource, node)) {
      relate(fencing, action, Kind.seq | Kind.blockThen);
    }
  }
}

function knownOn(resource: Resource, node: ClusterNode): boolean {
  const { parent } = resource;
  return resource.knownOn.has(node) || (parent?.kind === 'clone' && !parent.unique && parent.knownOn.has(node));
}

function implyStops(cluster: Cluster, resource: Resource, node: ClusterNode, fencing: Action): void {
  const ordered = resource.needsFencing || node.isGuest;
  const { top } = resource;
  for (const stop of resource.actions.search(`${resource.id}_stop_0`, node)) {
    stop.pseudo = true;
    stop.runnable = true;
    if (ordered) {
      if (!resource.isBundled) relate(fencing, stop, Kind.guestOk);
      const topStop = top.newestAction('stop');
      if (topStop) relate(fencing, topStop, Kind.guestOk);
    }
    if (resource.notify) notifyImpliedStop(cluster, resource, stop, fencing);
  }
  for (const demote of resource.actions.search(`${resource.id}_demote_0`, node)) {
    if (node.clean && !resource.failed) continue;
    demote.pseudo = true;
    demote.runnable = true;
    if (ordered && !resource.isBundled) relate(fencing, demote, Kind.guestOk | Kind.seq);
  }
}

/** A node that leaves in order: every stop there comes first (specification 07 §10). */
function scheduleShutdown(cluster: Cluster, node: ClusterNode): Action {
  const shutdown = nodePseudo(cluster, `do_shutdown-${node.name}`, 'do_shutdown', node);
  shutdown.pseudo = false;
  shutdown.meta.set('op_no_wait', 'true');
  for (let i = cluster.actions.length - 1; i >= 0; i--) {
    const action = cluster.actions[i];
    const resource = action?.resource;
    if (!action || !resource || action.task !== 'stop' || action.node !== node) continue;
    if (resource.maintenance || node.maintenance || !(resource.managed || resource.blocked)) continue;
    action.optional = false;
    requestOrdering(cluster, action, shutdown, Kind.seq | Kind.blockThen);
  }
  return shutdown;
}

/** What is said of a node that has to be fenced, and is not. */
export function unfencedText(node: string): string {
  return `Node ${node} is unclean and can't be fenced`;
}
