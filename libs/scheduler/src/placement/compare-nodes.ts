import type { CandidateTable } from '../model/candidates.js';
import type { Cluster } from '../model/cluster.js';
import { compareBytes, mergeSort } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';
import { INFINITY } from '../model/score.js';
import { compareCapacity } from './capacity.js';
import { slotOrder } from './slot-order.js';

/** Order of two candidates, the better one first (specification 04 §10.1). */
export function compareNodes(
  cluster: Cluster,
  table: CandidateTable,
  a: ClusterNode,
  b: ClusterNode,
  preferred: ClusterNode | undefined,
): number {
  const scoreA = a.usable ? table.score(a.index) : -INFINITY;
  const scoreB = b.usable ? table.score(b.index) : -INFINITY;
  if (scoreA !== scoreB) return scoreB - scoreA;
  const strategy = cluster.options.placementStrategy;
  if (strategy !== 'minimal') {
    if (strategy === 'balanced') {
      const capacity = compareCapacity(cluster, a, b);
      if (capacity !== 0) return capacity;
    }
    if (a.assignedCount !== b.assignedCount) return a.assignedCount - b.assignedCount;
    if (preferred && a !== b) {
      if (a === preferred) return -1;
      if (b === preferred) return 1;
    }
  }
  return compareBytes(a.name, b.name);
}

/** Candidates of a table, the best one first. The walk's start order matters where capacities form a cycle (specification 04 §12.6). */
export function sortedCandidates(cluster: Cluster, table: CandidateTable, preferred: ClusterNode | undefined): ClusterNode[] {
  const nodes = candidateNodes(cluster, table);
  const start = cluster.options.placementStrategy === 'balanced' ? slotOrder(nodes, (node) => node.id).reverse() : nodes;
  return mergeSort(start, (a, b) => compareNodes(cluster, table, a, b, preferred));
}

/** The first of `sortedCandidates`. */
export function bestCandidate(cluster: Cluster, table: CandidateTable, preferred: ClusterNode | undefined): ClusterNode | undefined {
  if (cluster.options.placementStrategy === 'balanced') return sortedCandidates(cluster, table, preferred)[0];
  let best: ClusterNode | undefined;
  for (const index of table.indexes()) {
    const node = cluster.nodesByIndex[index];
    if (node && (!best || compareNodes(cluster, table, node, best, preferred) < 0)) best = node;
  }
  return best;
}

/** Candidates in node list order. */
export function candidateNodes(cluster: Cluster, table: CandidateTable): ClusterNode[] {
  return cluster.nodes.filter(({ index }) => table.has(index));
}
