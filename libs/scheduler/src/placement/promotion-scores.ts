import { type Cluster, leaves } from '../model/cluster.js';
import { baseName } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { setWorkingPriority } from '../model/working-priority.js';

/** Promotion score of an instance on a node; undefined when none is set (specification 05 §10.1). */
export function promotionScore(cluster: Cluster, instance: Resource, node: ClusterNode): number | undefined {
  if (!instance.isPrimitive) {
    let sum: number | undefined;
    for (const member of instance.children) {
      const score = promotionScore(cluster, member, node);
      if (score !== undefined) sum = (sum ?? 0) + score;
    }
    return sum;
  }
  if (!applies(instance, node)) return undefined;
  const source = attributeNode(instance, node);
  if (!source) return undefined;
  let value = source.attributes.get(`master-${instance.knownAs}`);
  if (value === undefined && !instance.top.unique) value = source.attributes.get(`master-${baseName(instance.knownAs)}`);
  return value === undefined ? undefined : (cluster.score(value) ?? 0);
}

/** Where the attribute is read: a guest's host, if the resource says so. */
function attributeNode(instance: Resource, node: ClusterNode): ClusterNode | undefined {
  if (!node.isGuest || instance.meta.get('container-attribute-target') !== 'host') return node;
  const launcher = node.connection?.launcher;
  if (!launcher) return undefined;
  return instance.unassigned ? (launcher.activeOn[0] ?? undefined) : launcher.assignedNode;
}

/** Copies of the same inner resource in all instances of the clone, in the order of the instances. */
function* copies(instance: Resource): Generator<Resource> {
  for (const other of instance.top.children) for (const leaf of leaves(other)) if (leaf.xmlId === instance.xmlId) yield leaf;
}

/** Whether a promotion score counts for the instance on that node (specification 05 §10.2). */
function applies(instance: Resource, node: ClusterNode): boolean {
  return scoreCounts(instance, node) && instance.candidates.has(node.index) && instance.candidates.score(node.index) >= 0;
}

function scoreCounts(instance: Resource, node: ClusterNode): boolean {
  if (!instance.top.unique) {
    let activeHere: Resource | undefined;
    let known = false;
    for (const copy of copies(instance)) {
      if (!activeHere && copy.activeOn.includes(node)) activeHere = copy;
      if (copy.knownOn.has(node)) known = true;
    }
    if (activeHere === instance) return true;
    if (!activeHere && known) return true;
  }
  if (instance.activeOn.length === 0 && instance.knownOn.size === 0) return true;
  return instance.knownOn.has(node) || instance.activeOn.includes(node);
}

/** Adds promotion scores to the instances' tables and priorities, once per clone (specification 05 §10.3). */
export function addPromotionScores(cluster: Cluster, clone: Resource): void {
  for (const instance of clone.children) {
    for (const index of instance.candidates.indexes()) {
      const node = cluster.nodesByIndex[index];
      if (!node?.usable) continue;
      const score = promotionScore(cluster, instance, node) ?? 0;
      const cause = { kind: 'promotion-score', resource: instance.id } as const;
      if (score > 0) instance.candidates.addScore(index, score, cause);
      if (score > instance.workingPriority) setWorkingPriority(cluster, instance, score, cause);
    }
  }
}
