import { currentNode } from '../model/activity.js';
import type { Cluster } from '../model/cluster.js';
import { compareBytes } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';
import type { NodeStanding, Placement, PlacementRule } from '../model/placement.js';
import type { Resource } from '../model/resource.js';
import { RoleLevel } from '../model/role.js';

/** What is known of a primitive just before its node is chosen. */
export interface BeforePlacement {
  readonly candidates: readonly NodeStanding[];
  readonly toBeStopped: boolean;
}

/** Looks at a primitive and its candidates before the choice. */
export function beforePlacement(cluster: Cluster, resource: Resource): BeforePlacement {
  const standings: NodeStanding[] = [];
  for (const index of resource.candidates.indexes()) {
    const node = cluster.nodesByIndex[index];
    if (!node) continue;
    const { assignedCount } = node;
    standings.push({ node, ...standingOn(resource, node), unusable: whyUnusable(node), assignedCount });
  }
  return { candidates: standings, toBeStopped: resource.nextRole === RoleLevel.Stopped };
}

function standingOn({ candidates }: Resource, { index }: NodeStanding['node']): Pick<NodeStanding, 'score' | 'trail'> {
  return { score: candidates.score(index), trail: candidates.trail(index) };
}

/** What keeps a node from running anything (specification 04 §2.4); undefined for a usable one. */
export function whyUnusable(node: ClusterNode): string | undefined {
  if (node.usable) return undefined;
  if (node.unclean) return 'unclean: it has to be fenced';
  if (!node.online) return 'offline';
  if (node.shutdown) return 'shutting down';
  return node.standby ? 'standby' : 'in maintenance';
}

/** Tells, after the choice, which rule made it; scores may have fallen for want of capacity in between. */
export function placementOf(
  cluster: Cluster,
  resource: Resource,
  wanted: ClusterNode | undefined,
  { candidates: standings, toBeStopped }: BeforePlacement,
): Placement {
  const candidates = standings.map((standing) => ({ ...standing, ...standingOn(resource, standing.node) }));
  candidates.sort((a, b) => b.score - a.score || compareBytes(a.node.name, b.node.name));
  const node = resource.assignedNode;
  if (!node) {
    const rule = !resource.managed
      ? 'unmanaged'
      : cluster.options.stopAllResources
        ? 'stop-all'
        : toBeStopped
          ? 'to-be-stopped'
          : 'no-candidate';
    return { node, rule, candidates };
  }
  return { node, rule: ruleOf(resource, wanted, node, candidates), candidates };
}

function ruleOf(
  resource: Resource,
  wanted: ClusterNode | undefined,
  node: ClusterNode,
  candidates: readonly NodeStanding[],
): PlacementRule {
  if (!resource.managed) return 'unmanaged';
  const chosen = candidates.find((candidate) => candidate.node === node);
  const equals = candidates.filter(
    (candidate) => candidate.node !== node && candidate.unusable === undefined && candidate.score === chosen?.score,
  );
  if (equals.length === 0) return 'highest-score';
  if (node === wanted) return 'wanted';
  if (node === currentNode(resource) && (chosen?.score ?? 0) > 0) return 'tie-stays';
  return equals.every(({ assignedCount }) => assignedCount > (chosen?.assignedCount ?? 0)) ? 'tie-emptier' : 'tie-name';
}
