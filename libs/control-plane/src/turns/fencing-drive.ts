import {
  absenceHold,
  actsForAll,
  countedFailures,
  countingOf,
  epochOf,
  fencingHold,
  fencingStep,
  memberOf,
  pendingFencing,
  retryPauseMs,
  toFenceAction,
  type AgentAction,
  type ClusterState,
  type FencingOperation,
  type FencingRequested,
  type PendingFencing,
} from '@systole/cluster';
import type { Chance } from '../ports/clock.js';
import type { Dispatches, DispatchRow } from '../ports/dispatches.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';
import type { Decisions } from './decisions.js';
import { nextPlanDue } from './next-plan.js';
import { MOVED, restingUntil, type Progress } from './progress.js';
import type { StandingHandOut } from './standing-hand-out.js';

type Attempt = FencingRequested['data'];

/** Added to the device's own timeout before the server gives up on an executor: the network and the agent's bookkeeping. */
const ANSWER_ALLOWANCE_MS = 10_000;

/** How often an attempt that is under way is looked at, ms: what is not begun when the servers are back is judged anew before any of them hands it out (`AgentPoll`). */
const LOOK_MS = 1_000;

/**
 * Carries out the fencing actions of a graph, attempt by attempt: which device, executor and try comes next is decided in `@systole/cluster`.
 * The outcome comes back as FencingCompleted, from the executor by way of the api or, when it does not answer, from here.
 */
export class FencingDrive {
  constructor(
    private readonly dispatches: Pick<Dispatches, 'ofActions' | 'restore'>,
    private readonly standing: StandingHandOut,
    private readonly decisions: Decisions,
    private readonly chance: Pick<Chance, 'fraction'>,
  ) {}

  /** The next step of one fencing action of a running transition. */
  async turn(cluster: ClusterAtTurn, operation: FencingOperation): Promise<Progress> {
    const next = fencingStep(cluster.state, operation);
    const absence = operation.action === 'on' ? undefined : absenceHold(cluster.state, cluster.servedForMs, cluster.elapsed, cluster.now);
    if ((next.type === 'request' || next.type === 'wait') && absence?.nodes.includes(operation.target) === true) {
      // Only when the servers are back it is judged anew. Whoever has begun is waited for while the transition winds down; what nobody began is taken back.
      if (cluster.servedForMs === undefined) return restingUntil(cluster.now + LOOK_MS);
      return this.decisions.decide(cluster, { type: 'abort-transition', number: operation.transition, reason: absence.reason });
    }
    switch (next.type) {
      case 'request': {
        const waitMs = waitBefore(cluster, operation, next.request);
        if (waitMs > 0) return restingUntil(cluster.now + waitMs);
        const fencingId = fencingIdOf(epochOf(cluster.state, cluster.clusterId), next.request);
        const { randomBelowMs } = next;
        const drawn = randomBelowMs > 0 ? { randomDelayMs: Math.floor(this.chance.fraction() * (randomBelowMs + 1)) } : {};
        return this.decisions.decide(cluster, { type: 'request-fencing', request: { ...next.request, ...drawn, fencingId } });
      }
      case 'wait':
        return this.await(
          cluster,
          next.request,
          async ({ actionId }) => (await this.dispatches.ofActions(cluster.clusterId, [actionId]))[0],
        );
      case 'count':
        return this.count(cluster, next.request);
      case 'queued':
        return restingUntil(cluster.now + LOOK_MS);
      case 'held':
        return this.hold(cluster, operation.transition);
      case 'finished':
        // The engine sees it in the state.
        return restingUntil();
    }
  }

  /** Whether the target would be fenced now, or tried to be, did the transition still run. */
  isDue(cluster: ClusterAtTurn, operation: FencingOperation): boolean {
    const next = fencingStep(cluster.state, operation);
    if (next.type !== 'request') return false;
    const absence = operation.action === 'on' ? undefined : absenceHold(cluster.state, cluster.servedForMs, cluster.elapsed, cluster.now);
    return absence?.nodes.includes(operation.target) !== true && waitBefore(cluster, operation, next.request) <= 0;
  }

  /**
   * Nothing can be tried, and the transition can't end. An event may help; if none does, the cluster is planned anew when that is due, as it would
   * be if no transition were running.
   */
  private async hold(cluster: ClusterAtTurn, number: number): Promise<Progress> {
    const { inMs, reason } = nextPlanDue(cluster);
    if (inMs > 0) return restingUntil(cluster.now + inMs);
    return this.decisions.decide(cluster, { type: 'abort-transition', number, reason });
  }

  /**
   * The attempts of a transition that is winding down: one that no executor has seen is called off, one that is under way is awaited. So is one whose row is not there: it
   * may have been lost after the executor had seen it, which its next poll tells.
   * @param withdrawn what no agent has seen
   * @returns undefined when none is pending
   */
  async windDown(
    cluster: ClusterAtTurn,
    transition: number,
    rows: readonly DispatchRow[],
    withdrawn: readonly DispatchRow[],
  ): Promise<Progress | undefined> {
    const pending = Object.values(cluster.state.fencing).filter((attempt) => attempt.transition === transition);
    const moments: (number | undefined)[] = [];
    for (const attempt of pending) {
      const progress =
        attempt.watchdogMs !== undefined
          ? await this.count(cluster, attempt)
          : !withdrawn.some(({ fencingId }) => fencingId === attempt.fencingId)
            ? await this.await(cluster, attempt, ({ actionId }) => rows.find((row) => row.actionId === actionId))
            : await this.give(cluster, attempt, 'failed', 'called off: the transition was aborted before the executor had been told');
      if (progress.type === 'moved') return progress;
      moments.push(progress.wakeAt);
    }
    return pending.length === 0 ? undefined : restingUntil(...moments);
  }

