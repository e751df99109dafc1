import type { ClusterNode } from './node.js';
import type { ScoreCause } from './score-trail.js';

/** Why a node got a primitive, or why none did (specification 04 §8.2, §10). */
export type PlacementRule =
  /** The highest score of all usable candidates, alone. */
  | 'highest-score'
  /** Others have the same score; it is there already. */
  | 'tie-stays'
  /** Others have the same score and hold more resources, or have less free capacity. */
  | 'tie-emptier'
  /** Others have the same score and as many resources; the first name wins. */
  | 'tie-name'
  /** The collective that it belongs to asked for that node, and no other has a higher score. */
  | 'wanted'
  /** Unmanaged: it stays where it is, or nowhere. */
  | 'unmanaged'
  /** The cluster option `stop-all-resources`. */
  | 'stop-all'
  /** Its role after the transition is Stopped. */
  | 'to-be-stopped'
  /** No usable candidate with a score of 0 or more. */
  | 'no-candidate';

/** How a node stood when a primitive was placed. */
export interface NodeStanding {
  readonly node: ClusterNode;
  readonly score: number;
  /** What bans it, where something does. */
  readonly ban: ScoreCause | undefined;
  /** Why the node can't run anything, in words; undefined for a usable one. */
  readonly unusable: string | undefined;
  /** Primitives placed there before this one. */
  readonly assignedCount: number;
}

/** The choice of a primitive's node, with the candidates as they stood; best score first, then by name. */
export interface Placement {
  readonly node: ClusterNode | undefined;
  readonly rule: PlacementRule;
  readonly candidates: readonly NodeStanding[];
}
