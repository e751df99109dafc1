import { childElements, type XmlElement } from '@systole/cib';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';

/** Stands for the parameters of all that have none: a cluster keeps the parameters of each resource and action. */
export const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** A resource's parameters as evaluated for a node, or without one (specification 02 §5.1); they propose no recheck time (01 §6.5). */
export function parameters(cluster: Cluster, resource: Resource, node: ClusterNode | undefined): ReadonlyMap<string, string> {
  const known = resource.commonParameters ?? resource.nodeParameters?.get(node);
  if (known) return known;
  const filled = new Map<string, string>();
  let ruled = false;
  for (let at: Resource | undefined = resource; at; at = at.parent) {
    cluster.cib.fill(at.element, 'instance_attributes', node ? { nodeAttributes: node.attributes } : {}, filled, {
      proposesRecheck: false,
    });
    ruled ||= hasRules(cluster, at.element, 'instance_attributes');
  }
  const values = filled.size === 0 ? NO_PARAMETERS : filled;
  if (ruled) (resource.nodeParameters ??= new Map()).set(node, values);
  else resource.commonParameters = values;
  return values;
}

/** Whether the outcome of these sets depends on rules. */
export function hasRules(cluster: Cluster, element: XmlElement, setName: string): boolean {
  return childElements(element).some(
    (set) => set.name === setName && childElements(cluster.cib.resolve(set) ?? set).some((child) => child.name === 'rule'),
  );
}
