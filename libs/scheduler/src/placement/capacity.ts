import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';

const MAX_32 = 2147483647;

/** A utilization value as a 32-bit integer; 0 when it is none (specification 04 §12.1). */
export function amount(cluster: Cluster, text: string | undefined): number {
  const value = cluster.cib.integer(text) ?? 0;
  return Math.max(-MAX_32 - 1, Math.min(MAX_32, value));
}

/** Negative when `a` has more capacity left: attributes count, not amounts (specification 04 §12.2). */
export function compareCapacity(cluster: Cluster, a: ClusterNode, b: ClusterNode): number {
  let result = 0;
  for (const name of new Set([...a.utilization.keys(), ...b.utilization.keys()])) {
    const left = amount(cluster, a.utilization.get(name));
    const right = amount(cluster, b.utilization.get(name));
    if (left > right) result--;
    else if (left < right) result++;
  }
  return result;
}

/** Takes from (or, with sign 1, gives back to) a node what a resource needs; a node has 0 of what it doesn't define (specification 04 §8.4). */
export function changeCapacity(cluster: Cluster, node: ClusterNode, resource: Resource, sign: 1 | -1): void {
  for (const [name, value] of resource.utilization) {
    node.utilization.set(name, String(amount(cluster, node.utilization.get(name)) + sign * amount(cluster, value)));
  }
}
