import type { ProbeMode } from './candidates.js';
import type { ClusterNode } from './node.js';
import type { Resource } from './resource.js';
import type { RoleLevel } from './role.js';
import type { ScoreCause } from './score-trail.js';

/** A location constraint after its rule was evaluated: scores per node (specification 04 §4). */
export interface LocationConstraint {
  readonly id: string;
  readonly cause: ScoreCause;
  readonly resource: Resource;
  /** Undefined: no role limit. */
  readonly role: RoleLevel | undefined;
  readonly nodes: readonly { readonly node: ClusterNode; readonly score: number }[];
  readonly probeMode: ProbeMode;
}

/** "Dependent with primary" (specification 04 §6). */
export interface Colocation {
  readonly id: string;
  readonly dependent: Resource;
  readonly primary: Resource;
  readonly score: number;
  readonly dependentRole: RoleLevel | undefined;
  readonly primaryRole: RoleLevel | undefined;
  readonly nodeAttribute: string;
  /** Configured by the user, as opposed to made by the scheduler. */
  readonly explicit: boolean;
  /** The dependent's preferences may move the primary even while it is active. */
  readonly influence: boolean;
}

/** A ticket as recorded in the status section (specification 03 §4.1). */
export interface Ticket {
  readonly id: string;
  granted: boolean;
  standby: boolean;
}

/** A resource's dependency on a ticket (specification 07 §11). */
export interface TicketDependency {
  readonly ticket: Ticket;
  readonly role: RoleLevel | undefined;
}
