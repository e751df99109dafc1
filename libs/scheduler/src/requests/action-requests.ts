import { findOp, actionMeta } from '../operations/definitions.js';
import { type Action, ActionMeta } from '../model/action.js';
import { addAction } from './add-action.js';
import type { Cluster } from '../model/cluster.js';
import { isDigit } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { RoleLevel } from '../model/role.js';
import { isActive } from '../model/activity.js';
import { opParameters } from '../operations/digests.js';
import { canFence, markForFencing } from './fencing.js';

/** Key of a resource action (specification 06 §1.2). */
export function actionKey(resource: Resource, task: string, interval = 0): string {
  return resource.actionKey(task, interval);
}

/** Interval at the end of an action key. */
export function keyInterval(key: string): number {
  let digits = key.length;
  while (isDigit(key.charCodeAt(digits - 1))) digits--;
  return key.charAt(digits - 1) === '_' ? Number(key.slice(digits)) : 0;
}

/** Requests an action of a resource: creates it, or takes over the oldest one with that key (specification 06 §1.4). */
export function requestAction(
  cluster: Cluster,
  resource: Resource,
  key: string,
  task: string,
  node: ClusterNode | undefined,
  optional: boolean,
): Action {
  const action = resource.actions.oldest(key, node) ?? createAction(cluster, resource, key, task, node, optional);
  applyOptional(action, optional);
  if (node && action.operation && !action.parameters && resource.isPrimitive)
    action.parameters = opParameters(cluster, action.operation, node);
  if (!action.pseudo) applyRunnable(cluster, action);
  return action;
}

/** The same for start, stop, promote, demote and the like. */
export function requestTask(cluster: Cluster, resource: Resource, task: string, node: ClusterNode | undefined, optional: boolean): Action {
  return requestAction(cluster, resource, actionKey(resource, task), task, node, optional);
}

function createAction(
  cluster: Cluster,
  resource: Resource,
  key: string,
  task: string,
  node: ClusterNode | undefined,
  optional: boolean,
): Action {
  const action = addAction(cluster, key, task, resource, node);
  action.optional = optional;
  action.dcRun = task === 'lrm_delete';
  const interval = keyInterval(key);
  action.operation =
    findOp(cluster, resource, task, interval, true) ??
    (key.includes('_notify_') ? findOp(cluster, resource, 'notify', 0, true) : undefined);
  action.meta = new ActionMeta(actionMeta(cluster, resource, node, task, interval, action.operation));
  const lower = task.toLowerCase();
  if (lower === 'start' || lower === 'promote') {
    if (resource.needsFencing) action.needs = 'fencing';
    else if (resource.needsQuorum) action.needs = 'quorum';
  }
  return action;
}

/** Optional rule (specification 06 §1.5). */
function applyOptional(action: Action, optional: boolean): void {
  if (action.node && !action.pseudo && action.resource?.managed === false && !action.meta.has('interval')) action.optional = true;
  else if (!optional) action.optional = false;
}

/** Runnable rule of real resource actions, evaluated at each request (specification 06 §1.6). */
function applyRunnable(cluster: Cluster, action: Action): void {
  const { node, resource } = action;
  if (!resource) return;
  if (!node) {
    action.runnable = false;
  } else if (!action.dcRun && !node.online && (!node.isGuest || node.toBeReset)) {
    action.runnable = false;
    if (resource.managed && action.task === 'stop' && !node.unclean) markForFencing(cluster, node, 'stop is unrunnable');
  } else if (!action.dcRun && node.pending) {
    action.runnable = false;
  } else if (action.needs === 'nothing') {
    action.reason = undefined;
    action.runnable = !(node.isGuest && !canFence(cluster, node));
  } else {
    applyQuorum(cluster, action, resource);
  }
}

function applyQuorum(cluster: Cluster, action: Action, resource: Resource): void {
  switch (quorumPolicyFor(cluster, resource)) {
    case 'stop':
      action.runnable = false;
      action.reason = 'no quorum';
      break;
    case 'freeze':
      if (!isActive(resource) || resource.nextRole > resource.currentRole) {
        action.runnable = false;
        action.reason = 'quorum freeze';
      }
      break;
    default:
      action.runnable = true;
  }
}

/** The quorum policy as it concerns one resource; `demote` caps its next role (specification 06 §1.6). */
function quorumPolicyFor(cluster: Cluster, resource: Resource): 'stop' | 'freeze' | 'ignore' {
  if (cluster.quorate) return 'ignore';
  switch (cluster.options.quorumPolicy) {
    case 'stop':
    case 'freeze':
      return cluster.options.quorumPolicy;
    case 'demote':
      if (resource.currentRole < RoleLevel.Unpromoted) return 'stop';
      if (resource.nextRole > RoleLevel.Unpromoted) planning(resource).nextRole = RoleLevel.Unpromoted;
      return 'ignore';
    default:
      return 'ignore';
  }
}

/** A pseudo-action of a resource, or the one that exists. */
export function requestPseudo(
  cluster: Cluster,
  resource: Resource,
  key: string,
  task: string,
  optional: boolean,
  runnable: boolean,
): Action {
  let action = resource.actions.oldest(key, undefined);
  if (!action) action = createAction(cluster, resource, key, task, undefined, optional);
  else if (!optional) action.optional = false;
  action.pseudo = true;
  action.runnable = runnable;
  return action;
}

/** A pseudo-action that belongs to no resource; unique by its key. */
export function nodePseudo(cluster: Cluster, key: string, task: string, node: ClusterNode | undefined): Action {
  const existing = cluster.nodeActions.get(key.toLowerCase());
  if (existing) return existing;
  const action = addAction(cluster, key, task, undefined, node);
  action.pseudo = true;
  return action;
}
