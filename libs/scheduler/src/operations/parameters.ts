import { childElements, type XmlElement } from '@systole/cib';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';

/** A resource's parameters as evaluated for a node, or without one (specification 02 §5.1). */
export function parameters(cluster: Cluster, resource: Resource, node: ClusterNode | undefined): ReadonlyMap<string, string> {
  const cache = resource.parameterCache;
  // Without rules every node sees the same.
  const constant = cache.get('*');
  if (constant) return constant;
  const name = node ? `@${node.name.toLowerCase()}` : '';
  const known = cache.get(name);
  if (known) return known;
  const values = new Map<string, string>();
  let ruled = false;
  for (let at: Resource | undefined = resource; at; at = at.parent) {
    cluster.cib.fill(at.element, 'instance_attributes', node ? { nodeAttributes: node.attributes } : {}, values);
    ruled ||= hasRules(cluster, at.element, 'instance_attributes');
  }
  cache.set(ruled ? name : '*', values);
  return values;
}

/** Whether the outcome of these sets depends on rules. */
export function hasRules(cluster: Cluster, element: XmlElement, setName: string): boolean {
  return childElements(element).some(
    (set) => set.name === setName && childElements(cluster.cib.resolve(set) ?? set).some((child) => child.name === 'rule'),
  );
}
