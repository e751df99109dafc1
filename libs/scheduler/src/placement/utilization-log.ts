import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import type { UtilizationEntry } from '../model/score-record.js';
import { slotOrder } from './slot-order.js';

/** Records what each node can carry, bundle nodes apart (specification 04 §13.4, 08 §5.3). */
export function logCapacities(cluster: Cluster, moment: 'original' | 'remaining'): void {
  if (!cluster.recordUtilization) return;
  for (const node of cluster.nodes) {
    if (!node.isBundleNode) cluster.scores.push({ phase: 'utilization', moment, node: node.name, amounts: amountsOf(node) });
  }
}

/** Records what a primitive takes on the node that it was given, perhaps only tentatively. */
export function logUtilization(cluster: Cluster, resource: Resource, node: ClusterNode): void {
  if (!cluster.recordUtilization) return;
  const entry = { phase: 'utilization', moment: 'assigned', resource: resource.id, node: node.name } as const;
  cluster.scores.push({ ...entry, amounts: amountsOf(resource) });
}

/** In the order of the reference's tables (specification 04 §12.6). */
function amountsOf({ utilization }: ClusterNode | Resource): UtilizationEntry['amounts'] {
  return slotOrder([...utilization], ([name]) => name).map(([name, value]) => ({ name, value }));
}
