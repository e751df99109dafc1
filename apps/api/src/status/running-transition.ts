import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { reportsSince, type ClusterState } from '@systole/cluster';
import type { Dispatches, UnansweredDispatch } from '@systole/control-plane';
import { TransitionList } from '@systole/read-models';
import { DISPATCHES } from '../api-settings.js';
import type { AwaitedAgentDto, RunningTransitionDto } from './status.dto.js';

/** What agents are at is left out where it takes longer to read, ms. */
const READ_WITHIN_MS = 1_000;
/** Agents that are named, and actions of each: those that are waited for the longest. */
const NAMED_AGENTS = 20;
const NAMED_ACTIONS = 5;
/** How many may read that at a time: those that wait for whoever holds the table must leave connections for everything else. */
const MOST_READING = 2;

/** A running transition, and what agents have not answered of it; undefined where that is not known. */
export interface SeenTransition {
  readonly shown: RunningTransitionDto;
  readonly open: readonly UnansweredDispatch[] | undefined;
}

/** How far a running transition is: what the log says of it, how much was planned, and what agents are at. */
@Injectable()
export class RunningTransition {
  private reading = 0;

  constructor(
    private readonly transitions: TransitionList,
    @Inject(DISPATCHES) private readonly dispatches: Pick<Dispatches, 'unanswered'>,
  ) {}

  /**
   * @param isPresent whether it runs at present: of the past it is not known what was in flight
   * @returns undefined while none runs
   */
  async of(clusterId: string, { transition }: ClusterState, isPresent: boolean): Promise<SeenTransition | undefined> {
    if (transition === undefined) return undefined;
    const { number, status, abortReason, results } = transition;
    const [counts, unanswered] = await Promise.all([
      this.transitions.counts(clusterId, number),
      isPresent ? this.inFlight(clusterId, number) : undefined,
    ]);
    const reports = reportsSince(results, 0);
    const ended = new Set(reports.map(({ graphActionId }) => graphActionId));
    // What was given up, or is answered by another node, stands as handed out and has ended all the same.
    const open = unanswered?.filter(({ graphActionId }) => !ended.has(graphActionId));
    const failed = new Set(reports.filter(({ result }) => !result.ok).map(({ graphActionId }) => graphActionId));
    const shown: RunningTransitionDto = {
      number,
      status,
      ...(abortReason === undefined ? {} : { abortReason }),
      ended: ended.size,
      failed: failed.size,
      ...(counts === undefined ? {} : { actions: counts.actions + counts.fencing }),
      ...(open === undefined ? {} : { inFlight: open.length, waitsFor: agentsOf(open) }),
    };
    return { shown, open };
  }

  /** Undefined where that can't be read in time: somebody holds the table, of which the status has to tell. */
  private async inFlight(clusterId: string, number: number): Promise<readonly UnansweredDispatch[] | undefined> {
    if (this.reading >= MOST_READING) return undefined;
    this.reading += 1;
    const unanswered = this.dispatches
      .unanswered(clusterId, number)
      .catch(() => undefined)
      .finally(() => {
        this.reading -= 1;
      });
    return Promise.race([unanswered, sleep(READ_WITHIN_MS, undefined, { ref: false })]);
  }
}

/** Whose answers are waited for, those first that are for the longest. */
function agentsOf(open: readonly UnansweredDispatch[]): readonly AwaitedAgentDto[] {
  const byNode = new Map<string, UnansweredDispatch[]>();
  for (const dispatch of open) {
    const others = byNode.get(dispatch.node);
    if (others === undefined) byNode.set(dispatch.node, [dispatch]);
    else others.push(dispatch);
  }
  const agents = [...byNode].map(([node, dispatches]): AwaitedAgentDto => {
    const oldestFirst = dispatches.toSorted((a, b) => b.forMs - a.forMs);
    const actions = oldestFirst.slice(0, NAMED_ACTIONS).map(({ what }) => what);
    const forSeconds = Math.round((oldestFirst[0]?.forMs ?? 0) / 1_000);
    const others = dispatches.length > 1 ? ` and ${String(dispatches.length - 1)} more` : '';
    return {
      node,
      count: dispatches.length,
      undelivered: dispatches.filter(({ delivered }) => !delivered).length,
      actions,
      forSeconds,
      text: `${node} (${actions[0] ?? 'nothing'}${others}, ${String(forSeconds)} s)`,
    };
  });
  return agents.sort((a, b) => b.forSeconds - a.forSeconds || (a.node < b.node ? -1 : 1)).slice(0, NAMED_AGENTS);
}
