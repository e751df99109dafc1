import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import type { RoleLevel } from '../model/role.js';
import { nextRole } from '../model/activity.js';
import { sortedCandidates } from './compare-nodes.js';
import { isBlocked, singleCurrent } from './locations-of.js';
import { nodeValue } from './node-value.js';

/** The instances of a clone in their order, the containers of a bundle in replica order. */
export function instancesOf(collective: Resource): readonly Resource[] {
  return collective.bundle ? collective.bundle.replicas.map(({ container }) => container) : collective.children;
}

/** The instance of a collective that goes with a dependent (specification 05 §8.4). No node is excluded. */
export function findCompatible(
  cluster: Cluster,
  dependent: Resource,
  collective: Resource,
  role: RoleLevel | undefined,
  attribute: string | undefined,
): Resource | undefined {
  const own = dependent.singleAssigned;
  for (const node of own ? [own] : sortedCandidates(cluster, dependent.candidates, undefined)) {
    const found = instancesOf(collective).find((instance) => {
      if ((role !== undefined && nextRole(instance) !== role) || isBlocked(instance)) return false;
      const location = instance.singleAssigned;
      if (!location) return false;
      return attribute === undefined
        ? location === node
        : nodeValue(location, attribute, instance) === nodeValue(node, attribute, instance);
    });
    if (found) return found;
  }
  return undefined;
}

/** The container of a bundle that goes with a dependent: bundle nodes count as their hosts (specification 05 §13.4.1). */
export function findContainer(cluster: Cluster, dependent: Resource, bundle: Resource): Resource | undefined {
  const host = (node: ClusterNode): ClusterNode | undefined => (node.isBundleNode ? node.connection?.launcher?.assignedNode : node);
  const own = dependent.assignedNode;
  for (const node of own ? [own] : sortedCandidates(cluster, dependent.candidates, undefined)) {
    const place = host(node);
    const found = place && instancesOf(bundle).find((container) => !isBlocked(container) && container.assignedNode === place);
    if (found) return found;
  }
  return undefined;
}

/** Instances that others can go with, by node: the first one that isn't blocked (specification 07 §5.4). */
export function instancesByNode(collective: Resource, current: boolean): ReadonlyMap<ClusterNode, Resource> {
  const byNode = new Map<ClusterNode, Resource>();
  for (const instance of instancesOf(collective)) {
    const node = current ? singleCurrent(instance) : instance.singleAssigned;
    if (node && !byNode.has(node) && !isBlocked(instance)) byNode.set(node, instance);
  }
  return byNode;
}

/** The instance that is on the same node now, or will be; for one without node the best candidate's (specification 07 §5.4). */
export function findInterleaved(
  cluster: Cluster,
  instance: Resource,
  partners: ReadonlyMap<ClusterNode, Resource>,
  current: boolean,
): Resource | undefined {
  if (partners.size === 0) return undefined;
  const own = current ? singleCurrent(instance) : instance.singleAssigned;
  if (own) return partners.get(own);
  const node = sortedCandidates(cluster, instance.candidates, undefined).find((candidate) => partners.has(candidate));
  return node && partners.get(node);
}
