import type { Action } from './action.js';
import type { Kinds } from './relation.js';
import type { Resource } from './resource.js';

/** All actions of a resource that have one key. */
export interface ResourceTask {
  readonly resource: Resource;
  readonly key: string;
  readonly task: string;
}

/** One side of an ordering request: a resource's actions by key, or a concrete action (specification 07 §2). */
export type OrderingSide = ResourceTask | Action;

/** An ordering that becomes relations once all actions exist. */
export interface OrderingRequest {
  readonly first: OrderingSide;
  readonly then: OrderingSide;
  readonly kinds: Kinds;
  /** Id of the ordering constraint; undefined for orderings that the scheduler makes. */
  readonly constraint: string | undefined;
}
