import {
  configuredNodes,
  countedFencing,
  countQuorum,
  heldAttributes,
  untrueHaveWatchdog,
  type ClusterState,
  type ElapsedSince,
} from '@systole/cluster';
import type { RecentLeases } from '../leases/recent-leases.js';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { Dispatches } from '../ports/dispatches.js';
import type { NodeLease, NodeLeases } from '../ports/node-leases.js';
import type { Report } from '../ports/report.js';
import type { SeenLosses } from '../leases/seen-losses.js';
import type { Elapsed } from '../time/elapsed.js';
import type { ActionTimes } from './action-times.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';
import type { Decisions } from './decisions.js';
import { lossOf } from './fencing-drive.js';
import type { Planner } from './planner.js';
import { restingUntil, type Progress } from './progress.js';
import type { TransitionDrive } from './transition-drive.js';

/** Turns in one go, before other clusters get theirs. */
const MOST_TURNS = 500;

/** How often it is looked whether all were heard of, ms. */
const HEARD_LOOK_MS = 250;

/** Where an advance left the cluster. */
export type AdvanceOutcome =
  /** `wakeInMs`: something falls due then; absent: only an event can make something due. `moving`: a transition is under way. */
  | { readonly type: 'resting'; readonly version: number; readonly wakeInMs?: number; readonly moving: boolean }
  /** This worker has not heard of all nodes yet, and looks again in `wakeInMs`: one that has may go on meanwhile. */
  | { readonly type: 'unheard'; readonly version: number; readonly wakeInMs: number }
  /** There is more to do at once. */
  | { readonly type: 'unfinished' }
  /** No such cluster, or it was deleted. */
  | { readonly type: 'gone' };

/**
 * Moves one cluster as far as it goes: quorum, then the running transition, then the next plan; again and again until nothing is left to do
 * before an event or a moment. Each turn derives everything from the stream and the tables and appends its decision with the version that it
 * was made on, so a turn may be interrupted anywhere and made again by anyone (docs/decisions/0005-worker.md).
 */
export class ClusterAdvance {
  constructor(
    private readonly parts: {
      readonly log: Pick<ClusterLog, 'load'>;
      readonly leases: Pick<NodeLeases, 'restore'>;
      readonly recentLeases: RecentLeases;
      readonly dispatches: Dispatches;
      readonly decisions: Decisions;
      readonly drive: TransitionDrive;
      readonly planner: Planner;
      /** Whether a lease is over. */
      readonly leaseOver: (lease: NodeLease) => boolean;
      /** Whether it is held for certain. */
      readonly leaseHeld: (lease: NodeLease) => boolean;
      /** Whether its node was heard of since this worker began to watch. */
      readonly leaseHeard: (lease: NodeLease) => boolean;
      /** Whether an agent that holds no lease could have joined since then. */
      readonly couldAllJoin: () => boolean;
      /** In how many ms a lease will be over that should have been renewed by now; undefined for others. */
      readonly leaseOverdue: (lease: NodeLease) => number | undefined;
      readonly elapsed: Elapsed;
      readonly losses: SeenLosses;
      readonly actionTimes: ActionTimes;
      /** For how long agents have been able to reach the servers, ms. */
      readonly servedForMs: () => number | undefined;
      readonly report: Report;
    },
  ) {}

