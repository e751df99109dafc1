import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';
import type { Assign } from './assignment.js';
import { logTree } from './score-log.js';
import type { Step } from '../model/step.js';

/** Assigns a group, member by member (specification 04 §11.1). */
export function* assignGroup(
  cluster: Cluster,
  assign: Assign,
  group: Resource,
  preferred: ClusterNode | undefined,
  tentative: boolean,
): Step<ClusterNode | undefined> {
  if (group.parent && !group.parent.assigning) yield assign(group.parent, preferred, tentative);
  if (!group.unassigned || group.assigning) return undefined;
  const [first] = group.children;
  if (!first) {
    placing(group).unassigned = false;
    return undefined;
  }
  placing(group).assigning = true;
  placing(group).countedRole = first.currentRole;
  logTree(cluster, 'pcmk__group_assign', group);
  let node: ClusterNode | undefined;
  for (const member of group.children) {
    const assigned = (yield assign(member, preferred, tentative)) as ClusterNode | undefined;
    node ??= assigned;
  }
  placing(group).nextRole = first.nextRole;
  placing(group).unassigned = false;
  placing(group).assigning = false;
  return group.colocated ? node : undefined;
}
