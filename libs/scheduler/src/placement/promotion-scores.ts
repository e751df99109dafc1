import { type Cluster, leaves } from '../model/cluster.js';
import { baseName } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';
import { NodeSet } from '../model/node-set.js';
import type { Resource } from '../model/resource.js';
import { setWorkingPriority } from './working-priority.js';

/** Where the copies of one inner resource are, in all instances of a clone. */
interface Whereabouts {
  /** The first of the copies, in the order of the instances, that is active on a node. */
  readonly activeOn: Map<ClusterNode, Resource>;
  /** Nodes where history proves the state of any of them. */
  readonly knownOn: NodeSet;
}

/** Promotion scores of the instances of one clone, as long as what history says of them stays the same (specification 05 §10). */
export class PromotionScores {
  /** By the ids in the configuration. */
  private readonly whereabouts = new Map<string, Whereabouts>();

  constructor(
    private readonly cluster: Cluster,
    private readonly clone: Resource,
  ) {}

  /** Promotion score of an instance on a node; undefined when none is set (specification 05 §10.1). */
  of(instance: Resource, node: ClusterNode): number | undefined {
    if (!instance.isPrimitive) {
      let sum: number | undefined;
      for (const member of instance.children) {
        const score = this.of(member, node);
        if (score !== undefined) sum = (sum ?? 0) + score;
      }
      return sum;
    }
    if (!this.applies(instance, node)) return undefined;
    const source = attributeNode(instance, node);
    if (!source) return undefined;
    let value = source.attributes.get(`master-${instance.knownAs}`);
    if (value === undefined && !instance.unique) value = source.attributes.get(`master-${baseName(instance.knownAs)}`);
    return value === undefined ? undefined : (this.cluster.score(value) ?? 0);
  }

  /** Whether a promotion score counts for the instance on that node (specification 05 §10.2). */
  private applies(instance: Resource, node: ClusterNode): boolean {
    return instance.candidates.has(node.index) && instance.candidates.score(node.index) >= 0 && this.counts(instance, node);
  }

  private counts(instance: Resource, node: ClusterNode): boolean {
    if (!instance.unique) {
      const { activeOn, knownOn } = this.whereaboutsOf(instance.xmlId);
      const active = activeOn.get(node);
      if (active === instance || (!active && knownOn.has(node))) return true;
    }
    if (instance.activeOn.length === 0 && instance.knownOn.size === 0) return true;
    return instance.knownOn.has(node) || instance.activeOn.includes(node);
  }

  private whereaboutsOf(xmlId: string): Whereabouts {
    let found = this.whereabouts.get(xmlId);
    if (!found) this.whereabouts.set(xmlId, (found = whereaboutsOfCopies(this.clone, xmlId)));
    return found;
  }
}

function whereaboutsOfCopies(clone: Resource, xmlId: string): Whereabouts {
  const activeOn = new Map<ClusterNode, Resource>();
  const knownOn = new NodeSet();
  for (const instance of clone.children) {
    for (const copy of leaves(instance)) {
      if (copy.xmlId !== xmlId) continue;
      for (const node of copy.activeOn) if (!activeOn.has(node)) activeOn.set(node, copy);
      knownOn.addAll(copy.knownOn);
    }
  }
  return { activeOn, knownOn };
}

/** Where the attribute is read: a guest's host, if the resource says so. */
function attributeNode(instance: Resource, node: ClusterNode): ClusterNode | undefined {
  if (!node.isGuest || instance.meta.get('container-attribute-target') !== 'host') return node;
  const launcher = node.connection?.launcher;
  if (!launcher) return undefined;
  return instance.unassigned ? (launcher.activeOn[0] ?? undefined) : launcher.assignedNode;
}

/** Adds promotion scores to the instances' tables and priorities, once per clone (specification 05 §10.3). */
export function addPromotionScores(cluster: Cluster, clone: Resource): void {
  const scores = new PromotionScores(cluster, clone);
  for (const instance of clone.children) {
    for (const index of instance.candidates.indexes()) {
      const node = cluster.nodesByIndex[index];
      if (!node?.usable) continue;
      const score = scores.of(instance, node) ?? 0;
      const cause = { kind: 'promotion-score', resource: instance.id } as const;
      if (score > 0) instance.candidates.addScore(index, score, cause);
      if (score > instance.workingPriority) setWorkingPriority(cluster, instance, score, cause);
    }
  }
}
