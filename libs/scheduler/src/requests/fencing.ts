import { planning } from '../model/resource/planning.js';
import { FENCING_ACTION } from '@systole/cib';
import type { Action } from '../model/action.js';
import { ActionMeta } from '../model/action.js';
import { addAction } from './add-action.js';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import { unfencingState } from './unfencing-digests.js';

/** Can the node be fenced (specification 07 §9.3)? */
export function canFence(cluster: Cluster, node: ClusterNode): boolean {
  const seen = new Set<ClusterNode>();
  // A guest's host may itself be a guest: walk down with a guard instead of recursion.
  let at = [node];
  while (at.length > 0) {
    const next: ClusterNode[] = [];
    for (const one of at) {
      if (seen.has(one)) continue;
      seen.add(one);
      if (one.isGuest) next.push(...(one.connection?.launcher?.activeOn ?? []).filter((host) => !host.online));
      else if (!canFenceDirectly(cluster, one)) return false;
    }
    at = next;
  }
  return true;
}

function canFenceDirectly(cluster: Cluster, node: ClusterNode): boolean {
  const { options } = cluster;
  if (!options.fencingEnabled || !(cluster.hasFenceDevices || options.haveWatchdog)) return false;
  if (cluster.quorate || options.quorumPolicy === 'ignore') return true;
  if (!node.online) return false;
  if (node.isRemote && !options.fenceRemoteWithoutQuorum && node.connection) {
    for (const index of node.connection.candidates.indexes()) if (cluster.nodesByIndex[index]?.online === false) return false;
  }
  return true;
}

/** Marks a node for fencing, in the way that its kind needs (specification 03 §2.5). */
export function markForFencing(cluster: Cluster, node: ClusterNode, reason: string, priorityDelay = false): void {
  const { connection } = node;
  if (node.isGuest) {
    const launcher = connection?.launcher;
    if (launcher && !launcher.failed && launcher.managed) {
      node.toBeReset = true;
      planning(launcher).toBeRecovered = true;
    }
  } else if (node.remoteType && connection?.lostLaunched) {
    planning(connection).toBeRecovered = true;
  } else if (node.remoteType) {
    if (connection?.managed !== false) node.toBeReset = true;
    node.unclean = true;
    fenceAction(cluster, node, undefined, true, reason, false);
  } else if (!node.unclean) {
    node.unclean = true;
    fenceAction(cluster, node, undefined, true, reason, priorityDelay);
  }
}

/**
 * The fencing action of a node, created when there is none (specification 06 §15.1, 07 §9.4). `kind` is `reboot`, `off` or `on`; by
 * default what somebody who asked for it said, or else what the cluster option says.
 */
export function fenceAction(
  cluster: Cluster,
  node: ClusterNode,
  kind: string | undefined,
  optional: boolean,
  reason: string | undefined,
  priorityDelay: boolean,
): Action {
  const operation = kind ?? actionAskedFor(cluster, node) ?? cluster.options.fencingAction;
  const key = `stonith-${node.name}-${operation}`;
  let action = cluster.nodeActions.get(key.toLowerCase());
  if (!action) {
    action = addAction(cluster, key, 'stonith', undefined, node);
    action.optional = true;
    action.meta = new ActionMeta(
      new Map([
        ['on_node', node.name],
        ['on_node_uuid', node.id],
        ['stonith_action', operation],
      ]),
    );
    if (cluster.usesUnfencing) {
      const { all, secure, mismatch } = unfencingState(cluster, node);
      action.meta.set('digests-all', all);
      action.meta.set('digests-secure', secure);
      if (mismatch && canFence(cluster, node)) action.optional = false;
    }
  }
  if (cluster.options.priorityFencingDelay > 0 && (priorityDelay || action.meta.has('priority-fencing-delay'))) {
    action.meta.set('priority-fencing-delay', String(fencingDelay(cluster, node)));
  }
  if (!optional && canFence(cluster, node)) action.optional = false;
  if (reason !== undefined) action.reason ??= reason;
  return action;
}

/** Somebody asked for the node's being fenced (specification 03 §2.2). */
export function terminateRequested(cluster: Cluster, node: ClusterNode): boolean {
  const value = node.attributes.get('terminate');
  return value !== undefined && (cluster.cib.boolean(value) ?? (cluster.cib.integer(value) ?? 0) > 0);
}

/** How somebody who asked for a node's being fenced said that it is to be done; Systole's own, beside what the reference knows. */
function actionAskedFor(cluster: Cluster, node: ClusterNode): 'off' | 'reboot' | undefined {
  const asked = node.attributes.get(FENCING_ACTION);
  return (asked === 'off' || asked === 'reboot') && terminateRequested(cluster, node) ? asked : undefined;
}

/** Delay in seconds that lets the most important node win a split (specification 07 §9.4). */
function fencingDelay(cluster: Cluster, target: ClusterNode): number {
  const members = cluster.nodes.filter((node) => !node.remoteType);
  if (target.remoteType || target.online) return 0;
  if (members.filter((node) => node.online).length > Math.floor(members.length / 2)) return 0;
  const sums = members.map((node) => node.prioritySum);
  const top = sums.reduce((most, sum) => Math.max(most, sum), -Infinity);
  if (sums.every((sum) => sum === top) || target.prioritySum < top) return 0;
  return secondsOf(cluster.options.priorityFencingDelay);
}

/** Milliseconds to seconds: 0 stays 0, anything below 1000 is 1, else half up (specification 03 §0.1). */
export function secondsOf(ms: number): number {
  return ms <= 0 ? 0 : ms < 1000 ? 1 : Math.floor((ms + 500) / 1000);
}
