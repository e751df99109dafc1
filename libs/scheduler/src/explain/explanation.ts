import { leaves } from '../model/cluster.js';
import type { PlacementRule } from '../model/placement.js';
import { RoleLevel } from '../model/role.js';
import { constraintBetween, type Reason, rootReason } from './action-reasons.js';
import { actionName } from './action-name.js';
import { finalPlacement, placementText } from './placement-text.js';
import { promotableInstance, promotionText } from './promotion-text.js';
import { type ScorePart, scoreParts } from './score-parts.js';
import type { Action, Cluster, Resource } from '../outcome.js';

/** How a node stood when a primitive was placed. */
export interface CandidateSummary {
  readonly node: string;
  /** In -1,000,000 … 1,000,000 (±INFINITY). The last that placement had: that of the listing, unless the capacity of the node was too little. */
  readonly score: number;
  /** What the score is made of. */
  readonly parts: readonly ScorePart[];
  /** Why the node can't run anything now; absent for a usable one. */
  readonly unusable?: string;
}

/** How an instance of a promotable clone stood when those to be promoted were chosen (specification 05 §12). */
export interface PromotionSummary {
  /** Id of the instance: the primitive itself, or the group that it is a member of. */
  readonly instance: string;
  /** Where it would be promoted; absent when it has no node. */
  readonly node?: string;
  /** In -1,000,000 … 1,000,000 (±INFINITY); instances below 0 are never promoted. */
  readonly score: number;
  /** Why it is promoted, or isn't. */
  readonly text: string;
  readonly parts: readonly ScorePart[];
}

/** Why a primitive goes where it goes (specification 04 §8.2, §10). */
export interface PlacementExplanation {
  readonly resource: string;
  /** Absent when no node got it. */
  readonly node?: string;
  readonly rule: PlacementRule;
  readonly text: string;
  /** Every candidate, the best first. */
  readonly candidates: readonly CandidateSummary[];
  /** Only in promotable clones. */
  readonly promotion?: PromotionSummary;
}

/** Why an action is planned, or can't be. */
export interface ActionExplanation {
  /** The action's id, which is that in the graph if it got there. */
  readonly id: number;
  /** E.g. `start of db on node1`. */
  readonly name: string;
  readonly resource?: string;
  readonly operation: string;
  readonly node?: string;
  /** `planned`: in the graph. `blocked`: needed, but can't be carried out. */
  readonly state: 'planned' | 'blocked';
  /** From the nearest reason to the one at the root, at least one. */
  readonly because: readonly Reason[];
}

/** What `explain` adds to a schedule, beside the parts of the scores. */
export interface Explanation {
  /** One for each primitive, in the order in which they were placed; those that were not placed come last. */
  readonly placements: readonly PlacementExplanation[];
  /** By id. */
  readonly actions: readonly ActionExplanation[];
}

/** Explains a finished run. */
export function explain(cluster: Cluster): Explanation {
  const surplus = cluster.resources.flatMap((resource) => [...leaves(resource)]).filter((leaf) => !cluster.placements.has(leaf));
  const placements = [...cluster.placements.keys(), ...surplus].map((resource) => explainPlacement(cluster, resource));
  const actions = cluster.actions.filter((action) => action.written || isBlocked(action)).map((action) => explainAction(cluster, action));
  return { placements, actions };
}

function explainPlacement(cluster: Cluster, resource: Resource): PlacementExplanation {
  const { node, rule, candidates } = finalPlacement(cluster, resource);
  return {
    resource: resource.id,
    ...(node ? { node: node.name } : {}),
    rule,
    text: placementText(cluster, resource),
    candidates: candidates.map((candidate) => ({
      node: candidate.node.name,
      score: candidate.score,
      parts: scoreParts(candidate.trail),
      ...(candidate.unusable === undefined ? {} : { unusable: candidate.unusable }),
    })),
    ...promotionOf(resource),
  };
}

function promotionOf(resource: Resource): Pick<PlacementExplanation, 'promotion'> {
  const instance = promotableInstance(resource);
  if (!instance) return {};
  const node = instance.singleAssigned;
  return {
    promotion: {
      instance: instance.id,
      ...(node ? { node: node.name } : {}),
      score: instance.promotionPriority,
      text: promotionText(instance),
      parts: scoreParts(instance.priorityTrail),
    },
  };
}

/**
 * Needed, but not possible. Actions of unmanaged resources are left alone rather than blocked; monitors would only repeat what is said of the
 * start that they follow.
 */
function isBlocked(action: Action): boolean {
  const { runnable, resource, task } = action;
  if (runnable || !resource?.isPrimitive || !resource.managed || !shown.has(task)) return false;
  return !action.optional || isWantedStart(action, resource);
}

/** A start that can't be made from the outset, e.g. for want of quorum, is never made required (specification 06 §3.6). */
function isWantedStart({ task, node }: Action, { currentRole, nextRole, assignedNode }: Resource): boolean {
  return (
    task === 'start' && node !== undefined && node === assignedNode && currentRole <= RoleLevel.Stopped && nextRole > RoleLevel.Stopped
  );
}

const shown = new Set(['start', 'stop', 'promote', 'demote', 'reload-agent']);

function explainAction(cluster: Cluster, action: Action): ActionExplanation {
  const { resource, node } = action;
  return {
    id: action.id,
    name: actionName(action),
    ...(resource ? { resource: resource.id } : {}),
    operation: action.task,
    ...(node ? { node: node.name } : {}),
    state: action.written ? 'planned' : 'blocked',
    because: chainOf(cluster, action),
  };
}

/** Follows an action's reasons from action to action, to one that has its reason in itself. */
function chainOf(cluster: Cluster, action: Action): Reason[] {
  const reasons: Reason[] = [];
  const seen = new Set([action]);
  let at = action;
  for (;;) {
    const blocked = !at.runnable;
    const next = blocked ? at.blockedBy : at.requiredBy;
    if (!next || seen.has(next)) return [...reasons, rootReason(cluster, at)];
    seen.add(next);
    const constraint = constraintBetween(at, next);
    reasons.push({
      text: `${linkText(at, next, blocked)}${constraint === undefined ? within(at.resource, next.resource) : ` (ordering ${constraint})`}`,
      action: next.id,
      ...(constraint === undefined ? {} : { constraint }),
    });
    at = next;
  }
}

function linkText(action: Action, next: Action, blocked: boolean): string {
  if (action.resource && next.resource?.hasAncestor(action.resource))
    return `made up of ${actionName(next)}${blocked ? ', which is not possible' : ''}`;
  return blocked ? `waits for ${actionName(next)}, which is not possible` : `needed because of ${actionName(next)}`;
}

/** Orderings inside one collection come from the collection itself. */
function within(a: Resource | undefined, b: Resource | undefined): string {
  if (!a || !b || a === b || a.parent === undefined || a.parent !== b.parent) return '';
  return ` (members of ${a.parent.id})`;
}
