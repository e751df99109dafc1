import type { Cluster } from './cluster.js';
import type { Resource } from './resource.js';
import { addScores } from './score.js';
import { addToTrail, leadTo, type ScoreCause } from './score-trail.js';

/** Sets an instance's working priority (specification 05 §1). */
export function setWorkingPriority(cluster: Cluster, resource: Resource, score: number, cause: ScoreCause): void {
  resource.workingPriority = score;
  if (cluster.explains) resource.priorityTrail = leadTo(undefined, score, cause);
}

/** Adds to it, by the arithmetic of scores. */
export function addToWorkingPriority(cluster: Cluster, resource: Resource, amount: number, cause: ScoreCause): void {
  resource.workingPriority = addScores(amount, resource.workingPriority);
  if (cluster.explains) resource.priorityTrail = addToTrail(resource.priorityTrail, amount, cause);
}

/** Makes a working priority final, under a cause of its own. */
export function setPromotionPriority(cluster: Cluster, resource: Resource, score: number, cause: ScoreCause): void {
  resource.promotionPriority = score;
  if (cluster.explains) resource.priorityTrail = leadTo(undefined, score, cause);
}
