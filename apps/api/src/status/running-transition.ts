import { Inject, Injectable } from '@nestjs/common';
import { reportsSince, type ClusterState } from '@systole/cluster';
import type { Dispatches } from '@systole/control-plane';
import { TransitionList } from '@systole/read-models';
import { DISPATCHES } from '../api-settings.js';
import type { RunningTransitionDto } from './status.dto.js';

/** How far a running transition is: what the log says of it, how much was planned, and what agents are at. */
@Injectable()
export class RunningTransition {
  constructor(
    private readonly transitions: TransitionList,
    @Inject(DISPATCHES) private readonly dispatches: Pick<Dispatches, 'unanswered'>,
  ) {}

  /**
   * @param isPresent whether it runs at present: of the past it is not known what was in flight
   * @returns undefined while none runs
   */
  async of(clusterId: string, { transition }: ClusterState, isPresent: boolean): Promise<RunningTransitionDto | undefined> {
    if (transition === undefined) return undefined;
    const { number, status, abortReason, results } = transition;
    const [counts, unanswered] = await Promise.all([
      this.transitions.counts(clusterId, number),
      isPresent ? this.dispatches.unanswered(clusterId, number) : undefined,
    ]);
    const reports = reportsSince(results, 0);
    const ended = new Set(reports.map(({ graphActionId }) => graphActionId));
    const failed = new Set(reports.filter(({ result }) => !result.ok).map(({ graphActionId }) => graphActionId));
    return {
      number,
      status,
      ...(abortReason === undefined ? {} : { abortReason }),
      ended: ended.size,
      failed: failed.size,
      ...(counts === undefined ? {} : { actions: counts.actions + counts.fencing }),
      // What was given up, or is answered by another node, stands as handed out and has ended all the same.
      ...(unanswered === undefined ? {} : { inFlight: unanswered.filter((id) => !ended.has(id)).length }),
    };
  }
}
