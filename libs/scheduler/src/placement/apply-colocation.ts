import type { Cluster } from '../model/cluster.js';
import type { Colocation } from '../model/constraints.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';
import { RoleLevel } from '../model/role.js';
import { addScores, INFINITY } from '../model/score.js';
import type { ScoreCause } from '../model/score-trail.js';
import { nextRole } from '../model/activity.js';
import { isBlocked } from './locations-of.js';
import { anyUsable, nodeValue } from './node-value.js';
import { assignNowhere } from './commit.js';
import { findCompatible, findContainer } from './compatible.js';
import { addToWorkingPriority, setWorkingPriority } from './working-priority.js';

/** What a colocation affects now (specification 05 §11.1). */
type Effect = 'nothing' | 'role' | 'location';

/** For a bundle's container the role of the service inside counts. */
function roleBearer(resource: Resource): Resource {
  return resource.replica?.container === resource ? (resource.replica.child ?? resource) : resource;
}

/** Decides the effect; in a preview as if both ends were assigned, and the dependent still to be placed. */
export function colocationEffect(dependent: Resource, primary: Resource, colocation: Colocation, preview: boolean): Effect {
  if (!preview && primary.unassigned) return 'nothing';
  const bearer = roleBearer(dependent);
  const { dependentRole, primaryRole } = colocation;
  if (dependentRole !== undefined && dependentRole >= RoleLevel.Unpromoted && bearer.parent?.promotable && !bearer.unassigned)
    return 'role';
  if (!preview && !dependent.unassigned) return 'nothing';
  if (dependentRole !== undefined && dependentRole !== nextRole(bearer)) return 'nothing';
  if (primaryRole !== undefined && primaryRole !== nextRole(roleBearer(primary))) return 'nothing';
  return 'location';
}

/**
 * Applies a colocation to its dependent: to its candidate table while it is being placed, to its working priority while its role is being
 * chosen (specification 04 §8.3.1, 05 §8, §11). Returns what was added to the priority.
 */
export function applyColocation(cluster: Cluster, dependent: Resource, primary: Resource, colocation: Colocation): number {
  if (dependent.kind === 'group') return applyToGroup(cluster, dependent, primary, colocation);
  switch (primary.kind) {
    case 'primitive':
      return applyToPrimitive(cluster, dependent, primary, colocation);
    case 'group':
      return applyWithGroup(cluster, dependent, primary, colocation);
    case 'clone':
      return applyWithClone(cluster, dependent, primary, colocation);
    case 'bundle':
      return applyWithBundle(cluster, dependent, primary, colocation);
  }
}

/** A group stands for its first member; its own priority follows (specification 05 §8, §11.2). */
function applyToGroup(cluster: Cluster, group: Resource, primary: Resource, colocation: Colocation): number {
  if (!group.colocated && colocation.score >= INFINITY) {
    cluster.error(`Colocation ${colocation.id}: group ${group.id} is not colocated, so it can't be colocated as a whole`);
    return 0;
  }
  let delta = 0;
  for (const member of group.colocated ? group.children.slice(0, 1) : group.children) {
    delta = addScores(delta, applyColocation(cluster, member, primary, colocation));
  }
  if (delta !== 0) addToWorkingPriority(cluster, group, delta, causeOf(colocation));
  return delta;
}

function applyWithGroup(cluster: Cluster, dependent: Resource, group: Resource, colocation: Colocation): number {
  if (group.unassigned) return 0;
  const first = group.children[0];
  const last = group.children.at(-1);
  const mandatory = colocation.score >= INFINITY;
  if (group.colocated) {
    const member = mandatory ? last : first;
    return member ? applyColocation(cluster, dependent, member, colocation) : 0;
  }
  if (mandatory) {
    cluster.error(`Colocation ${colocation.id}: group ${group.id} is not colocated, so nothing can be colocated with it`);
    return 0;
  }
  return sumOver(cluster, dependent, group.children, colocation);
}

