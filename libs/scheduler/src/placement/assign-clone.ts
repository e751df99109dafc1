import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';
import type { Assign } from './assignment.js';
import { mergeDependent } from './assign-primitive.js';
import { thisWithColocations, withThisColocations } from './colocations.js';
import { sortInstances } from './instance-order.js';
import { placeInstances } from './place-instances.js';
import { addPromotionScores } from './promotion-scores.js';
import { selectRoles } from './select-roles.js';
import { logTree } from './score-log.js';
import type { Step } from '../model/step.js';

/**
 * How often a clone may be met again while it is being assigned. A bundle may be assigned repeatedly and lifts the guard of the clone inside it
 * (specification 05 §13.2), so that a service colocated with its own bundle would go round for ever. What ends by itself needs far fewer rounds.
 */
const MAX_ROUNDS = 8;

/** Assigns a clone's instances and chooses their roles (specification 05 §5). */
export function* assignClone(
  cluster: Cluster,
  assign: Assign,
  clone: Resource,
  preferred: ClusterNode | undefined,
  tentative: boolean,
): Step<undefined> {
  const settings = clone.clone;
  if (!clone.unassigned || clone.assigning || !settings || clone.rounds >= MAX_ROUNDS) return undefined;
  placing(clone).assigning = true;
  placing(clone).rounds++;
  if (clone.promotable && !clone.promotionScoresAdded) {
    placing(clone).promotionScoresAdded = true;
    addPromotionScores(cluster, clone);
  }
  for (const { primary } of thisWithColocations(clone)) yield assign(primary, preferred, tentative);
  for (const colocation of withThisColocations(clone)) mergeDependent(cluster, clone, colocation, true);
  logTree(cluster, 'pcmk__clone_assign', clone);
  sortInstances(cluster, placing(clone).children, clone);
  yield placeInstances(cluster, assign, clone, [...clone.children], settings.max, settings.nodeMax);
  if (clone.promotable) selectRoles(cluster, clone);
  placing(clone).unassigned = false;
  placing(clone).assigning = false;
  placing(clone).rounds--;
  return undefined;
}
