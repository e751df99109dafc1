import { childrenNamed, type XmlElement } from '@systole/cib';
import type { Cluster } from '../model/cluster.js';
import { sameText } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';

/** Creates the nodes of the `nodes` section, in document order (specification 03 §1.1). */
export function unpackNodes(cluster: Cluster): void {
  const section = cluster.cib.firstNamed('nodes');
  if (!section) return;
  for (const element of childrenNamed(section, 'node')) {
    const { id, uname, type, score } = element.attributes;
    if (id === undefined) {
      cluster.error('Ignoring a node without id: give it one');
      continue;
    }
    const remote = sameText(type, 'remote');
    if (type !== undefined && !remote && !sameText(type, 'member')) {
      cluster.error(`Ignoring node ${uname ?? id} and the ones after it: type "${type}" is unknown, use "member" or "remote"`);
      return;
    }
    const node = cluster.addNode(id, uname ?? id, remote, score === undefined ? 0 : (cluster.score(score) ?? 0));
    node.attributes.set('#kind', remote ? 'remote' : 'cluster');
    node.unclean = !remote && startupFencing(cluster);
    readNodeAttributes(cluster, node, element, false);
    cluster.cib.fill(element, 'utilization', {}, node.utilization);
  }
}

/** Nodes that were never seen are fenced at start-up: only with fencing enabled (specification 03 §1.4). */
export function startupFencing(cluster: Cluster): boolean {
  return cluster.options.fencingEnabled && cluster.options.startupFencing;
}

/**
 * Reads a node's attributes from `node` or from its `transient_attributes` (specification 03 §1.5, 01 §4.8). Permanent ones never
 * overwrite what is there, transient ones do.
 */
export function readNodeAttributes(cluster: Cluster, node: ClusterNode, element: XmlElement | undefined, transient: boolean): void {
  const { attributes } = node;
  node.failures = undefined;
  attributes.set('#uname', node.name);
  attributes.set('#id', node.id);
  const dc = cluster.cib.document.attributes['dc-uuid'];
  if (!node.isDc && dc !== undefined && sameText(node.id, dc) && !cluster.nodes.some((other) => other.isDc)) node.isDc = true;
  attributes.set('#is_dc', node.isDc ? 'true' : 'false');
  const { clusterName } = cluster.options;
  if (clusterName !== undefined) attributes.set('#cluster-name', clusterName);
  if (!element) {
    // Only what is built in.
  } else if (transient) {
    const values = new Map<string, string>();
    cluster.cib.fill(element, 'instance_attributes', {}, values);
    for (const [name, value] of values) attributes.set(name, value);
    cluster.cib.fill(element, 'utilization', {}, node.utilization);
  } else {
    cluster.cib.fill(element, 'instance_attributes', {}, attributes);
  }
  if (!attributes.has('#site-name')) {
    const site = attributes.get('site-name') ?? clusterName;
    if (site !== undefined) attributes.set('#site-name', site);
  }
}