  /**
   * @param assertHeld throws when this worker has lost the right to act on the cluster, or is to stop
   * @throws what that throws; whatever the database throws
   */
  async advance(clusterId: string, assertHeld: () => void): Promise<AdvanceOutcome> {
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      assertHeld();
      const state = await this.parts.log.load(clusterId);
      if (state.existence === 'none') {
        const message = 'asked to move a cluster that the event log does not hold: is the queue shared with another installation?';
        this.parts.report.warn({ clusterId }, message);
      }
      if (state.existence !== 'active') {
        this.parts.elapsed.forget(clusterId);
        this.parts.losses.forget(clusterId);
        this.parts.planner.forget(clusterId);
        await this.parts.dispatches.forget(clusterId, state.lastTransitionNumber);
        return { type: 'gone' };
      }
      const { progress, now } = await this.turn(clusterId, state, assertHeld);
      if (progress === 'unheard') return { type: 'unheard', version: state.version, wakeInMs: HEARD_LOOK_MS };
      if (progress.type === 'resting') return resting(state, progress.wakeAt, now);
    }
    this.parts.report.warn({ clusterId, turns: MOST_TURNS }, 'a cluster does not come to rest; going on after the others');
    return { type: 'unfinished' };
  }

  private async turn(
    clusterId: string,
    state: ClusterState,
    assertHeld: () => void,
  ): Promise<{ readonly progress: Progress | 'unheard'; readonly now: number }> {
    const { now, holders, doubtful, unheard, overdue } = await this.leaseHolders(clusterId, state);
    const elapsed: ElapsedSince = (cause, moment, version) => this.parts.elapsed.since(clusterId, cause, moment, now, version);
    // Seen as soon as this worker can see it, so that no later step of the database's clock makes it seem longer ago, or yet to come.
    for (const { cause, momentMs } of countedFencing(state)) elapsed(cause, momentMs);
    const witnessed: ElapsedSince = (cause, moment, version) => this.parts.elapsed.witnessed(clusterId, cause, moment, version);
    // The same for losses that a watchdog is counted from.
    for (const { name, membership, lastLoss } of Object.values(state.nodes))
      if (membership === 'lost' && lastLoss !== undefined) witnessed(lossOf(name), Date.parse(lastLoss.at), lastLoss.version);
    this.parts.losses.see(clusterId, state);
    const sinceSeen = (transition: number, cause: string): number => this.parts.actionTimes.sinceSeen(clusterId, transition, cause);
    const cluster: ClusterAtTurn = {
      clusterId,
      state,
      now,
      elapsed,
      witnessed,
      sinceSeen,
      servedForMs: this.parts.servedForMs(),
      overdue,
      assertHeld,
    };
    const quorum = countQuorum(state, holders, now, doubtful);
    if (!isIdle(state) && !sameQuorum(quorum, state.quorum)) {
      return { progress: await this.parts.decisions.decide(cluster, { type: 'change-quorum', ...quorum }), now };
    }
    // Nothing is handed out, taken back or planned on the word of a database that may be of before.
    if (unheard.length > 0 || (!this.parts.couldAllJoin() && mayLackAJoin(state))) return { progress: 'unheard', now };
    const held = heldAttributes(state, elapsed);
    const inTruth = isIdle(state) ? undefined : untrueHaveWatchdog(state, now);
    if (inTruth !== undefined) {
      const noted = await this.parts.decisions.decide(cluster, { type: 'note-have-watchdog', haveWatchdog: inTruth });
      if (noted.type === 'moved') return { progress: noted, now };
    }
    const due = held.filter(({ inMs }) => inMs <= 0);
    if (due.length > 0) {
      const names = due.map(({ name }) => name);
      return { progress: await this.parts.decisions.decide(cluster, { type: 'write-held-attributes', names }), now };
    }
    const { drive, planner } = this.parts;
    const progress = await (state.transition ? drive.turn(cluster, state.transition) : planner.turn(cluster));
    if (progress.type === 'moved') return { progress, now };
    return { progress: restingUntil(progress.wakeAt, ...held.map(({ inMs }) => now + inMs)), now };
  }

  /**
   * The members that hold their leases, those of whom nobody can tell here, those that were not heard of since this worker began to watch though their leases are not over, and the time of which
   * this is said.
   */
  private async leaseHolders(
    clusterId: string,
    state: ClusterState,
  ): Promise<{
    readonly now: number;
    readonly holders: readonly string[];
    readonly doubtful: readonly string[];
    readonly unheard: readonly string[];
    readonly overdue: ReadonlyMap<string, number>;
  }> {
    const joined = Object.values(state.nodes).filter(({ membership }) => membership === 'joined');
    const { leases, now } = await this.parts.recentLeases.of(clusterId, joined);
    const byNode = new Map(leases.map((lease) => [lease.node, lease]));
    const holders: string[] = [];
    const doubtful: string[] = [];
    const unheard: string[] = [];
    const overdue = new Map<string, number>();
    for (const { name, incarnation, leaseMs } of joined) {
      const lease = byNode.get(name);
      // A row that was lost: whoever joined must hold something that can run out.
      if (!lease)
        await this.parts.leases.restore(
          { clusterId, node: name, incarnation, leaseMs, tokenId: '', presence: { type: 'unproven' } },
          state.version,
        );
      const isOver = lease !== undefined && this.parts.leaseOver(lease);
      if (lease && this.parts.leaseHeld(lease)) holders.push(name);
      else if (!isOver) doubtful.push(name);
      if (!lease || (!isOver && !this.parts.leaseHeard(lease))) unheard.push(name);
      const overIn = lease && this.parts.leaseOverdue(lease);
      if (overIn !== undefined) overdue.set(name, overIn);
    }
    return { now, holders, doubtful, unheard, overdue };
  }
}

/** A span, not a moment: whoever sets the timer goes by another clock than the database's. */
function resting({ version, transition }: ClusterState, wakeAt: number | undefined, now: number): AdvanceOutcome {
  const moving = transition !== undefined;
  return { type: 'resting', version, moving, ...(wakeAt === undefined ? {} : { wakeInMs: Math.max(0, wakeAt - now) }) };
}

/** Of a cluster that no node ever joined nothing is said: its first writer finds the version that the creation gave it. */
function isIdle({ nodes, quorum }: ClusterState): boolean {
  return quorum === undefined && Object.keys(nodes).length === 0;
}

/** Whether a node that is over by the state may have joined, and begun something, in what the database lacks since a restore. Of who was never heard of the holds of a start and of an epoch take care. */
function mayLackAJoin({ nodes, cib }: ClusterState): boolean {
  return configuredNodes(cib).some(({ name }) => {
    const membership = Object.hasOwn(nodes, name) ? nodes[name]?.membership : undefined;
    return membership === 'left' || membership === 'down' || membership === 'lost';
  });
}

function sameQuorum(counted: ReturnType<typeof countQuorum>, known: ClusterState['quorum']): boolean {
  return known?.quorate === counted.quorate && known.votes === counted.votes && known.expectedVotes === counted.expectedVotes;
}
