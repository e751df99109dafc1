import { addPreferenceEverywhere, type Cluster, subtree } from '../model/cluster.js';
import { mergeSort } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';
import { RoleLevel, roleName } from '../model/role.js';
import { INFINITY } from '../model/score.js';
import { currentRole, nextRole } from '../model/activity.js';
import { applyColocation } from './apply-colocation.js';
import { thisWithColocations, withThisColocations, hasInfluence } from './colocations.js';
import { instanceComparison } from './instance-order.js';
import { factorOf } from './likes.js';
import { mergeScores } from './merge-scores.js';
import { PromotionScores } from './promotion-scores.js';
import { addToWorkingPriority, setPromotionPriority, setWorkingPriority } from './working-priority.js';

/** Chooses which instances of a promotable clone are promoted (specification 05 §12). */
export function selectRoles(cluster: Cluster, clone: Resource): void {
  const settings = clone.clone;
  if (!settings) return;
  clone.candidates.clearTallies();
  const scores = new PromotionScores(cluster, clone);
  for (const instance of clone.children) judge(cluster, clone, instance, scores);
  if (!clone.rolesBegun) {
    placing(clone).rolesBegun = true;
    settleScores(cluster, clone);
  }
  let count = 0;
  for (const instance of clone.children) {
    const node = instance.singleAssigned;
    if (cluster.recordScores)
      cluster.scores.push({
        phase: 'promotion',
        resource: instance.id,
        node: node?.name,
        score: instance.promotionPriority,
        trail: instance.priorityTrail,
      });
    const open = instance.promotionPriority >= 0 && (count < settings.promotedMax || !clone.managed);
    const chosen = open ? promotableOn(clone, instance) : undefined;
    const frozen = currentRole(instance) < RoleLevel.Promoted && !cluster.quorate && cluster.options.quorumPolicy === 'freeze';
    if (!chosen || frozen) {
      for (const one of subtree(instance))
        placing(one).nextRole = one.singleAssigned || one.assignedNode ? RoleLevel.Unpromoted : RoleLevel.Stopped;
      continue;
    }
    clone.candidates.addTally(chosen.index, 1);
    count++;
    for (const one of subtree(instance)) if (one.nextRole === RoleLevel.Unknown) placing(one).nextRole = RoleLevel.Promoted;
  }
}

/** Specification 05 §12.2. */
function judge(cluster: Cluster, clone: Resource, instance: Resource, scores: PromotionScores): void {
  if (currentRole(instance) === RoleLevel.Started) {
    for (const one of subtree(instance)) if (one.currentRole === RoleLevel.Started) placing(one).countedRole = RoleLevel.Unpromoted;
  }
  const node = instance.singleAssigned;
  if (!node) return;
  const next = nextRole(instance);
  if (next === RoleLevel.Unknown || next === RoleLevel.Started) {
    const score = instance.candidates.has(node.index) ? scores.of(instance, node) : undefined;
    const kind = score === undefined ? 'no-promotion-score' : 'promotion-score';
    setWorkingPriority(cluster, instance, score ?? -1, { kind, resource: instance.id });
  } else if (next !== RoleLevel.Promoted) {
    setWorkingPriority(cluster, instance, -INFINITY, { kind: 'not-promotable', role: roleName(next) });
  }
  addPromotedLocations(cluster, instance, instance, node);
  addPromotedLocations(cluster, instance, clone, node);
  for (const colocation of thisWithColocations(instance)) applyColocation(cluster, instance, colocation.primary, colocation);
  if (nextRole(instance) === RoleLevel.Promoted) setPromotionPriority(cluster, instance, INFINITY, { kind: 'already-promoted' });
  else placing(instance).promotionPriority = instance.workingPriority;
}

/** Location constraints for the promoted role (specification 05 §12.3). */
function addPromotedLocations(cluster: Cluster, instance: Resource, holder: Resource, node: ClusterNode): void {
  for (const location of [...holder.locations, ...holder.handedDownLocations].reverse()) {
    if (location.role !== RoleLevel.Promoted) continue;
    const listed = location.nodes.find((entry) => entry.node === node);
    if (listed) addToWorkingPriority(cluster, instance, listed.score, location.cause);
  }
}

/** From working priorities to final promotion priorities, and their order (specification 05 §12.4). */
function settleScores(cluster: Cluster, clone: Resource): void {
  placing(clone).merging = true;
  for (const instance of clone.children) {
    const node = instance.singleAssigned;
    if (!node || instance.promotionPriority < 0 || !clone.candidates.has(node.index)) continue;
    clone.candidates.addTraced(node.index, instance.promotionPriority, instance.priorityTrail, {
      kind: 'promotion-score',
      resource: instance.id,
    });
  }
  for (const colocation of withThisColocations(clone)) {
    if (colocation.primaryRole !== RoleLevel.Promoted || !hasInfluence(colocation)) continue;
    const mode = { revocable: true, floored: true, follow: 'dependents' } as const;
    placing(clone).candidates = mergeScores(
      cluster,
      clone.candidates,
      colocation.dependent,
      clone,
      colocation,
      factorOf(colocation.score),
      mode,
    );
  }
  for (const { ticket, role } of clone.tickets) {
    if (role === RoleLevel.Promoted && (!ticket.granted || ticket.standby)) {
      addPreferenceEverywhere(cluster, clone, -INFINITY, { kind: 'ticket', ticket: ticket.id });
    }
  }
  for (const instance of clone.children) {
    const node = instance.singleAssigned;
    if (!instance.managed && nextRole(instance) === RoleLevel.Promoted) {
      setPromotionPriority(cluster, instance, INFINITY, { kind: 'unmanaged' });
    } else if (!node) {
      setPromotionPriority(cluster, instance, -INFINITY, { kind: 'not-placed' });
    } else if (instance.promotionPriority >= 0) {
      placing(instance).promotionPriority = clone.candidates.score(node.index);
      placing(instance).priorityTrail = clone.candidates.trail(node.index);
    }
  }
  const byPlace = instanceComparison(cluster, clone);
  const sorted = mergeSort(clone.children, (a, b) => {
    if (a.promotionPriority !== b.promotionPriority) return b.promotionPriority - a.promotionPriority;
    const roles = currentRole(b) - currentRole(a);
    return roles !== 0 ? roles : byPlace(a, b);
  });
  for (const [index, instance] of sorted.entries()) placing(clone).children[index] = instance;
  placing(clone).merging = false;
}

/** The node on which an instance may be promoted, if it may (specification 05 §12.6). */
function promotableOn(clone: Resource, instance: Resource): ClusterNode | undefined {
  if (!instance.isPrimitive) for (const member of instance.children) if (!promotableOn(clone, member)) return undefined;
  const node = instance.singleAssigned;
  if (!node) return undefined;
  if (!instance.managed) {
    if (currentRole(instance) !== RoleLevel.Promoted) return undefined;
  } else if (instance.workingPriority < 0 || !node.usable || (node.isGuest && !node.connection?.launcher?.assignedNode)) {
    return undefined;
  }
  if (!clone.candidates.has(node.index)) return undefined;
  if (instance.managed && clone.candidates.tally(node.index) >= (clone.clone?.promotedNodeMax ?? 0)) return undefined;
  return node;
}
