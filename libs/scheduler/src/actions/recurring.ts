import { isDisabledOperation, type XmlElement } from '@systole/cib';
import { opInterval } from '../operations/definitions.js';
import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import { Kind, relate } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { parseRole, RoleLevel } from '../model/role.js';
import { requestOrdering, taskOf } from '../requests/ordering-requests.js';
import { cancelOperation } from './cancel.js';
import { actionKey, requestAction, requestTask } from '../requests/action-requests.js';

interface RecurringOp {
  readonly name: string;
  readonly interval: number;
  /** Undefined: any active role but Promoted. */
  readonly role: RoleLevel | undefined;
  readonly key: string;
}

const neverRecurring = new Set(['stop', 'start', 'demote', 'promote', 'reload-agent', 'migrate_to', 'migrate_from']);

/** The operations that recur, in configuration order; two of one name and interval cancel each other out (specification 02 §11.3). */
function recurringOps(cluster: Cluster, resource: Resource): RecurringOp[] {
  const result: RecurringOp[] = [];
  const same = (op: XmlElement, name: string | undefined, interval: number): boolean =>
    op.attributes['name'] === name && opInterval(cluster, op) === interval;
  for (const op of resource.operations) {
    const { name, role, id } = op.attributes;
    const interval = opInterval(cluster, op);
    if (interval <= 0 || !id || name === undefined || neverRecurring.has(name) || isDisabledOperation(op)) continue;
    if (resource.operations.some((other) => other !== op && same(other, name, interval))) {
      cluster.error(`Resource ${resource.id}: ignoring ${name} with interval ${interval} ms, because it is configured twice`);
      continue;
    }
    const parsed = parseRole(role);
    if (role !== undefined && (parsed === undefined || parsed === RoleLevel.Unknown)) continue;
    result.push({ name, interval, role: parsed, key: actionKey(resource, name, interval) });
  }
  return result;
}

/** Recurring actions of a primitive (specification 06 §10). */
export function createRecurring(cluster: Cluster, resource: Resource): void {
  if (resource.blocked || resource.maintenance) return;
  const node = resource.assignedNode;
  const start =
    node && !node.maintenance && (resource.nextRole !== RoleLevel.Stopped || !resource.managed)
      ? requestTask(cluster, resource, 'start', node, true)
      : undefined;
  for (const op of recurringOps(cluster, resource)) {
    if (op.role === RoleLevel.Stopped) {
      if (resource.unique) createForStopped(cluster, resource, op);
    } else if (start && node) {
      createForActive(cluster, resource, op, start, node);
    }
  }
}

/** Operations of active roles (specification 06 §10.2). */
function createForActive(cluster: Cluster, resource: Resource, op: RecurringOp, start: Action, node: ClusterNode): void {
  const existing = resource.actions.search(op.key, node);
  const optional = start.optional && existing.length > 0 && !existing.some((action) => action.reschedule);
  const matches = op.role === undefined ? resource.nextRole !== RoleLevel.Promoted : op.role === resource.nextRole;
  if (!matches) {
    if (optional) cancelForRole(cluster, resource, op, node);
    return;
  }
  const action = requestAction(cluster, resource, op.key, op.name, node, optional);
  if (!start.runnable || !node.clean) action.runnable = false;
  if (resource.nextRole === RoleLevel.Promoted) action.meta.set('op_target_rc', '8');
  if (!resource.managed) return;
  for (const task of ['start', 'reload-agent']) requestOrdering(cluster, taskOf(resource, task), action, Kind.pullThen | Kind.blockThen);
  if (resource.nextRole === RoleLevel.Promoted) requestOrdering(cluster, taskOf(resource, 'promote'), action, Kind.seq | Kind.blockThen);
  else if (resource.currentRole === RoleLevel.Promoted)
    requestOrdering(cluster, taskOf(resource, 'demote'), action, Kind.seq | Kind.blockThen);
}

/** The operation of another role runs: it is cancelled before the role changes. */
function cancelForRole(cluster: Cluster, resource: Resource, op: RecurringOp, node: ClusterNode): void {
  const cancel = cancelOperation(cluster, resource, op.name, op.interval, node);
  let task: string | undefined;
  if (resource.currentRole === RoleLevel.Started || resource.currentRole === RoleLevel.Unpromoted) {
    if (resource.nextRole === RoleLevel.Promoted) task = 'promote';
    else if (resource.nextRole === RoleLevel.Stopped) task = 'stop';
  } else if (resource.currentRole === RoleLevel.Promoted) {
    task = 'demote';
  }
  if (task !== undefined) requestOrdering(cluster, cancel, taskOf(resource, task), Kind.blockThen);
}

/** Operations that watch nodes where the resource isn't supposed to run (specification 06 §10.4). */
function createForStopped(cluster: Cluster, resource: Resource, op: RecurringOp): void {
  for (const node of cluster.nodes) {
    const runs = resource.actions.exact(op.key, node).length > 0;
    if (resource.assignedNode?.name === node.name) {
      if (!runs) continue;
      const cancel = cancelOperation(cluster, resource, op.name, op.interval, node);
      if (resource.nextRole === RoleLevel.Started || resource.nextRole === RoleLevel.Unpromoted) {
        requestOrdering(cluster, cancel, taskOf(resource, 'start'), Kind.blockThen);
      }
      continue;
    }
    const action = requestAction(cluster, resource, op.key, op.name, node, runs);
    action.meta.set('op_target_rc', '7');
    if (resource.managed) {
      for (const probe of resource.actions.search(actionKey(resource, 'monitor'), node)) relate(probe, action, Kind.blockThen);
    }
    for (const stop of resource.actions.search(actionKey(resource, 'stop'), node)) {
      if (!stop.optional && !action.optional && !resource.managed) action.optional = true;
      if (!stop.runnable) action.runnable = false;
      if (resource.managed) requestOrdering(cluster, stop, action, Kind.pullThen | Kind.blockThen);
    }
    if (!node.clean) action.runnable = false;
  }
}
