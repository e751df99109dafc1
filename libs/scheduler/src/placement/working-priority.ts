import type { Cluster } from '../model/cluster.js';
import type { Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';
import { addScores } from '../model/score.js';
import { addToTrail, leadTo, type ScoreCause } from '../model/score-trail.js';

/** Sets an instance's working priority (specification 05 §1). */
export function setWorkingPriority(cluster: Cluster, resource: Resource, score: number, cause: ScoreCause): void {
  placing(resource).placementPriority = score;
  if (cluster.explains) placing(resource).priorityTrail = leadTo(undefined, score, cause);
}

/** Adds to it, by the arithmetic of scores. */
export function addToWorkingPriority(cluster: Cluster, resource: Resource, amount: number, cause: ScoreCause): void {
  placing(resource).placementPriority = addScores(amount, resource.workingPriority);
  if (cluster.explains) placing(resource).priorityTrail = addToTrail(resource.priorityTrail, amount, cause);
}

/** Makes a working priority final, under a cause of its own. */
export function setPromotionPriority(cluster: Cluster, resource: Resource, score: number, cause: ScoreCause): void {
  placing(resource).promotionPriority = score;
  if (cluster.explains) placing(resource).priorityTrail = leadTo(undefined, score, cause);
}