function sumOver(cluster: Cluster, dependent: Resource, primaries: readonly Resource[], colocation: Colocation): number {
  let delta = 0;
  for (const primary of primaries) delta = addScores(delta, applyColocation(cluster, dependent, primary, colocation));
  return delta;
}

function applyToPrimitive(cluster: Cluster, dependent: Resource, primary: Resource, colocation: Colocation): number {
  switch (colocationEffect(dependent, primary, colocation, false)) {
    case 'nothing':
      return 0;
    case 'role':
      return applyToRole(cluster, dependent, primary, colocation);
    case 'location':
      applyToLocation(cluster, dependent, primary, colocation);
      return 0;
  }
}

/** Effect on the dependent's table (specification 04 §8.3.1). */
function applyToLocation(cluster: Cluster, dependent: Resource, primary: Resource, colocation: Colocation): void {
  const { score, nodeAttribute } = colocation;
  const node = primary.assignedNode;
  if (!node && score < 0) return;
  const mandatory = score >= INFINITY;
  const cause = causeOf(colocation);
  const table = dependent.candidates.copy();
  const wanted = node && nodeValue(node, nodeAttribute, primary);
  for (const index of table.indexes()) {
    const candidate = cluster.nodesByIndex[index];
    if (!candidate) continue;
    if (!node) {
      table.addScore(index, -score, cause);
    } else if (nodeValue(candidate, nodeAttribute, dependent) === wanted) {
      if (!mandatory) table.addScore(index, score, cause);
    } else if (mandatory) {
      table.setScore(index, -INFINITY, cause);
    }
  }
  if (Math.abs(score) >= INFINITY || anyUsable(cluster, table)) placing(dependent).candidates = table;
}

/** Effect on the dependent's working priority (specification 05 §11.2). */
function applyToRole(cluster: Cluster, dependent: Resource, primary: Resource, colocation: Colocation): number {
  const { dependentRole, primaryRole, nodeAttribute, score } = colocation;
  const { assignedNode: node } = dependent;
  if (!node) return 0;
  const primaryNode = primary.assignedNode;
  if (primaryNode && primaryRole !== undefined && primaryRole !== nextRole(roleBearer(primary))) return 0;
  const same = nodeValue(node, nodeAttribute, dependent) === (primaryNode && nodeValue(primaryNode, nodeAttribute, primary));
  let delta: number;
  if (!same) {
    if (score !== INFINITY || dependentRole !== RoleLevel.Promoted) return 0;
    delta = -score;
  } else {
    delta = dependentRole === RoleLevel.Unpromoted ? -score : score;
  }
  addToWorkingPriority(cluster, dependent, delta, causeOf(colocation));
  return delta;
}

function causeOf({ id, primary }: Colocation): ScoreCause {
  return { kind: 'colocation', constraint: id, primary: primary.id };
}

/** A clone as primary (specification 05 §8). */
function applyWithClone(cluster: Cluster, dependent: Resource, clone: Resource, colocation: Colocation): number {
  if (clone.unassigned) return 0;
  const { primaryRole, dependentRole, score } = colocation;
  if (clone.promotable && primaryRole !== undefined) {
    if (dependent.unassigned) {
      applyWithRole(cluster, dependent, clone, colocation, primaryRole);
      return 0;
    }
    if (dependentRole === RoleLevel.Promoted) {
      const partner = findCompatible(cluster, dependent, clone, primaryRole, colocation.nodeAttribute);
      if (!partner && score < INFINITY) return 0;
      if (partner) addToWorkingPriority(cluster, dependent, score, causeOf(colocation));
      else setWorkingPriority(cluster, dependent, -INFINITY, { kind: 'no-partner', constraint: colocation.id, primary: clone.id });
      return partner ? score : -INFINITY;
    }
  }
  if (isInterleaved(cluster, colocation)) {
    const partner = findCompatible(cluster, dependent, clone, undefined, undefined);
    if (partner) return applyColocation(cluster, dependent, partner, colocation);
    if (score >= INFINITY) assignNowhere(cluster, dependent, { primary: clone.id, colocation: colocation.id });
    return 0;
  }
  if (score >= INFINITY) {
    const hosts = new Set<number>();
    for (const instance of clone.children) {
      const node = isBlocked(instance) ? undefined : instance.singleAssigned;
      if (node) hosts.add(node.index);
    }
    banOthers(dependent, hosts, colocation);
    return 0;
  }
  return sumOver(cluster, dependent, clone.children, colocation);
}

