import { relevantSince, type ClusterState, type TransitionState } from '@systole/cluster';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { Dispatches, NewDispatch } from '../ports/dispatches.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';

/** Appends that come between a look at the stream and what is handed out for it, before everything is derived anew. */
const ATTEMPTS = 20;

/** Hands out what was decided on a state for as long as that decision stands: a stream that moves on all the time, by what means nothing to the transition, holds nothing up. */
export class StandingHandOut {
  constructor(
    private readonly dispatches: Pick<Dispatches, 'handOut'>,
    private readonly log: Pick<ClusterLog, 'load'>,
  ) {}

  /**
   * @param stands what else has to be so in a later state
   * @returns false when the decision does not stand any more, or nobody can tell
   */
  async handOut(
    cluster: ClusterAtTurn,
    transition: number,
    dispatches: readonly NewDispatch[],
    stands: (after: ClusterState) => boolean = () => true,
  ): Promise<boolean> {
    let { state } = cluster;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      cluster.assertHeld();
      if (await this.dispatches.handOut(cluster.clusterId, transition, state.version, dispatches)) return true;
      state = await this.log.load(cluster.clusterId);
      if (!standsSince(cluster.state, state) || !stands(state)) return false;
    }
    return false;
  }
}

/** Whether nothing but what its probes discovered has spoken against a transition: what more of them do is no news to the others. */
function isProbing(before: TransitionState, after: TransitionState): boolean {
  return before.probingSince !== undefined && after.probingSince !== undefined;
}

/** Whether the transition of a state goes on unchanged in a later one of the same stream: nothing came in between that plans depend on. */
function standsSince(before: ClusterState, after: ClusterState): boolean {
  return (
    after.transition !== undefined &&
    after.transition.number === before.transition?.number &&
    after.transition.status === before.transition.status &&
    after.epoch?.id === before.epoch?.id &&
    (relevantSince(after) <= before.version || isProbing(before.transition, after.transition))
  );
}
