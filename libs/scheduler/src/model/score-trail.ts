import { addScores, INFINITY } from './score.js';

/** What a part of a score comes from. Ids are those of the CIB; texts for people are made by `describeCause`. */
export type ScoreCause =
  /** The node's own score, e.g. that of a guest node. */
  | { readonly kind: 'node' }
  | { readonly kind: 'health'; readonly strategy: string }
  | { readonly kind: 'location'; readonly constraint: string }
  | { readonly kind: 'stickiness' }
  /** Failure stickiness (specification 09). */
  | { readonly kind: 'failures'; readonly count: number; readonly each: number }
  /** As many failures of a primitive on the node as its `migration-threshold` allows, or more. */
  | { readonly kind: 'migration-threshold'; readonly resource: string; readonly failures: number; readonly threshold: number }
  /** The resource is a dependent; this is what the place or role of the primary means for it. */
  | { readonly kind: 'colocation'; readonly constraint: string; readonly primary: string }
  /**
   * The resource is a primary; this is what a dependent would like. `apart`: the two are to be kept apart, so that its likes count the other way
   * round. `through`: the resources between the two, nearest first.
   */
  | {
      readonly kind: 'dependent';
      readonly constraint: string;
      readonly dependent: string;
      readonly apart: boolean;
      readonly through: readonly string[];
    }
  /** Wishes of dependents would have taken a usable node away, which they may not: it stays usable, with score 1. */
  | { readonly kind: 'dependent-floor'; readonly dependent: string }
  /** The agent's promotion score (`master-…` node attribute). */
  | { readonly kind: 'promotion-score'; readonly resource: string }
  | { readonly kind: 'no-promotion-score'; readonly resource: string }
  | { readonly kind: 'priority' }
  | { readonly kind: 'already-promoted' }
  | { readonly kind: 'not-promotable'; readonly role: string }
  | { readonly kind: 'not-placed' }
  | { readonly kind: 'no-partner'; readonly constraint: string; readonly primary: string }
  | { readonly kind: 'ticket'; readonly ticket: string }
  | { readonly kind: 'shutdown-lock'; readonly node: string }
  | { readonly kind: 'exclusive-discovery' }
  | { readonly kind: 'to-be-stopped' }
  /** A result in the history, e.g. a failed stop or a missing installation; OCF return code and `op-status` (specification 03 §7.4). */
  | { readonly kind: 'history'; readonly operation: string; readonly rc: number; readonly status: number }
  | { readonly kind: 'multiply-active' }
  | { readonly kind: 'unmanaged' }
  | { readonly kind: 'removed' }
  /** The node's free capacity is less than what the resource, and what must be with it, needs. */
  | { readonly kind: 'utilization' }
  /** A clone or bundle doesn't want this instance on the node, or at all. */
  | {
      readonly kind: 'instance';
      readonly collective: string;
      readonly why: 'node-unusable' | 'not-allowed' | 'node-full' | 'surplus' | 'enough-instances';
    }
  /** Only the bundle node of its own replica may run what is inside a bundle. */
  | { readonly kind: 'bundle-node' }
  /** Fence devices, connections and guests don't run on nodes that have a connection themselves. */
  | { readonly kind: 'remote-node' }
  /** Runs inside what the launcher starts, so on that node only. */
  | { readonly kind: 'launcher'; readonly launcher: string };

/** The most frequent cause. */
export const NODE_SCORE: ScoreCause = { kind: 'node' };

/** One part of a score, and those before it: lists share their tails, so that a copied candidate table costs no more than an array. */
export interface ScoreTrail {
  readonly cause: ScoreCause;
  /** Nominal amount; adding up all amounts in order, by the arithmetic of scores, gives `total`. */
  readonly amount: number;
  readonly total: number;
  readonly previous: ScoreTrail | undefined;
}

/** Appends an amount; nothing, for an amount of 0. */
export function addToTrail(trail: ScoreTrail | undefined, amount: number, cause: ScoreCause): ScoreTrail | undefined {
  return amount === 0 ? trail : { cause, amount, total: addScores(trail?.total ?? 0, amount), previous: trail };
}

/** Leads to a given score: by a part that makes up the difference where one can, else the score counts from here anew. */
export function leadTo(trail: ScoreTrail | undefined, score: number, cause: ScoreCause): ScoreTrail | undefined {
  if (score <= -INFINITY) return addToTrail(trail, -INFINITY, cause);
  const total = trail?.total ?? 0;
  if (score === total) return trail;
  const amount = score - total;
  return addScores(total, amount) === score ? addToTrail(trail, amount, cause) : addToTrail(undefined, score, cause);
}

/** Appends another score with all its parts; as one part, where the parts one by one wouldn't come to the same. */
export function addTrail(
  trail: ScoreTrail | undefined,
  amount: number,
  added: ScoreTrail | undefined,
  cause: ScoreCause,
): ScoreTrail | undefined {
  let sum = trail;
  for (const part of partsOf(added)) sum = addToTrail(sum, part.amount, part.cause);
  return (sum?.total ?? 0) === addScores(trail?.total ?? 0, amount) ? sum : addToTrail(trail, amount, cause);
}

/** The parts of a score, first to last. */
export function partsOf(trail: ScoreTrail | undefined): ScoreTrail[] {
  const parts: ScoreTrail[] = [];
  for (let at = trail; at; at = at.previous) parts.push(at);
  return parts.reverse();
}
