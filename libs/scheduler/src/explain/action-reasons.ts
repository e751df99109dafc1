import { currentNode } from '../model/activity.js';
import { RoleLevel, roleName } from '../model/role.js';
import { outcomeText } from './outcome-text.js';
import { placementText } from './placement-text.js';
import { promotableInstance, promotionText } from './promotion-text.js';
import type { Action, Cluster, ClusterNode, Relation, Resource } from '../outcome.js';

/** One step of a chain of reasons. */
export interface Reason {
  readonly text: string;
  /** Id of the action that this one is needed for, or waits for. */
  readonly action?: number;
  /** Id of the ordering constraint between the two. */
  readonly constraint?: string;
}

/** The ordering constraint because of which two actions are related; also one between the collections that they belong to. */
export function constraintBetween(a: Action, b: Action): string | undefined {
  for (let up: Resource | undefined = a.resource; up; up = up.parent) {
    const actions = up === a.resource ? [a] : up.actions.all;
    for (const action of actions) {
      const found = search(action.inputs, b, ({ first }) => first) ?? search(action.followers, b, ({ then }) => then);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function search(relations: readonly Relation[], wanted: Action, other: (relation: Relation) => Action): string | undefined {
  for (const relation of relations) {
    if (relation.constraint === undefined) continue;
    const end = other(relation);
    if (end === wanted || (wanted.resource && end.resource && wanted.resource.hasAncestor(end.resource))) return relation.constraint;
  }
  return undefined;
}

/** The reason of an action that no other action gave (specification 06 §3, §16). */
export function rootReason(cluster: Cluster, action: Action): Reason {
  return { text: action.runnable ? whyRequired(cluster, action) : whyBlocked(cluster, action) };
}

function whyBlocked(cluster: Cluster, { node, resource, reason, task, neededCount, runnableCount }: Action): string {
  const { quorate, options } = cluster;
  if (neededCount > 0) return `${String(runnableCount)} of the actions that it counts are possible, ${String(neededCount)} are needed`;
  if (!node) return resource ? placementText(cluster, resource) : 'there is no node for it';
  if (!node.online) return `${node.name} is offline`;
  if (node.pending) return `${node.name} has not joined yet`;
  if (node.unclean) return `${node.name} is unclean`;
  if (resource && !resource.managed) return `${resource.id} is unmanaged`;
  if (!quorate && (task === 'start' || task === 'promote')) return `no quorum (no-quorum-policy is ${options.quorumPolicy})`;
  if (resource?.isPrimitive && !resource.assignedNode && task === 'start') return placementText(cluster, resource);
  // What made it necessary is no answer to why it isn't possible.
  return reason === undefined || reason.startsWith('required ') ? 'it can not be carried out now' : reason;
}

function whyRequired(cluster: Cluster, action: Action): string {
  const { task, resource, node } = action;
  if (task === 'stonith' || task === 'do_shutdown') return action.reason ?? `${node?.name ?? ''} asked to be shut down`;
  if (!resource) return action.reason ?? 'belongs to the transition';
  if (!resource.isPrimitive) return `part of what happens to ${resource.id}`;
  if (action.isProbe) return `what ${resource.id} does on ${node?.name ?? ''} is not known yet`;
  switch (task) {
    case 'start':
      return whyStart(cluster, resource, action.reason);
    case 'stop':
      return whyStop(cluster, resource, action);
    case 'promote':
    case 'demote':
      return whyRole(cluster, resource, node);
    case 'monitor':
      return action.reschedule ? 'its definition changed' : `${resource.id} is to be watched where it runs`;
    case 'cancel':
      return action.reason ?? 'the operation is not configured any more, or not for this role';
    case 'notify':
      return `${resource.top.id} has notify=true`;
    case 'clear_failcount':
      return action.reason ?? 'its failures have expired or belong to an old definition';
    case 'lrm_delete':
    case 'delete':
      return 'what the node knows of it is out of date';
    default:
      return action.reason ?? 'belongs to the transition';
  }
}

function whyStart(cluster: Cluster, resource: Resource, reason: string | undefined): string {
  const where = placementText(cluster, resource);
  if (resource.failed) return `it ${failure(cluster, resource)}; ${where}`;
  if (resource.activeOn.length === 0) return `it is not running; ${where}`;
  if (resource.activeOn.some((node) => node === resource.assignedNode)) return reason ?? 'it is restarted';
  return `it moves from ${names(resource.activeOn)}: ${where}`;
}

function whyStop(cluster: Cluster, resource: Resource, { node, reason, danglingStop }: Action): string {
  if (danglingStop) return `a migration from ${node?.name ?? ''} left it there`;
  if (node && !node.clean && node.unclean) return `${node.name} is fenced, which stops it there`;
  if (resource.failed && resource.assignedNode === node) return `it ${failure(cluster, resource)}`;
  const assigned = resource.assignedNode;
  if (!assigned) return placementText(cluster, resource);
  if (resource.activeOn.length > 1 && reason === undefined) return `it is active on ${names(resource.activeOn)}`;
  if (node && assigned !== node) return `it moves to ${assigned.name}: ${placementText(cluster, resource)}`;
  return reason ?? 'it is restarted';
}

function whyRole(cluster: Cluster, resource: Resource, node: ClusterNode | undefined): string {
  if (resource.failed) return `it ${failure(cluster, resource)}`;
  if (resource.nextRole === RoleLevel.Stopped) return placementText(cluster, resource);
  if (node && resource.assignedNode && node !== resource.assignedNode)
    return `it moves to ${resource.assignedNode.name}: ${placementText(cluster, resource)}`;
  const instance = promotableInstance(resource);
  return instance ? promotionText(instance) : `it is to be ${roleName(resource.nextRole)}`;
}

/** The failure that the history shows, e.g. `failed on node1: monitor ended with 7 (not running)`. */
function failure(cluster: Cluster, resource: Resource): string {
  const current = currentNode(resource);
  const own = cluster.failedOperations.filter((failed) => failed.resource === resource);
  const found = own.find(({ node }) => node === current) ?? own[0];
  if (!found) return current ? `failed on ${current.name}` : 'failed';
  const { operation = 'an operation', 'rc-code': rc, 'op-status': status } = found.element.attributes;
  return `failed on ${found.node.name}: ${outcomeText(operation, Number(rc), Number(status))}`;
}

const names = (nodes: readonly ClusterNode[]): string => [...new Set(nodes)].map(({ name }) => name).join(', ');
