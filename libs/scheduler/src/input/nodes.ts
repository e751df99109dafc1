import { type AttributeSource, fillNodeAttributes, readNodes } from '@systole/cib';
import type { Cluster } from '../model/cluster.js';
import { sameText } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';

/** Creates the nodes of the `nodes` section, in document order (specification 03 §1.1). */
export function unpackNodes(cluster: Cluster): void {
  const { nodes, ignored } = readNodes(cluster.cib.firstNamed('nodes'));
  for (const text of ignored) cluster.error(text);
  for (const { id, name, kind, element } of nodes) {
    const remote = kind === 'remote';
    const { score } = element.attributes;
    const node = cluster.addNode(id, name, remote, score === undefined ? 0 : (cluster.score(score) ?? 0));
    node.attributes.set('#kind', remote ? 'remote' : 'cluster');
    node.unclean = !remote && startupFencing(cluster);
    readNodeAttributes(cluster, node, { element, lifetime: 'forever' });
    cluster.cib.fill(element, 'utilization', {}, node.utilization);
  }
}

/** Nodes that were never seen are fenced at start-up: only with fencing enabled (specification 03 §1.4). */
export function startupFencing(cluster: Cluster): boolean {
  return cluster.options.fencingEnabled && cluster.options.startupFencing;
}

/** Reads a node's attributes from `node` or from its `transient_attributes` (specification 03 §1.5, 01 §4.8). */
export function readNodeAttributes(cluster: Cluster, node: ClusterNode, source: AttributeSource): void {
  node.forgetFailures();
  const dc = cluster.cib.document.attributes['dc-uuid'];
  if (!node.isDc && dc !== undefined && sameText(node.id, dc) && !cluster.nodes.some((other) => other.isDc)) node.isDc = true;
  fillNodeAttributes(cluster.cib.evaluation, node, source, node.attributes);
  if (source.element && source.lifetime === 'reboot') cluster.cib.fill(source.element, 'utilization', {}, node.utilization);
}
