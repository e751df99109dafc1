import { CandidateTable } from '../model/candidates.js';
import { type Cluster, leaves } from '../model/cluster.js';
import { mergeSort } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { NODE_SCORE } from '../model/score-trail.js';
import { currentNode } from '../model/activity.js';
import { hasInfluence, thisWithColocations, withThisColocations } from './colocations.js';
import { factorOf } from './likes.js';
import { mergeScores } from './merge-scores.js';

/** Sorts a list of instances in place, by number. */
export function sortByNumber(instances: Resource[]): void {
  instances.sort((a, b) => a.number - b.number);
}

/** Sorts instances in place, in the order in which they are to be placed (specification 05 §6). */
export function sortInstances(cluster: Cluster, instances: Resource[], collective: Resource): void {
  const compare = instanceComparison(cluster, collective);
  for (const [index, instance] of mergeSort(instances, compare).entries()) instances[index] = instance;
}

/** Comparison of two instances of a collective; what it computes is remembered for one sort. */
export function instanceComparison(cluster: Cluster, collective: Resource): (a: Resource, b: Resource) => number {
  const { candidates } = collective;
  const nodes = new Map<Resource, ClusterNode | undefined>();
  const allowedNode = (resource: Resource): ClusterNode | undefined => {
    if (!nodes.has(resource)) {
      const node = currentNode(resource);
      nodes.set(resource, node && resource.candidates.has(node.index) && resource.candidates.score(node.index) >= 0 ? node : undefined);
    }
    return nodes.get(resource);
  };
  const scores = new Map<Resource, number>();
  const colocationScore = (resource: Resource, node: ClusterNode): number => {
    let score = scores.get(resource);
    if (score === undefined) scores.set(resource, (score = scoreOfCurrentNode(cluster, resource, node)));
    return score;
  };
  return (a, b) => {
    if (a.activeOn.length > 0 && b.activeOn.length > 0 && a.activeOn.length !== b.activeOn.length)
      return a.activeOn.length - b.activeOn.length;
    const nodeA = allowedNode(a);
    const nodeB = allowedNode(b);
    const displacedA = a.activeOn.length > 0 && !nodeA;
    const displacedB = b.activeOn.length > 0 && !nodeB;
    if (displacedA !== displacedB) return displacedA ? 1 : -1;
    if (a.workingPriority !== b.workingPriority) return b.workingPriority - a.workingPriority;
    if (!nodeA || !nodeB) return nodeA ? -1 : nodeB ? 1 : 0;
    if (nodeA.usable !== nodeB.usable) return nodeA.usable ? -1 : 1;
    const presentA = candidates.has(nodeA.index);
    const presentB = candidates.has(nodeB.index);
    if (!presentA || !presentB) return presentA ? -1 : presentB ? 1 : 0;
    const tallies = candidates.tally(nodeA.index) - candidates.tally(nodeB.index);
    if (tallies !== 0) return tallies;
    const failedA = isFailed(a);
    const failedB = isFailed(b);
    if (failedA !== failedB) return failedA ? 1 : -1;
    const difference = colocationScore(b, nodeB) - colocationScore(a, nodeA);
    return difference !== 0 ? difference : a.number - b.number;
  };
}

function isFailed(resource: Resource): boolean {
  if (resource.failed) return true;
  for (const leaf of leaves(resource)) if (leaf.failed) return true;
  return false;
}

/** Colocation score of an instance's current node (specification 05 §6.2). */
function scoreOfCurrentNode(cluster: Cluster, instance: Resource, node: ClusterNode): number {
  let table = new CandidateTable(cluster.nodesByIndex.length);
  table.put(node.index, node.baseScore, node.probeMode, NODE_SCORE);
  for (const colocation of thisWithColocations(instance)) {
    const mode = { revocable: false, floored: false, follow: 'dependents' } as const;
    table = mergeScores(cluster, table, colocation.primary, instance, colocation, factorOf(colocation.score), mode);
  }
  for (const colocation of withThisColocations(instance)) {
    if (!hasInfluence(colocation, instance)) continue;
    const mode = { revocable: false, floored: true, follow: 'dependents' } as const;
    table = mergeScores(cluster, table, colocation.dependent, instance, colocation, factorOf(colocation.score), mode);
  }
  return table.score(node.index);
}
