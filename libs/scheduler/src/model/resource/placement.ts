import type { XmlElement } from '@systole/cib';
import type { CandidateTable } from '../candidates.js';
import type { LocationConstraint } from '../constraints.js';
import type { ClusterNode } from '../node.js';
import type { MissingPartner } from '../placement.js';
import type { RoleLevel } from '../role.js';
import type { ScoreTrail } from '../score-trail.js';
import type { ResourceKind } from './definition.js';
import { ResourceObserved, type ShutdownLock } from './observed.js';

/** Where a resource is to run, and in which role (specification 04, 05). */
export class ResourcePlacement extends ResourceObserved {
  /** Location constraints that a bundle hands down to the clone inside it. */
  readonly handedDownLocations: LocationConstraint[] = [];
  /** A location that was applied to it allows discovery on certain nodes only. */
  exclusiveAsPlaced = false;
  /** The lock that this run makes. */
  lockMade: ShutdownLock | undefined = undefined;
  /** The recorded lock has served its purpose. */
  lockReleased = false;
  /** Left as it is, for want of any fence device (specification 04 §8.2). */
  unfenceable = false;
  unassigned = true;
  assigning = false;
  merging = false;
  assignedNode: ClusterNode | undefined = undefined;
  /** Counts assignments of this resource and of those below it. */
  assignments = 0;
  /** Score frozen in the assigned node's private copy (specification 05 §1). */
  assignedScore = 0;
  /** Working priority and promotion priority (specification 05 §1); the former is the configured priority at first. */
  placementPriority: number | undefined = undefined;
  promotionPriority = 0;
  /** What the working priority, later the promotion priority, is made of, where that is asked for. */
  priorityTrail: ScoreTrail | undefined = undefined;
  /** It was given no node for want of a partner. */
  missingPartner: MissingPartner | undefined = undefined;
  /** The role that counts as the current one from here on: of a group, its first member's; of an instance that may be promoted, no mere Started. */
  countedRole: RoleLevel | undefined = undefined;
  /** Of a clone, the assignments under way, one inside the other; of a bundle, how often one was begun (specification 05 §13.2). */
  rounds = 0;
  /** Promotion scores were added to the tables of the clone's instances (specification 05 §10.3). */
  promotionScoresAdded = false;
  /** Role selection has begun: a latch (specification 05 §4). */
  rolesBegun = false;

  constructor(
    id: string,
    xmlId: string,
    kind: ResourceKind,
    element: XmlElement,
    private table: CandidateTable,
  ) {
    super(id, xmlId, kind, element);
  }

  /** Candidate table (specification 04 §1), whose scores every phase adds to; a later one takes its place while scores are merged. */
  get candidates(): CandidateTable {
    return this.table;
  }

  set candidates(table: CandidateTable) {
    this.table.forgetFollowings();
    this.table = table;
  }
}
