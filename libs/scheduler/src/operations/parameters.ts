import { hasRules, resourceParameters, type XmlElement } from '@systole/cib';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';

/** Stands for the parameters of all that have none: a cluster keeps the parameters of each resource and action. */
export const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** A resource's parameters as evaluated for a node, or without one (specification 02 §5.1); they propose no recheck time (01 §6.5). */
export function parameters(cluster: Cluster, resource: Resource, node: ClusterNode | undefined): ReadonlyMap<string, string> {
  const known = resource.commonParameters ?? resource.nodeParameters?.get(node);
  if (known) return known;
  const layers = layersOf(resource);
  const filled = resourceParameters(cluster.cib.evaluation, layers, node?.attributes, { proposesRecheck: false });
  const ruled = layers.some((layer) => hasRules(cluster.cib.evaluation.index, layer, 'instance_attributes'));
  const values = filled.size === 0 ? NO_PARAMETERS : filled;
  if (ruled) (planning(resource).nodeParameters ??= new Map()).set(node, values);
  else planning(resource).commonParameters = values;
  return values;
}

/** The element of a resource and of those that it stands in, the nearest first. */
export function layersOf(resource: Resource): readonly XmlElement[] {
  const layers: XmlElement[] = [];
  for (let at: Resource | undefined = resource; at; at = at.parent) layers.push(at.element);
  return layers;
}
