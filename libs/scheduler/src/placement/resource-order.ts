import type { CandidateTable } from '../model/candidates.js';
import type { Cluster } from '../model/cluster.js';
import { mergeSort } from '../model/names.js';
import type { Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';
import { INFINITY } from '../model/score.js';
import { NODE_SCORE } from '../model/score-trail.js';
import { currentNode } from '../model/activity.js';
import { thisWithColocations } from './colocations.js';
import { compareNodes } from './compare-nodes.js';
import { factorOf } from './likes.js';
import { mergeScores } from './merge-scores.js';
import { CandidateTable as Table } from '../model/candidates.js';
import { anyUsable } from './node-value.js';

/** Sorts the top-level list for placement by strategies other than the default, for good (specification 04 §12.4). */
export function sortForPlacement(cluster: Cluster): void {
  const all = new Table(cluster.nodesByIndex.length);
  for (const node of cluster.nodes) all.put(node.index, node.baseScore, node.probeMode, NODE_SCORE);
  const nodes = mergeSort(cluster.nodes, (a, b) => compareNodes(cluster, all, a, b, undefined));
  const keys = new Map(cluster.resources.map((resource) => [resource, sortKey(cluster, resource)]));
  const scoreOn = (table: CandidateTable, index: number | undefined): number =>
    index !== undefined && table.has(index) ? table.score(index) : -INFINITY;
  cluster.resources = mergeSort(cluster.resources, (a, b) => {
    if (a.priority !== b.priority) return b.priority - a.priority;
    const tableA = keys.get(a) ?? a.candidates;
    const tableB = keys.get(b) ?? b.candidates;
    const current = scoreOn(tableB, currentNode(b)?.index) - scoreOn(tableA, currentNode(a)?.index);
    if (current !== 0) return current;
    for (const { index } of nodes) {
      const difference = scoreOn(tableB, index) - scoreOn(tableA, index);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

/** A resource's own candidates with the scores of all it wants to be with, in turn. */
function sortKey(cluster: Cluster, resource: Resource): CandidateTable {
  let source: Resource | undefined = resource;
  while (source?.kind === 'group') source = source.children.at(-1);
  if (!source) return resource.candidates;
  const marked = source === resource ? [source] : [source, resource];
  for (const one of marked) placing(one).merging = true;
  let table = source.candidates.copy();
  if (anyUsable(cluster, table)) {
    const mode = { revocable: true, floored: false, follow: 'primaries' } as const;
    for (const colocation of thisWithColocations(source)) {
      table = mergeScores(cluster, table, colocation.primary, resource, colocation, factorOf(colocation.score), mode);
    }
  }
  for (const one of marked) placing(one).merging = false;
  return table;
}
