/** The action of a transition graph that an event carries out. */
export interface GraphActionRef {
  /** Number of the transition. */
  readonly transition: number;
  /** Id of the action in its graph. */
  readonly id: number;
}

/** A live migration of a plan: its `migrate_to`. */
export interface PlannedMigration {
  /** Id of the `migrate_to` in the graph. */
  readonly graphAction: number;
  /** History id. */
  readonly resource: string;
  /** The node that it is to leave. */
  readonly source: string;
  /** The node that it is to arrive at. */
  readonly target: string;
}

export interface TransitionPlanned {
  readonly type: 'TransitionPlanned';
  readonly data: {
    /** Counts from 1 in each cluster. */
    readonly number: number;
    /** The stream version whose fold was scheduled. */
    readonly inputVersion: number;
    /** Effective time, epoch seconds. */
    readonly now: number;
    /** The scheduler that planned it. */
    readonly schedulerVersion: string;
    /** sha256 of the canonical JSON of the graph. */
    readonly digest: string;
    /** How many actions of which kind the graph has. */
    readonly counts: {
      /** Operations of resources, on nodes. */
      readonly actions: number;
      /** Actions that nobody carries out: they order others. */
      readonly pseudo: number;
      /** Nodes that are to be fenced. */
      readonly fencing: number;
    };
    /** Epoch seconds of the next recheck, if any. */
    readonly recheckBy?: number;
    /** What made the recomputation necessary. */
    readonly trigger: string;
    /** Correlation ids of other requests and reports that it answers, too, besides the one that it follows from and whose id it has: of at most 100. */
    readonly alsoAnswers?: readonly string[];
    /** One line for each resource action: what and why. */
    readonly summary: readonly string[];
    /** Its live migrations; absent: none, and in plans of before this was recorded. */
    readonly migrations?: readonly PlannedMigration[];
  };
}

export interface TransitionAborted {
  readonly type: 'TransitionAborted';
  readonly data: {
    /** Number of the transition. */
    readonly number: number;
    /** Why nothing new of it is begun any more. */
    readonly reason: string;
  };
}

export interface TransitionCompleted {
  readonly type: 'TransitionCompleted';
  readonly data: {
    /** Number of the transition. */
    readonly number: number;
    /** `aborted`: it ended before all was done. */
    readonly outcome: 'complete' | 'aborted';
    /** Actions that were done, and ended as expected. */
    readonly completed: number;
    /** Actions that were never begun. */
    readonly skipped: number;
    /** Actions that were handed out, and did not end as expected, or of which no answer came. */
    readonly failed: number;
  };
}
