import type { DropReason, FencingCompleted, TransitionCompleted } from '@systole/cluster';

/** How long it took to have a plan, ms. */
export interface PlanTimes {
  /** From when a worker found that a plan was due, and that nothing held it back, to the plan standing in the log; with the plans that were overtaken meanwhile. */
  readonly wantedForMs: number;
  /** What of it the scheduler itself took, for the plan that stands. */
  readonly schedulerMs: number;
}

/** An attempt to fence a node that ended. */
export interface EndedFencing extends Pick<FencingCompleted['data'], 'action' | 'outcome'> {
  /** Since this worker first saw it to be under way, ms; undefined when it never did. */
  readonly tookMs: number | undefined;
}

/**
 * Whoever counts what a worker does. Told of what took place, once, as far as this process saw it: what is reported while a cluster passes from one worker to another is counted by neither. Must not
 * throw, nor take long.
 */
export interface WorkerFigures {
  /** Actions were handed out to agents; fencing, of which there are events, is not counted. */
  handedOut(actions: number): void;
  /** Actions that were handed out were taken back before any agent had seen them. */
  takenBack(actions: number): void;
  /** An agent answered an action that it was handed out, as the transition expects or not. What came while the cluster passed from one worker to another is told by neither. */
  answered(asExpected: boolean): void;
  /** Actions will not be answered: time ran out, or their node was lost. */
  gaveUp(actions: number): void;
  /** A plan stands in the log. */
  planned(times: PlanTimes): void;
  /** A plan was dropped: what it rests on had changed before it stood in the log. */
  overtaken(): void;
  /** @param tookMs since this worker first moved it, by a clock that does not step */
  transitionEnded(outcome: TransitionCompleted['data']['outcome'], tookMs: number): void;
  /** What came while the cluster passed from one worker to another is told by neither. */
  fenced(ended: EndedFencing): void;
  /** A cluster of which something was heard is moved now. @param waitedMs since the first of what was heard since it was moved last */
  turned(waitedMs: number): void;
}

/** Whoever counts what agents say and are given. As {@link WorkerFigures}. */
export interface SessionFigures {
  /** Results were acknowledged to an agent. */
  resultsTaken(results: {
    /** All of them, those that were recorded before included. */
    readonly acknowledged: number;
    /** Why some of them were not recorded; one for each. */
    readonly dropped: readonly DropReason[];
  }): void;
  /** Polls of nodes of a cluster were answered together, in one transaction, with actions that were due; those that were given once before included. */
  delivered(delivery: { readonly polls: number; readonly actions: number }): void;
}

/** Whoever counts what is appended to the log. As {@link WorkerFigures}. */
export interface AppendFigures {
  /** What was asked in so many requests was stored in one transaction. */
  appended(group: { readonly requests: number; readonly events: number }): void;
}

/** Nobody counts. */
export const UNCOUNTED: WorkerFigures = {
  handedOut: () => undefined,
  takenBack: () => undefined,
  answered: () => undefined,
  gaveUp: () => undefined,
  planned: () => undefined,
  overtaken: () => undefined,
  transitionEnded: () => undefined,
  fenced: () => undefined,
  turned: () => undefined,
};
