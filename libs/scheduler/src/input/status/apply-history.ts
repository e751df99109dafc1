import { markForFencing } from '../../requests/fencing.js';
import { actionKey, requestTask } from '../../requests/action-requests.js';
import { Handling } from '../../operations/definitions.js';
import type { ClusterNode } from '../../model/node.js';
import { setHistoryName } from './history-name.js';
import type { Resource } from '../../model/resource.js';
import { observing } from '../../model/resource/observing.js';
import { RoleLevel } from '../../model/role.js';
import { ban } from '../../model/activity.js';
import { addActive, block } from './activity.js';
import type { Reading } from './reading.js';

/** Applies what the history of a resource on a node adds up to (specification 03 §7.7). */
export function applyHistory(reading: Reading, containersToStop: Resource[]): void {
  const { cluster, resource, node } = reading;
  const original = reading.handling;
  let handling = original;
  if (resource.currentRole !== RoleLevel.Unknown) markKnown(resource, node);
  const active = resource.currentRole > RoleLevel.Stopped;
  if (active && !node.online && !node.maintenance && resource.managed) fenceForActive(reading);
  if (node.unclean) handling = Handling.Ignore;
  applyHandling(reading, handling, active, containersToStop);
  if (resource.failed && resource.remoteConnection && resource.connectionNode?.unclean) resource.connectionNode.statusCertain = true;
  if (active) {
    addActive(cluster, resource, node, original !== Handling.Ignore);
    if (handling === Handling.Demote || handling === Handling.Block) observing(resource).failedInHistory = true;
    else if (handling !== Handling.Ignore) fail(resource);
  } else {
    if (resource.historyName?.includes(':')) setHistoryName(cluster.resourceNames, resource, undefined);
    if (resource.actions.withTask('stop').length > 0)
      for (const stop of resource.actions.search(actionKey(resource, 'stop'), node)) stop.optional = true;
  }
  if (
    resource.currentRole === RoleLevel.Stopped &&
    resource.activeOn.length > 0 &&
    resource.partialTarget &&
    resource.partialSource === node
  ) {
    observing(resource).observedRole = RoleLevel.Started;
  }
}

/** Its state there is known: for the resource and its ancestors up to the first unique one. */
function markKnown(resource: Resource, node: ClusterNode): void {
  for (let at: Resource | undefined = resource; at; at = at.parent) {
    observing(at).knownOn.add(node);
    if (at.unique) break;
  }
}

function fail(resource: Resource): void {
  observing(resource).failedInHistory = true;
  observing(resource).failureStops = true;
}

/** A managed resource that is active on an offline node may still run there. */
function fenceForActive({ cluster, resource, node }: Reading): void {
  if (node.isGuest) {
    fail(resource);
    markForFencing(cluster, node, `${resource.id} is thought to be active there`);
  } else if (cluster.options.fencingEnabled) {
    if (node.isRemote && node.connection && !node.connection.failed) {
      node.statusCertain = false;
      markForFencing(
        cluster,
        node,
        `${resource.id} is active there (fencing will be revoked if remote connection can be re-established elsewhere)`,
      );
    } else {
      markForFencing(cluster, node, `${resource.id} is thought to be active there`);
    }
  }
}

function applyHandling(
  { cluster, resource, node, lastFailure }: Reading,
  handling: Handling,
  active: boolean,
  containersToStop: Resource[],
): void {
  switch (handling) {
    case Handling.Ignore:
      break;
    case Handling.Demote:
      observing(resource).failedInHistory = true;
      requestTask(cluster, resource, 'demote', node, false);
      break;
    case Handling.Restart:
      if (active) {
        fail(resource);
        requestTask(cluster, resource, 'stop', node, false);
      }
      break;
    case Handling.RemoteRecovery: {
      fail(resource);
      const remote = resource.remoteConnection ? cluster.nodeByName(resource.id) : undefined;
      if (cluster.options.fencingEnabled && remote?.isRemote && !remote.fencingRecorded) {
        markForFencing(cluster, remote, 'remote connection is unrecoverable');
      }
      if (active) requestTask(cluster, resource, 'stop', node, false);
      if ((resource.reconnectInterval ?? 0) > 0) observing(resource).nextRole = RoleLevel.Stopped;
      break;
    }
    case Handling.RestartContainer:
      fail(resource);
      if (resource.launcher && resource.isBundled) containersToStop.push(resource.launcher);
      else if (resource.launcher) requestTask(cluster, resource.launcher, 'stop', node, false);
      else if (active) requestTask(cluster, resource, 'stop', node, false);
      break;
    case Handling.Ban:
      ban(cluster, resource, node, {
        kind: 'history',
        operation: lastFailure?.operation ?? 'monitor',
        rc: lastFailure?.rc ?? 1,
        status: lastFailure?.status ?? 0,
      });
      break;
    case Handling.Block:
      block(resource);
      break;
    case Handling.Stop:
      observing(resource).nextRole = RoleLevel.Stopped;
      break;
    case Handling.Standby:
      node.standby = true;
      node.standbyOnFail = true;
      break;
    case Handling.Fence:
      markForFencing(cluster, node, `${resource.id} failed there`);
      break;
  }
}
