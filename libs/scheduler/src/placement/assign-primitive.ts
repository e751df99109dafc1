import { addPreferenceEverywhere, type Cluster } from '../model/cluster.js';
import type { Colocation } from '../model/constraints.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';
import { RoleLevel } from '../model/role.js';
import { INFINITY } from '../model/score.js';
import { currentNode } from '../model/activity.js';
import { applyColocation } from './apply-colocation.js';
import type { Assign } from './assignment.js';
import { thisWithColocations, withThisColocations, hasInfluence } from './colocations.js';
import { commit, unassign } from './commit.js';
import { bestCandidate } from './compare-nodes.js';
import { factorOf } from './likes.js';
import { mergeScores } from './merge-scores.js';
import { anyUsable } from './node-value.js';
import { logScores } from './score-log.js';
import type { Step } from '../model/step.js';
import { beforePlacement, placementOf } from './placement-record.js';
import { checkCapacity } from './utilization.js';

/** Assigns a primitive (specification 04 §8). */
export function* assignPrimitive(
  cluster: Cluster,
  assign: Assign,
  resource: Resource,
  preferred: ClusterNode | undefined,
  tentative: boolean,
): Step<ClusterNode | undefined> {
  if (resource.parent && !resource.parent.assigning) yield assign(resource.parent, preferred, tentative);
  if (!resource.unassigned) return resource.assignedNode;
  if (resource.assigning) return undefined;
  placing(resource).assigning = true;
  const thisWith = thisWithColocations(resource);
  const withThis = withThisColocations(resource);
  for (const mandatory of [true, false]) {
    for (const colocation of thisWith) {
      if (isMandatory(colocation) === mandatory) yield applyAsDependent(cluster, assign, resource, colocation);
    }
    for (const colocation of withThis) {
      if (isMandatory(colocation) === mandatory) mergeDependent(cluster, resource, colocation, false);
    }
  }
  if (resource.nextRole === RoleLevel.Stopped) {
    addPreferenceEverywhere(cluster, resource, -INFINITY, { kind: 'to-be-stopped' });
    // A colocation without partner may have ended the assignment already (specification 05 §8.2).
    unassign(cluster, resource);
  } else if (resource.nextRole > resource.currentRole && !cluster.quorate && cluster.options.quorumPolicy === 'freeze') {
    placing(resource).nextRole = resource.currentRole;
  }
  logScores(cluster, 'pcmk__primitive_assign', resource);
  const before = cluster.explains ? beforePlacement(cluster, resource) : undefined;
  decide(cluster, resource, preferred, tentative);
  if (before) cluster.placements.set(resource, placementOf(cluster, resource, preferred, before));
  placing(resource).assigning = false;
  if (resource.remoteConnection) applyConnection(resource);
  return resource.assignedNode;
}

const isMandatory = ({ score }: Colocation): boolean => Math.abs(score) >= INFINITY;

/** Chooses the node and commits to it (specification 04 §8.2 steps 8-10). */
function decide(cluster: Cluster, resource: Resource, preferred: ClusterNode | undefined, tentative: boolean): void {
  const { options } = cluster;
  if (options.fencingEnabled && !cluster.hasFenceDevices && !options.haveWatchdog) placing(resource).unfenceable = true;
  if (!resource.managed) {
    const node = currentNode(resource);
    const role = resource.currentRole;
    commit(cluster, resource, node, { force: true, tentative });
    placing(resource).nextRole = role;
  } else if (options.stopAllResources) {
    commit(cluster, resource, undefined, { force: true, tentative });
  } else {
    commit(cluster, resource, bestNode(cluster, resource, preferred), { force: false, tentative });
  }
}

/** The node a primitive is placed on (specification 04 §10.2). */
function bestNode(cluster: Cluster, resource: Resource, wanted: ClusterNode | undefined): ClusterNode | undefined {
  const preferred = wanted ?? checkCapacity(cluster, resource);
  if (wanted) checkCapacity(cluster, resource);
  const table = resource.candidates;
  const current = currentNode(resource);
  const best = bestCandidate(cluster, table, current);
  if (!best) return undefined;
  const bestScore = table.score(best.index);
  if (preferred && table.has(preferred.index)) {
    const score = table.score(preferred.index);
    if (score >= bestScore && score >= 0 && preferred.usable) return preferred;
  }
  const { parent } = resource;
  const uniqueInstance = parent?.kind === 'clone' && parent.unique;
  if (!uniqueInstance && bestScore > 0 && best.usable && current && current !== best && current.usable && current.baseScore >= 0) {
    if (table.has(current.index) && table.score(current.index) === bestScore) return current;
  }
  return best;
}

/** Applies one colocation to its dependent, after its primary was placed (specification 04 §8.3). */
function* applyAsDependent(cluster: Cluster, assign: Assign, resource: Resource, colocation: Colocation): Step<undefined> {
  const { primary, score, dependentRole } = colocation;
  const revertible = dependentRole === RoleLevel.Promoted || (score < 0 && score > -INFINITY);
  const before = revertible ? resource.candidates.copy() : undefined;
  if (primary.unassigned) yield assign(primary, undefined, false);
  applyColocation(cluster, resource, primary, colocation);
  if (before && !anyUsable(cluster, resource.candidates)) placing(resource).candidates = before;
  return undefined;
}

/** Merges a dependent's scores into the table of a primary under assignment (specification 04 §9.1). */
export function mergeDependent(cluster: Cluster, resource: Resource, colocation: Colocation, floored: boolean): void {
  if (!hasInfluence(colocation)) return;
  const mode = { revocable: true, floored, follow: 'dependents' } as const;
  placing(resource).candidates = mergeScores(
    cluster,
    resource.candidates,
    colocation.dependent,
    resource,
    colocation,
    factorOf(colocation.score),
    mode,
  );
}

/** A connection that will run makes its node usable, any other takes it down (specification 04 §8.5). */
function applyConnection(connection: Resource): void {
  const node = connection.connectionNode;
  if (!node) return;
  if (connection.assignedNode && connection.nextRole !== RoleLevel.Stopped) {
    if (!node.online) node.comesOnline = true;
    node.online = true;
    if (!node.statusCertain) node.unclean = false;
  } else {
    node.shutdown = true;
  }
}
