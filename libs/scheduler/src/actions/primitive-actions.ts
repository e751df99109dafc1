import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import { Kind } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { RoleLevel } from '../model/role.js';
import { requestOrdering } from '../requests/ordering-requests.js';
import { currentNode, isMultiplyActive } from '../model/activity.js';
import { fenceAction } from '../requests/fencing.js';
import { migrationAllowed, createMigration } from './migration.js';
import { createRecurring } from './recurring.js';
import { requestTask } from '../requests/action-requests.js';
import { orderAfterUnfencing } from './unfencing.js';

/** From current to next role (specification 06 §3.3). */
export function createPrimitiveActions(cluster: Cluster, resource: Resource): void {
  for (const source of resource.danglingSources) requestTask(cluster, resource, 'stop', source, false).danglingStop = true;
  if (resource.nextRole === RoleLevel.Unknown) planning(resource).nextRole = resource.assignedNode ? RoleLevel.Started : RoleLevel.Stopped;
  const current = currentNode(resource);
  const assigned = resource.assignedNode;
  const moving = current !== undefined && assigned !== undefined && current !== assigned && resource.nextRole >= RoleLevel.Started;
  let needStop = moving;
  let needPromote = false;
  let migrate = moving && migrationAllowed(resource, current, assigned);
  const { partialSource, partialTarget } = resource;
  let checkMultiple = true;
  if (
    partialSource &&
    partialTarget &&
    migrate &&
    resource.activeOn.length === 2 &&
    current === partialSource &&
    assigned === partialTarget
  ) {
    checkMultiple = false;
  } else if (partialSource || partialTarget) {
    needStop = true;
    migrate = false;
    planning(resource).migrationAbandoned = true;
    checkMultiple = false;
  }
  planning(resource).keepExpected = false;
  if (checkMultiple && isMultiplyActive(resource)) {
    if (resource.multipleActive === 'stop_start') needStop = true;
    else if (resource.multipleActive === 'stop_unexpected') {
      needStop = true;
      planning(resource).keepExpected = true;
    }
  }
  if (resource.startInFlight) requestTask(cluster, resource, 'start', assigned, true).graphForced = true;
  if (!moving) {
    if (resource.failed && resource.mustStop) needStop = true;
    else if (resource.failed) needPromote = resource.nextRole === RoleLevel.Promoted;
    else if (resource.blocked) needStop = true;
    else if (resource.currentRole > RoleLevel.Started && current && assigned) {
      if (!requestTask(cluster, resource, 'start', assigned, true).optional) needStop = true;
    }
  }
  restart(cluster, resource, needStop, needPromote);
  change(cluster, resource);
  createRecurring(cluster, resource);
  if (migrate && current && assigned) createMigration(cluster, resource, current, assigned);
}

/** Restart pass: down to Stopped and up again, optional unless something needs it (specification 06 §3.4). */
function restart(cluster: Cluster, resource: Resource, needStop: boolean, needPromote: boolean): void {
  planning(resource).restarting = true;
  const { currentRole } = resource;
  if (currentRole === RoleLevel.Promoted) demote(cluster, resource, !needStop);
  if (currentRole > RoleLevel.Stopped) {
    stop(cluster, resource, !needStop);
    // Tested before each step, as the start itself may lower the next role.
    const goesOn = (): boolean => resource.currentRole <= resource.nextRole && !resource.blocked;
    if (goesOn()) start(cluster, resource, !needStop);
    if (currentRole === RoleLevel.Promoted && goesOn()) promote(cluster, resource, !(needStop || needPromote));
  }
  planning(resource).restarting = false;
}

/** Transition pass: what the change of role needs, all of it required (specification 06 §3.5). */
function change(cluster: Cluster, resource: Resource): void {
  const { currentRole: from } = resource;
  let role = from;
  const to = (): RoleLevel => resource.nextRole;
  if (role === RoleLevel.Promoted && to() !== RoleLevel.Promoted) {
    demote(cluster, resource, false);
    role = RoleLevel.Unpromoted;
  }
  if (role > RoleLevel.Stopped && (to() === RoleLevel.Stopped || (to() === RoleLevel.Started && role > RoleLevel.Started))) {
    stop(cluster, resource, false);
    role = RoleLevel.Stopped;
  }
  if (role <= RoleLevel.Stopped && to() > RoleLevel.Stopped) {
    start(cluster, resource, false);
    role = RoleLevel.Started;
  }
  if (to() === RoleLevel.Promoted && role !== RoleLevel.Promoted) promote(cluster, resource, false);
}

/** The copy on the assigned node stays although the resource restarts. */
function staysThere(resource: Resource, node: ClusterNode | undefined): boolean {
  return (
    resource.restarting &&
    resource.keepExpected &&
    resource.nextRole > RoleLevel.Stopped &&
    node !== undefined &&
    node === resource.assignedNode
  );
}

/** Specification 06 §3.6. */
function stop(cluster: Cluster, resource: Resource, optional: boolean): void {
  let isOptional = optional;
  for (const node of resource.activeOn) {
    if (staysThere(resource, node)) continue;
    if (resource.partialTarget) {
      if (node === resource.partialTarget && node === resource.assignedNode) continue;
      isOptional = false;
    }
    const action = requestTask(cluster, resource, 'stop', node, isOptional);
    if (!resource.assignedNode) action.reason = 'node availability';
    else if (resource.restarting && resource.keepExpected) action.reason = 'being multiply active';
    if (!resource.managed) action.runnable = false;
    if (resource.needsUnfencing) {
      const unfencing = fenceAction(cluster, node, 'on', true, undefined, false);
      requestOrdering(cluster, action, unfencing, Kind.back);
    }
  }
}

function start(cluster: Cluster, resource: Resource, optional: boolean): Action {
  const node = resource.assignedNode;
  const action = requestTask(cluster, resource, 'start', node, true);
  if (node) orderAfterUnfencing(cluster, resource, action, Kind.pullThen);
  if (action.runnable && !optional) action.optional = false;
  if (staysThere(resource, node)) action.pseudo = true;
  return action;
}

function promote(cluster: Cluster, resource: Resource, optional: boolean): void {
  const node = resource.assignedNode;
  const blocked = resource.actions.exact(`${resource.id}_start_0`, node).some((action) => !action.runnable);
  if (blocked) {
    for (const action of resource.actions.exact(`${resource.id}_promote_0`, node)) action.runnable = false;
    return;
  }
  const action = requestTask(cluster, resource, 'promote', node, optional);
  if (staysThere(resource, node)) action.pseudo = true;
}

function demote(cluster: Cluster, resource: Resource, optional: boolean): void {
  for (const node of resource.activeOn) if (!staysThere(resource, node)) requestTask(cluster, resource, 'demote', node, optional);
}
