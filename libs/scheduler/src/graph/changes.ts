import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import type { DeepReadonly } from '../model/deep-readonly.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { RoleLevel } from '../model/role.js';
import { actionKey } from '../requests/action-requests.js';
import { currentNode, isMultiplyActive } from '../model/activity.js';

/** What the transition does to a primitive: the actions that its line of the summary is made from (specification 08 §7.2). */
export interface ResourceChange {
  readonly resource: DeepReadonly<Resource>;
  readonly current: DeepReadonly<ClusterNode> | undefined;
  readonly next: DeepReadonly<ClusterNode> | undefined;
  readonly start: DeepReadonly<Action> | undefined;
  readonly stop: DeepReadonly<Action> | undefined;
  readonly promote: DeepReadonly<Action> | undefined;
  readonly demote: DeepReadonly<Action> | undefined;
  readonly migrate: DeepReadonly<Action> | undefined;
}

/**
 * Looks the actions up, in the order in which the summary lists resources. Made in every run, because the look-ups give nodes to actions that
 * have none, and what is active although its role says Stopped counts as Started from now on.
 */
export function findChanges(cluster: Cluster): ResourceChange[] {
  const changes: ResourceChange[] = [];
  const visit = (resource: Resource): void => {
    if (resource.isPrimitive) {
      const change = changeOf(resource);
      if (change) changes.push(change);
    } else if (resource.bundle) {
      for (const { ip, container, connection, child } of resource.bundle.replicas) {
        for (const part of [ip, container, connection, child]) if (part) visit(part);
      }
    } else {
      for (const child of resource.children) visit(child);
    }
  };
  for (const resource of cluster.resources) visit(resource);
  return changes;
}

function changeOf(resource: Resource): ResourceChange | undefined {
  const next = resource.assignedNode;
  const current = resource.activeOn.length > 0 ? currentNode(resource) : undefined;
  if (current && resource.currentRole === RoleLevel.Stopped) planning(resource).toldRole = RoleLevel.Started;
  if (!current && resource.removed) return undefined;
  if (!resource.managed || (!current && !next)) return undefined;
  const find = (task: string, node: ClusterNode | undefined): Action | undefined =>
    resource.actions.oldest(actionKey(resource, task), node);
  const start = find('start', next);
  let stop = start?.runnable ? find('stop', current) : find('stop', undefined);
  if (!stop && current && resource.multipleActive === 'stop_unexpected' && isMultiplyActive(resource)) stop = find('stop', undefined);
  return {
    resource,
    current,
    next,
    start,
    stop,
    promote: find('promote', next),
    demote: find('demote', next),
    migrate: find('migrate_from', next),
  };
}
