import { answersSince, epochOf, type TransitionGraph, type TransitionState } from '@systole/cluster';
import type { WorkerFigures } from '../ports/figures.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';

interface Told {
  readonly epoch: string;
  readonly transition: number;
  /** How many reports of the transition were looked at. */
  reports: number;
  /** Graph action ids of those that the server itself gave up: what it records for them is nobody's answer. */
  readonly givenUp: Set<number>;
}

/**
 * Tells of each answer of an agent once, whichever turn finds it: it goes by what was reported since the turn before, so that it costs what is new. What was reported before this worker
 * first saw a transition is not told: whoever had the cluster before may have. So an answer is told by at most one worker, and what comes between the last turn of one and the first of the next by neither.
 */
export class AnswerTally {
  private readonly told = new Map<string, Told>();

  constructor(private readonly figures: Pick<WorkerFigures, 'answered' | 'gaveUp'>) {}

  /** To be called by each turn, before it decides anything. */
  hear({ clusterId, state }: Pick<ClusterAtTurn, 'clusterId' | 'state'>, transition: TransitionState, graph: TransitionGraph): void {
    const { number, results } = transition;
    const epoch = epochOf(state, clusterId);
    const told = this.told.get(clusterId);
    if (told?.epoch !== epoch || told.transition !== number || told.reports > results.length) {
      this.told.set(clusterId, { epoch, transition: number, reports: results.length, givenUp: new Set() });
      return;
    }
    for (const { action, result } of answersSince(transition, graph, told.reports)) {
      if (action.kind === 'rsc_op' && !told.givenUp.delete(action.id)) this.figures.answered(result.ok);
    }
    told.reports = results.length;
  }

  /** The server recorded that these were not answered in time. */
  gaveUp(clusterId: string, graphActionIds: readonly number[]): void {
    for (const id of graphActionIds) this.told.get(clusterId)?.givenUp.add(id);
    if (graphActionIds.length > 0) this.figures.gaveUp(graphActionIds.length);
  }

  /** Of a cluster at which nothing moves, or that another worker may move. */
  forget(clusterId: string): void {
    this.told.delete(clusterId);
  }
}
