import type { CandidateTable } from '../model/candidates.js';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';

/** The node whose attributes count for a resource: a guest's host in some cases (specification 04 §8.3.2, 05 §13.6). */
function attributeSource(node: ClusterNode, resource: Resource): ClusterNode | undefined {
  if (!node.isGuest) return node;
  const onHost = (node.isBundleNode && isBundledService(resource)) || resource.meta.get('container-attribute-target') === 'host';
  return onHost ? node.connection?.launcher?.assignedNode : node;
}

/** The clone inside a bundle or one of its instances. */
function isBundledService(resource: Resource): boolean {
  const { parent } = resource;
  return parent !== undefined && (parent.bundle?.inner === resource || parent.parent?.bundle?.inner === parent);
}

/** Value of a colocation's node attribute, folded for comparison; undefined when missing. */
export function nodeValue(node: ClusterNode, attribute: string, resource: Resource): string | undefined {
  return attributeSource(node, resource)?.attributes.get(attribute)?.toLowerCase();
}

/** Some candidate is usable and has a score of at least 0 (specification 04 §2.4). */
export function anyUsable(cluster: Cluster, table: CandidateTable): boolean {
  for (let index = 0; index < table.capacity; index++)
    if (table.has(index) && table.score(index) >= 0 && cluster.nodesByIndex[index]?.usable) return true;
  return false;
}
