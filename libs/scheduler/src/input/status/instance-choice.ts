import { addInstance, enterDefaults } from '../resources.js';
import { type Cluster, leaves, subtree } from '../../model/cluster.js';
import { baseName } from '../../model/names.js';
import type { ClusterNode } from '../../model/node.js';
import type { Resource } from '../../model/resource.js';

/** The resource that a history id means on a node (specification 03 §7.1, 02 §10.2); undefined when it is unknown. */
export function resourceOfHistory(cluster: Cluster, node: ClusterNode, historyId: string): Resource | undefined {
  const named = cluster.resourceNames.first(historyId);
  if (named && !named.isPrimitive) return undefined;
  const found = named ?? zerothInstance(cluster, historyId);
  if (!found) return undefined;
  const { top } = found;
  let resource: Resource | undefined = found;
  if (top.kind === 'clone' && !top.unique) {
    resource = found.isBundled
      ? top.parent?.bundle?.replicas.find((replica) => replica.node === node)?.child
      : chooseInstance(cluster, top, node, baseName(historyId));
  }
  if (resource && !resource.isPrimitive) return undefined;
  if (resource && historyId !== resource.id && historyId !== resource.historyName)
    cluster.resourceNames.setHistoryName(resource, historyId);
  return resource;
}

/** The first instance of an anonymous clone whose instances history may know by another number, or by none. */
function zerothInstance(cluster: Cluster, historyId: string): Resource | undefined {
  const zeroth = cluster.resourceNames.first(`${baseName(historyId)}:0`);
  return zeroth?.unique === false ? zeroth : undefined;
}

/** Nodes where an instance is located: where its primitives are active, then where they have something pending. */
function firstLocation(instance: Resource): ClusterNode | undefined {
  for (const { activeOn, pendingNode } of leaves(instance)) {
    const location = activeOn[0] ?? pendingNode;
    if (location) return location;
  }
  return undefined;
}

function memberFor(instance: Resource, base: string): Resource | undefined {
  for (const member of leaves(instance)) {
    // The base name of an id is its beginning, and most are told apart by that.
    if (member.xmlId === base || (member.id.startsWith(base) && baseName(member.id) === base)) return member;
  }
  return undefined;
}

/** Chooses the instance of an anonymous clone that a node's history belongs to, or makes one (specification 03 §7.2). */
function chooseInstance(cluster: Cluster, clone: Resource, node: ClusterNode, base: string): Resource | undefined {
  let chosen: Resource | undefined;
  let inactive: Resource | undefined;
  let skipInactive = false;
  for (const instance of clone.children) {
    const location = firstLocation(instance);
    if (location) {
      const member = location === node ? memberFor(instance, base) : undefined;
      if (!member) continue;
      if (member.activeOn.length > 0) {
        skipInactive = true;
      } else {
        chosen = member;
        break;
      }
    } else if (!skipInactive && !inactive && !instance.blocked) {
      const member = memberFor(instance, base);
      if (!(member?.pendingNode && member.pendingNode !== node)) inactive = member;
    }
  }
  if (!chosen && !skipInactive) chosen = inactive;
  if (chosen && !chosen.needsFencing && (!node.online || node.unclean) && !node.isGuest && clone.clone?.max !== cluster.nodes.length) {
    chosen = undefined;
  }
  if (chosen) return chosen;
  const instance = addInstance(cluster, clone);
  if (!instance) return undefined;
  for (const resource of subtree(instance)) enterDefaults(cluster, resource);
  return memberFor(instance, base);
}
