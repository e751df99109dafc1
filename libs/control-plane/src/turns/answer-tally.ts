import { answersSince, epochOf, type ClusterState, type TransitionGraph, type TransitionState } from '@systole/cluster';
import type { Clock } from '../ports/clock.js';
import type { WorkerFigures } from '../ports/figures.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';

interface Told {
  readonly epoch: string;
  readonly transition: number;
  /** How many reports of the transition were looked at. */
  reports: number;
  /** Graph action ids of those that the server itself gave up: what it records for them is nobody's answer. */
  readonly givenUp: Set<number>;
  /** When this worker first moved the transition, monotonic ms. */
  readonly since: number;
  /** How many outcomes of its fencing were looked at. */
  fencings: number;
  /** Attempts that are under way, and when they were first seen to be, monotonic ms. */
  fencing: ReadonlyMap<string, number>;
}

/**
 * Tells of each answer of an agent, and of each attempt to fence that ended, once, whichever turn finds it: it goes by what was reported since the turn before, so that it costs what is new. What was reported before this worker
 * first saw a transition is not told: whoever had the cluster before may have. So an answer is told by at most one worker, and what comes between the last turn of one and the first of the next by neither.
 */
export class AnswerTally {
  private readonly told = new Map<string, Told>();

  constructor(
    private readonly figures: Pick<WorkerFigures, 'answered' | 'gaveUp' | 'fenced'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Attempts to fence nodes that are under way in the clusters that are told of. */
  get fencingPending(): number {
    return [...this.told.values()].reduce((sum, { fencing }) => sum + fencing.size, 0);
  }

  /** To be called by each turn, before it decides anything. */
  hear({ clusterId, state }: Pick<ClusterAtTurn, 'clusterId' | 'state'>, transition: TransitionState, graph: TransitionGraph): void {
    const { number, results, fencing } = transition;
    const now = this.clock.monotonic();
    const epoch = epochOf(state, clusterId);
    const told = this.told.get(clusterId);
    if (told?.epoch !== epoch || told.transition !== number || told.reports > results.length || told.fencings > fencing.length) {
      this.told.set(clusterId, {
        ...{ epoch, transition: number, reports: results.length, givenUp: new Set<number>(), since: now },
        ...{ fencings: fencing.length, fencing: pendingSince(state, number, new Map(), now) },
      });
      return;
    }
    for (const { action, result } of answersSince(transition, graph, told.reports)) {
      if (action.kind === 'rsc_op' && !told.givenUp.delete(action.id)) this.figures.answered(result.ok);
    }
    told.reports = results.length;
    for (const { result } of fencing.slice(told.fencings)) {
      const seenAt = told.fencing.get(result.fencingId);
      const { action, outcome } = result;
      this.figures.fenced({ action, outcome, tookMs: seenAt === undefined ? undefined : now - seenAt });
    }
    told.fencings = fencing.length;
    told.fencing = pendingSince(state, number, told.fencing, now);
  }

  /** For how long this worker has moved a transition, ms; 0 for one of which it was told nothing. */
  movedForMs(clusterId: string, transition: number): number {
    const now = this.clock.monotonic();
    const told = this.told.get(clusterId);
    return told?.transition === transition ? now - told.since : 0;
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

/** Attempts that are under way, and since when they are known to be. */
function pendingSince(
  { fencing }: Pick<ClusterState, 'fencing'>,
  transition: number,
  known: ReadonlyMap<string, number>,
  now: number,
): ReadonlyMap<string, number> {
  const pending = Object.values(fencing).filter((attempt) => attempt.transition === transition);
  return new Map(pending.map(({ fencingId }) => [fencingId, known.get(fencingId) ?? now]));
}
