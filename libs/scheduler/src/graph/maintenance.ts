import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';

/** Nodes of remote type whose maintenance state isn't the recorded one (specification 08 §3.8). */
export function maintenanceChanges(cluster: Cluster): ClusterNode[] {
  return cluster.nodes.filter((node) => node.remoteType && node.maintenance !== node.maintenanceRecorded);
}
