import { addInstance, enterDefaults } from '../resources.js';
import { type Cluster, leaves, subtree } from '../../model/cluster.js';
import { baseName } from '../../model/names.js';
import type { ClusterNode } from '../../model/node.js';
import type { Resource } from '../../model/resource.js';

/** The resource that a history id means on a node (specification 03 §7.1, 02 §10.2); undefined when it is unknown. */
export function resourceOfHistory(cluster: Cluster, node: ClusterNode, historyId: string): Resource | undefined {
  const base = baseName(historyId);
  let found = cluster.findResource(historyId);
  if (found && !found.isPrimitive) return undefined;
  if (!found) {
    const zeroth = cluster.findResource(`${base}:0`);
    if (zeroth && !zeroth.unique) found = zeroth;
  }
  if (!found) return undefined;
  const { top } = found;
  let resource: Resource | undefined = found;
  if (top.kind === 'clone' && !top.unique) {
    resource = found.isBundled
      ? top.parent?.bundle?.replicas.find((replica) => replica.node === node)?.child
      : chooseInstance(cluster, top, node, base);
  }
  if (resource && !resource.isPrimitive) return undefined;
  if (resource && historyId !== resource.id && historyId !== resource.historyName) cluster.setHistoryName(resource, historyId);
  return resource;
}

/** Nodes where an instance is located: where its primitives are active, then where they have something pending. */
function firstLocation(instance: Resource): ClusterNode | undefined {
  if (instance.isPrimitive) return instance.activeOn[0] ?? instance.pendingNode;
  for (const member of leaves(instance)) {
    const location = firstLocation(member);
    if (location) return location;
  }
  return undefined;
}

function memberFor(instance: Resource, base: string): Resource | undefined {
  if (instance.isPrimitive) return instance.xmlId === base || baseName(instance.id) === base ? instance : undefined;
  for (const member of leaves(instance)) {
    const found = memberFor(member, base);
    if (found) return found;
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
    const member = memberFor(instance, base);
    if (location) {
      if (location !== node || !member) continue;
      if (member.activeOn.length > 0) {
        skipInactive = true;
      } else {
        chosen = member;
        break;
      }
    } else if (!skipInactive && !inactive && !instance.blocked && !(member?.pendingNode && member.pendingNode !== node)) {
      inactive = member;
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
