import type { Cluster } from '../model/cluster.js';
import type { Resource } from '../model/resource.js';

/** Records a resource's candidate table for the score listing; removed ones aren't listed (specification 04 §13). */
export function logScores(cluster: Cluster, phase: string, resource: Resource): void {
  if (!cluster.recordScores || resource.removed) return;
  cluster.scores.push({ phase, resource: resource.id, table: resource.candidates.copy() });
}

/** The same for a collective and everything below it, in the children's present order. */
export function logTree(cluster: Cluster, phase: string, resource: Resource): void {
  if (!cluster.recordScores || resource.removed) return;
  logScores(cluster, phase, resource);
  for (const child of resource.children) logTree(cluster, phase, child);
}
