import { addPreferenceEverywhere, type Cluster, subtree } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';
import { INFINITY } from '../model/score.js';
import type { ScoreCause } from '../model/score-trail.js';
import { currentNode } from '../model/activity.js';
import type { Assign } from './assignment.js';
import { unassign } from './commit.js';
import type { Step } from '../model/step.js';

/** Places the instances of a clone, or the containers of a bundle, in their order (specification 05 §7). */
export function* placeInstances(
  cluster: Cluster,
  assign: Assign,
  collective: Resource,
  instances: readonly Resource[],
  max: number,
  perNode: number,
): Step<undefined> {
  const table = collective.candidates;
  table.clearTallies();
  let usable = 0;
  for (const index of table.indexes()) if (cluster.nodesByIndex[index]?.usable) usable++;
  const optimal = Math.max(1, usable === 0 ? 1 : Math.floor(max / usable));
  let assigned = 0;
  for (const instance of instances) {
    if (assigned >= max) break;
    if (!instance.unassigned) continue;
    const current = staysHere(collective, instance, optimal);
    if (current && ((yield assignEarly(cluster, assign, collective, instance, current, max - assigned, perNode)) as boolean)) {
      assigned++;
      table.addTally(current.index, 1);
    }
  }
  for (const instance of instances) {
    if (!instance.unassigned) continue;
    if (assigned >= max) {
      addPreferenceEverywhere(cluster, instance, -INFINITY, notHere(collective, 'enough-instances'));
      continue;
    }
    const node = (yield attempt(cluster, assign, collective, instance, undefined, perNode, false)) as ClusterNode | undefined;
    if (node) assigned++;
  }
  return undefined;
}

/** The current node of an instance that qualifies for the first pass (specification 05 §7.2). */
function staysHere(collective: Resource, instance: Resource, optimal: number): ClusterNode | undefined {
  if (instance.activeOn.length === 0 || instance.failed) return undefined;
  const node = currentNode(instance);
  if (!node?.usable || node.baseScore < 0) return undefined;
  const { candidates } = collective;
  if (candidates.has(node.index) && candidates.tally(node.index) >= optimal) return undefined;
  return instance.candidates.has(node.index) && instance.candidates.score(node.index) >= 0 ? node : undefined;
}

/**
 * Tries to keep an instance where it is; other nodes that it would rather have are reserved on the way, for this instance only. A bundle that is
 * assigned again on the way counts in the same scratch table (specification 05 §7.2).
 */
function* assignEarly(
  cluster: Cluster,
  assign: Assign,
  collective: Resource,
  instance: Resource,
  current: ClusterNode,
  available: number,
  perNode: number,
): Step<boolean> {
  const saved = [...subtree(instance)].map((resource) => [resource, resource.candidates.copy()] as const);
  const table = collective.candidates;
  placing(collective).candidates = table.copy();
  let stays = false;
  for (let reserved = 0; reserved < available; reserved++) {
    const chosen = (yield attempt(cluster, assign, collective, instance, current, perNode, true)) as ClusterNode | undefined;
    stays = chosen === current;
    if (stays) break;
    for (const [resource, before] of saved) placing(resource).candidates = before.copy();
    if (!chosen) {
      placing(instance).unassigned = true;
      break;
    }
    unassign(cluster, instance);
  }
  placing(collective).candidates = table;
  return stays;
}

/** One attempt: bans what is out of the question, assigns, and counts. */
function* attempt(
  cluster: Cluster,
  assign: Assign,
  collective: Resource,
  instance: Resource,
  preferred: ClusterNode | undefined,
  perNode: number,
  tentative: boolean,
): Step<ClusterNode | undefined> {
  if (instance.assigning) return undefined;
  banUnavailable(cluster, collective, instance, perNode);
  const node = (yield assign(instance, preferred, tentative)) as ClusterNode | undefined;
  if (node && collective.candidates.has(node.index)) collective.candidates.addTally(node.index, 1);
  return node;
}

/** Specification 05 §7.1. */
function banUnavailable(cluster: Cluster, collective: Resource, instance: Resource, perNode: number): void {
  const parent = collective.candidates;
  for (const index of instance.candidates.indexes()) {
    const usable = cluster.nodesByIndex[index]?.usable === true;
    const allowed = parent.has(index) && parent.score(index) >= 0;
    if (!instance.removed && usable && allowed && parent.tally(index) < perNode) continue;
    const cause = notHere(collective, instance.removed ? 'surplus' : !usable ? 'node-unusable' : !allowed ? 'not-allowed' : 'node-full');
    for (const resource of subtree(instance)) if (resource.candidates.has(index)) resource.candidates.setScore(index, -INFINITY, cause);
  }
}

function notHere(collective: Resource, why: Extract<ScoreCause, { kind: 'instance' }>['why']): ScoreCause {
  return { kind: 'instance', collective: collective.id, why };
}
