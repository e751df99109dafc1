import { epochOf, isReported, memberOf, networkAllowanceMs, parseTransitionKey, type TransitionState } from '@systole/cluster';
import type { Dispatches, OpenOperation } from '../ports/dispatches.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';
import type { Decisions } from './decisions.js';
import type { FencingDrive } from './fencing-drive.js';
import { restingUntil, type Progress } from './progress.js';
import { unansweredAction } from './unanswered-action.js';

/**
 * Winds a transition down whose graph is not to be had: it was not stored, or by another release, and this one plans otherwise. What agents have begun of it goes on all the same, and the next plan has to know how that ended, or it
 * would have started elsewhere what starts there. All that is known of it are the rows.
 */
export class LostGraphDrive {
  constructor(
    private readonly dispatches: Pick<Dispatches, 'withdrawUndelivered' | 'ofTransition' | 'openOperations'>,
    private readonly decisions: Pick<Decisions, 'decide'>,
    private readonly fencing: Pick<FencingDrive, 'windDown'>,
  ) {}

  /** Undefined: nothing of it is under way any more. */
  async windDown(cluster: ClusterAtTurn, transition: TransitionState): Promise<Progress | undefined> {
    const { clusterId, now } = cluster;
    const { number } = transition;
    const withdrawn = await this.dispatches.withdrawUndelivered(clusterId, number);
    const fencing = await this.fencing.windDown(cluster, number, await this.dispatches.ofTransition(clusterId, number), withdrawn);
    if (fencing?.type === 'moved') return fencing;
    const rows = await this.dispatches.openOperations(clusterId, number);
    const open = rows.filter((operation) => isAwaited(cluster, transition, operation));
    const overdue = open.filter((operation) => leftMs(cluster, number, operation) === 0);
    if (overdue.length > 0) {
      const actions = overdue.map(({ action, node }) => unansweredAction(action, { node, at: now, execMs: action.timeoutMs }));
      return this.decisions.decide(cluster, { type: 'record-unanswered', actions });
    }
    if (open.length === 0 && fencing === undefined) return undefined;
    return restingUntil(fencing?.wakeAt, ...open.map((operation) => now + leftMs(cluster, number, operation)));
  }
}

/** Whether somebody may answer, and it would count: whoever it was given to is there still, and the log is the one in which it was handed out. */
function isAwaited(
  { clusterId, state }: ClusterAtTurn,
  transition: TransitionState,
  { graphActionId, node, incarnation, action }: OpenOperation,
): boolean {
  const member = memberOf(state, node);
  const isThere = member?.membership === 'joined' && (incarnation === undefined || incarnation === member.incarnation);
  const isOfThisLog = parseTransitionKey(action.transitionKey)?.epoch === epochOf(state, clusterId);
  return isThere && isOfThisLog && !isReported(transition, graphActionId);
}

/** By how long this process has seen it while agents could report: not by the age of its row, which an outage and a step of the database's clock make older. */
function leftMs(cluster: ClusterAtTurn, transition: number, { action: { actionId, timeoutMs, startDelayMs = 0 } }: OpenOperation): number {
  return Math.max(0, timeoutMs + startDelayMs + networkAllowanceMs(cluster.state) - cluster.sinceSeen(transition, actionId));
}
