import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { MissingPartner } from '../model/placement.js';
import type { Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';
import { RoleLevel } from '../model/role.js';
import { changeCapacity } from './capacity.js';
import { logUtilization } from './utilization-log.js';

/** How an assignment is made. */
export interface CommitMode {
  /** The node is taken whatever its score and state. */
  readonly force: boolean;
  /** Not final: roles and actions stay as they are. */
  readonly tentative: boolean;
}

/** Ends an assignment attempt (specification 04 §8.4). True when the resource has a node afterwards. */
export function commit(cluster: Cluster, resource: Resource, wanted: ClusterNode | undefined, { force, tentative }: CommitMode): boolean {
  let node = wanted;
  const score = node ? (force ? node.baseScore : resource.candidates.score(node.index)) : 0;
  if (node && !force && (score < 0 || (!node.usable && !node.isGuest))) node = undefined;
  undo(cluster, resource);
  placing(resource).unassigned = false;
  if (!node) {
    if (!tentative) stopForGood(resource);
    return false;
  }
  setNode(resource, node);
  placing(resource).assignedScore = score;
  node.assignedCount++;
  changeCapacity(cluster, node, resource, -1);
  logUtilization(cluster, resource, node);
  return true;
}

/** What exists of its actions is adapted to the resource's having no node (specification 06 §2.3). */
function stopForGood(resource: Resource): void {
  placing(resource).nextRole = RoleLevel.Stopped;
  for (const action of resource.actions.all) {
    if (action.task === 'stop') action.optional = false;
    else if (action.task === 'start') action.runnable = false;
    else if (action.meta.has('interval') && action.meta.get('interval') !== '0' && action.meta.get('op_target_rc') !== '7')
      action.runnable = false;
  }
}

function undo(cluster: Cluster, resource: Resource): void {
  const node = resource.assignedNode;
  if (!node) return;
  node.assignedCount--;
  changeCapacity(cluster, node, resource, 1);
  setNode(resource, undefined);
}

function setNode(resource: Resource, node: ClusterNode | undefined): void {
  placing(resource).assignedNode = node;
  for (let at: Resource | undefined = resource; at; at = at.parent) placing(at).assignments++;
}

/** Takes back assignments, of descendants too. */
export function unassign(cluster: Cluster, resource: Resource): void {
  undo(cluster, resource);
  placing(resource).unassigned = true;
  for (const child of resource.children) unassign(cluster, child);
}

/** Gives a resource no node, whatever it had, and for good, because what it is tied to isn't there. */
export function assignNowhere(cluster: Cluster, resource: Resource, missing: MissingPartner): boolean {
  const had = resource.assignedNode !== undefined;
  placing(resource).missingPartner ??= missing;
  commit(cluster, resource, undefined, { force: true, tentative: false });
  return had;
}