  /**
   * Nobody is told anything: time proves that the target's watchdog has reset it, counted from when this process first saw its loss. Not without quorum: whoever is left without it must not take the others for down.
   */
  private count(cluster: ClusterAtTurn, attempt: PendingFencing): Progress | Promise<Progress> {
    const counting = countingOf(cluster.state, attempt);
    if (counting.type === 'void') return this.give(cluster, attempt, 'failed', counting.reason);
    if (!actsForAll(cluster.state)) {
      if (cluster.state.transition?.status === 'aborting')
        return this.give(cluster, attempt, 'failed', 'called off: there is no quorum any more');
      return restingUntil(cluster.now + LOOK_MS);
    }
    if (counting.type === 'until-lost') return restingUntil(cluster.now + LOOK_MS);
    const leftMs = counting.forMs - cluster.witnessed(lossOf(attempt.target), Date.parse(counting.at), counting.version);
    if (leftMs > 0) return restingUntil(cluster.now + Math.min(leftMs, LOOK_MS));
    const detail = `its watchdog has reset it: its lease was lost ${String(counting.forMs / 1_000)} s ago at least`;
    return this.give(cluster, attempt, 'succeeded', detail);
  }

  /** @param rowOf what was handed out for an attempt, if it was */
  private async await(
    cluster: ClusterAtTurn,
    attempt: Attempt,
    rowOf: (action: AgentAction) => Promise<DispatchRow | undefined> | DispatchRow | undefined,
  ): Promise<Progress> {
    if (!isJoined(cluster.state, attempt.executor)) {
      return this.give(cluster, attempt, 'failed', `its executor ${attempt.executor} is gone`);
    }
    const action = toFenceAction(cluster.state, attempt, { epoch: epochOf(cluster.state, cluster.clusterId) });
    if (!action) return this.give(cluster, attempt, 'failed', `fence device ${attempt.device} is not configured any more`);
    const row = await rowOf(action);
    if (!row)
      return cluster.state.transition?.status === 'aborting'
        ? this.restore(cluster, attempt, action)
        : this.handOut(cluster, attempt, action);
    const patienceMs = (action.startDelayMs ?? 0) + action.timeoutMs + ANSWER_ALLOWANCE_MS;
    const leftMs = patienceMs - cluster.sinceSeen(attempt.transition, row.actionId);
    if (leftMs <= 0) return this.give(cluster, attempt, 'timeout', `no answer from ${attempt.executor} in time`);
    return restingUntil(cluster.now + LOOK_MS);
  }

  private async handOut(cluster: ClusterAtTurn, attempt: Attempt, action: AgentAction): Promise<Progress> {
    const dispatch = { graphActionId: attempt.graphActionId, node: attempt.executor, action };
    await this.standing.handOut(cluster, attempt.transition, [dispatch], (after) => pendingFencing(after, attempt.fencingId) !== undefined);
    // The row is there, or the stream has moved: either way the next look knows more.
    return MOVED;
  }

  private async restore(cluster: ClusterAtTurn, { transition, graphActionId, executor }: Attempt, action: AgentAction): Promise<Progress> {
    cluster.assertHeld();
    const incarnation = memberOf(cluster.state, executor)?.incarnation ?? 0;
    const lost = { graphActionId, node: executor, action, incarnation, completed: false };
    await this.dispatches.restore(cluster.clusterId, transition, cluster.state.version, [lost]);
    return MOVED;
  }

  private give(cluster: ClusterAtTurn, attempt: Attempt, outcome: 'succeeded' | 'failed' | 'timeout', detail: string): Promise<Progress> {
    const { fencingId, target, action, device, executor } = attempt;
    return this.decisions.decide(cluster, {
      type: 'complete-fencing',
      result: { fencingId, target, action, device, executor, outcome, detail },
    });
  }
}

/** What a loss is called that is counted from. */
export function lossOf(node: string): string {
  return `loss of ${node} for its watchdog`;
}

/** In how many ms an attempt may be made. */
function waitBefore(cluster: ClusterAtTurn, operation: FencingOperation, { attempt }: Pick<Attempt, 'attempt'>): number {
  return attempt === 1 ? Math.max(firstTryIn(cluster, operation), limitedFor(cluster, operation)) : 0;
}

/** In how many ms the limit on fencing lets the target be fenced. */
function limitedFor({ state, elapsed, now }: ClusterAtTurn, operation: FencingOperation): number {
  return fencingHold(state, operation, elapsed, now)?.forMs ?? 0;
}

/**
 * In how many ms a transition may begin to fence a target: at once, unless fencing of it failed in the transitions before. Then it waits 2, 4, 8 …
 * s, at most 60 s; the rest of the plan goes on meanwhile.
 */
function firstTryIn({ state, witnessed }: ClusterAtTurn, { target }: FencingOperation): number {
  const failures = countedFailures(state, target);
  if (failures === 0 || !state.transition) return 0;
  return retryPauseMs(failures) - witnessed('transition', state.transition.now * 1000);
}

/** Derived from the attempt, so that a decision made again after a crash is the same decision. */
function fencingIdOf(epoch: string, { transition, graphActionId, attempt }: Omit<Attempt, 'fencingId'>): string {
  return `${epoch}:${transition}:${graphActionId}:${attempt}`;
}

function isJoined(state: ClusterState, node: string): boolean {
  return Object.hasOwn(state.nodes, node) && state.nodes[node]?.membership === 'joined';
}
