import { addInstance, enterDefaults } from '../resources.js';
import { type Cluster, subtree } from '../../model/cluster.js';
import { InstancePlaces, memberFor } from '../../model/instance-places.js';
import { baseName } from '../../model/names.js';
import type { ClusterNode } from '../../model/node.js';
import { setHistoryName } from './history-name.js';
import type { Resource } from '../../model/resource.js';
import { observing } from '../../model/resource/observing.js';

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
    setHistoryName(cluster.resourceNames, resource, historyId);
  return resource;
}

/** The first instance of an anonymous clone whose instances history may know by another number, or by none. */
function zerothInstance(cluster: Cluster, historyId: string): Resource | undefined {
  const zeroth = cluster.resourceNames.first(`${baseName(historyId)}:0`);
  return zeroth?.unique === false ? zeroth : undefined;
}

/** Chooses the instance of an anonymous clone that a node's history belongs to, or makes one (specification 03 §7.2). */
function chooseInstance(cluster: Cluster, clone: Resource, node: ClusterNode, base: string): Resource | undefined {
  const settings = clone.clone;
  if (!settings) return undefined;
  const places = (observing(clone).instancePlaces ??= new InstancePlaces(clone));
  const here = places.inactiveOn(node, base);
  let chosen = here === undefined ? places.unlocated(base) : here === 'none-left' ? undefined : here;
  if (chosen && !chosen.needsFencing && (!node.online || node.unclean) && !node.isGuest && settings.max !== cluster.nodes.length) {
    chosen = undefined;
  }
  if (!chosen) {
    const instance = addInstance(cluster, clone);
    if (!instance) return undefined;
    for (const resource of subtree(instance)) enterDefaults(cluster, resource);
    chosen = memberFor(instance, base);
  }
  if (chosen) places.expectChange(chosen);
  return chosen;
}