function banOthers(dependent: Resource, hosts: ReadonlySet<number>, colocation: Colocation): void {
  const cause = causeOf(colocation);
  for (const index of dependent.candidates.indexes()) if (!hosts.has(index)) dependent.candidates.setScore(index, -INFINITY, cause);
}

/** With a role of a promotable clone, while the dependent is being placed (specification 05 §8.1). */
function applyWithRole(cluster: Cluster, dependent: Resource, clone: Resource, colocation: Colocation, role: RoleLevel): void {
  const { score, nodeAttribute, dependentRole } = colocation;
  const table = dependent.candidates;
  const cause = causeOf(colocation);
  const matches: { node: ClusterNode; score: number }[] = [];
  for (const instance of clone.children) {
    const node = instance.singleAssigned;
    if (!node || nextRole(instance) !== role) continue;
    if (score < INFINITY) {
      const wanted = nodeValue(node, nodeAttribute, clone);
      for (const index of table.indexes()) {
        const candidate = cluster.nodesByIndex[index];
        if (candidate && nodeValue(candidate, nodeAttribute, dependent) === wanted) table.addScore(index, score, cause);
      }
    }
    matches.unshift({ node, score: assignedScoreOf(instance, node) });
  }
  if (score < INFINITY || (dependentRole === RoleLevel.Promoted && role === RoleLevel.Promoted)) return;
  for (const index of table.indexes()) {
    const match = matches.find(({ node }) => node.index === index);
    if (match) table.addScore(index, match.score, cause);
    else table.setScore(index, -INFINITY, cause);
  }
}

/** Score in the private copy of the instance's node: of the first member that is there. */
function assignedScoreOf(instance: Resource, node: ClusterNode): number {
  if (instance.isPrimitive) return instance.assignedScore;
  return instance.children.find((member) => member.assignedNode === node)?.assignedScore ?? 0;
}

/** Interleaving: asked of the configured dependent; both must allow as many instances per node (specification 05 §8.2). */
function isInterleaved(cluster: Cluster, { id, dependent, primary }: Colocation): boolean {
  if (!dependent.isCollective || cluster.cib.boolean(dependent.meta.get('interleave')) !== true) return false;
  if (maxPerNode(dependent) === maxPerNode(primary)) return true;
  cluster.error(`Colocation ${id}: ${dependent.id} can't be interleaved with ${primary.id}, because they differ in instances per node`);
  return false;
}

/** Instances per node (specification 02 §7). */
export function maxPerNode(resource: Resource): number {
  return resource.clone?.nodeMax ?? resource.bundle?.replicasPerHost ?? 1;
}

/** A bundle as primary (specification 05 §13.4). */
function applyWithBundle(cluster: Cluster, dependent: Resource, bundle: Resource, colocation: Colocation): number {
  if (bundle.unassigned) return 0;
  const { score } = colocation;
  if (colocation.dependent.isCollective) {
    const container = findContainer(cluster, dependent, bundle);
    if (container) return applyColocation(cluster, dependent, container, colocation);
    if (score >= INFINITY) assignNowhere(cluster, dependent, { primary: bundle.id, colocation: colocation.id });
    return 0;
  }
  const replicas = bundle.bundle?.replicas ?? [];
  if (score < INFINITY) {
    return sumOver(
      cluster,
      dependent,
      replicas.map(({ container }) => container),
      colocation,
    );
  }
  const hosts = new Set<number>();
  for (const { container, child } of replicas) {
    if (container.blocked || !container.assignedNode) continue;
    if (colocation.primaryRole === RoleLevel.Promoted && child?.nextRole !== RoleLevel.Promoted) continue;
    hosts.add(container.assignedNode.index);
  }
  banOthers(dependent, hosts, colocation);
  return 0;
}
