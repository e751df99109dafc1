import type { DeepReadonly } from './deep-readonly.js';
import type { ClusterNode } from './node.js';
import type { ScoreTrail } from './score-trail.js';

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
  | 'no-candidate'
  /** It is tied to another resource, of which there is no instance where this one could be. */
  | 'no-partner'
  /** Not placed at all: the clone that it belongs to may have no more instances. */
  | 'surplus';

/** How a node stood when a primitive was placed. */
export interface NodeStanding {
  readonly node: DeepReadonly<ClusterNode>;
  readonly score: number;
  /** What the score is made of. */
  readonly trail: ScoreTrail | undefined;
  /** Why the node can't run anything, in words; undefined for a usable one. */
  readonly unusable: string | undefined;
  /** Primitives placed there before this one. */
  readonly assignedCount: number;
}

/** What a resource would need beside it to run anywhere, and lacks (specification 05 §8.2, §13.4; 07 §5.4). */
export interface MissingPartner {
  /** Id of the resource that it is tied to. */
  readonly primary: string;
  /** Id of the colocation; undefined when an ordering of interleaved collectives ties them. */
  readonly colocation: string | undefined;
}

/** The choice of a primitive's node, with the candidates as they stood; best score first, then by name. */
export interface Placement {
  readonly node: DeepReadonly<ClusterNode> | undefined;
  readonly rule: PlacementRule;
  readonly candidates: readonly NodeStanding[];
}
