import type { Action } from './action.js';
import type { Kinds } from './relation.js';
import type { Resource } from './resource.js';

/** One side of an ordering request: a resource's action by key, or a concrete action (specification 07 §2). */
export interface OrderingSide {
  readonly resource: Resource | undefined;
  readonly key: string | undefined;
  readonly task: string | undefined;
  readonly action: Action | undefined;
}

/** An ordering that becomes relations once all actions exist. */
export interface OrderingRequest {
  readonly first: OrderingSide;
  readonly then: OrderingSide;
  readonly kinds: Kinds;
  /** Id of the ordering constraint; undefined for orderings that the scheduler makes. */
  readonly constraint: string | undefined;
}
