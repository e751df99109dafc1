import type { Resource } from '../resource.js';
import { RoleLevel } from '../role.js';

/** What the specification itself lets one phase after the other change, so that it belongs to none. */
export class HandedOn {
  /** What it consists of comes with the definition; placement and the plan bring the instances of a collective into another order. */
  readonly children: Resource[] = [];
  /** The role after the transition as far as it is known: begun by `target-role` (specification 02 §3.4), settled by the plan (06 §3.3). */
  nextRole = RoleLevel.Unknown;
}
