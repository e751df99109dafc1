import { leaseVerdict, WORKER_ACTOR } from '@systole/cluster';
import { ClusterCommands, type ClusterCommandsParts } from '../commands/cluster-commands.js';
import { LeaseWatch } from '../leases/lease-watch.js';
import { NO_TRAITS, type AgentTraits } from '../ports/agent-traits.js';
import type { AdvanceFailures } from '../ports/advance-failures.js';
import type { Chance, Clock, DatabaseClock } from '../ports/clock.js';
import type { ClusterClaims } from '../ports/cluster-claims.js';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { Dispatches } from '../ports/dispatches.js';
import { UNCOUNTED, type WorkerFigures } from '../ports/figures.js';
import type { Heartbeats } from '../ports/heartbeats.js';
import type { NodeLease, NodeLeases } from '../ports/node-leases.js';
import type { Report } from '../ports/report.js';
import type { Scheduling } from '../ports/scheduling.js';
import type { StoredGraphs } from '../ports/transition-graphs.js';
import { ClusterSweep } from '../requests/cluster-sweep.js';
import { RetryPauses } from '../requests/retry-pauses.js';
import { Elapsed } from '../time/elapsed.js';
import { ActionTimes } from '../turns/action-times.js';
import { AnswerTally } from '../turns/answer-tally.js';
import { SeenLosses } from '../leases/seen-losses.js';
import { RecentLeases } from '../leases/recent-leases.js';
import { ClusterAdvance, type AdvanceOutcome } from '../turns/cluster-advance.js';
import { ClusterLocks } from '../turns/cluster-locks.js';
import { Decisions } from '../turns/decisions.js';
import { KeptEngines } from '../turns/kept-engines.js';
import { FencingDrive } from '../turns/fencing-drive.js';
import { PlanWants } from '../turns/plan-wants.js';
import { Planner } from '../turns/planner.js';
import { StandingHandOut } from '../turns/standing-hand-out.js';
import { TransitionDrive } from '../turns/transition-drive.js';
import { TransitionGraphs } from '../turns/transition-graphs.js';
import { Attendances } from './attendances.js';

/** How soon a cluster is tried again when the data is away, ms. */
const AWAY_RETRY_MS = 1_000;

/** What a worker works with. */
export interface WorkerPorts {
  readonly log: ClusterLog;
  readonly leases: NodeLeases;
  readonly heartbeats: Heartbeats;
  readonly dispatches: Dispatches;
  readonly graphs: StoredGraphs;
  readonly claims: ClusterClaims;
  readonly failures: AdvanceFailures;
  readonly databaseClock: DatabaseClock;
  readonly scheduling: Scheduling;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly report: Report;
  /** Default: nothing is known of agents, so that each change of a parameter asks for a restart. */
  readonly traits?: AgentTraits;
  /** Default: nobody counts. */
  readonly figures?: WorkerFigures;
  /** Told what is appended. Default: nobody traces. */
  readonly onStored?: ClusterCommandsParts['onStored'];
}

export interface WorkerSettings {
  /** Clusters moved at the same time. */
  readonly concurrency: number;
  /** How often leases are looked at, ms. */
  readonly leaseScanMs: number;
  /** How often clusters are looked over for something that no trigger announced, ms. */
  readonly sweepMs: number;
}

/** What a worker has to do at a moment, and keeps for it. */
export interface WorkerLoad {
  /** Clusters that it attends: of which it has the claim. */
  readonly clusters: number;
  /** Actions that agents are at in these clusters. */
  readonly actionsInFlight: number;
  /** Actions there that wait for nothing but a limit on how many go on at once. */
  readonly actionsWaiting: number;
  /** Attempts to fence nodes that are under way there. */
  readonly fencingPending: number;
  /** Nodes that are to be fenced or unfenced there, also those for which nothing can be tried: services wait for them. */
  readonly fencingOpen: number;
  /** What the graphs of transitions take in memory, about, bytes. */
  readonly graphBytes: number;
  /** What they may take, bytes. */
  readonly mostGraphBytes: number;
}

/**
 * What a worker does, on whatever keeps its data: it moves clusters when asked, watches leases, and looks over the clusters for what nobody asked for.
 * Any number of workers may run on the same data.
 */
export class ClusterWorker {
  private readonly commands: ClusterCommands;
  private readonly locks: ClusterLocks;
  private readonly clusters: ClusterAdvance;
  private readonly attendances: Attendances;
  private readonly engines: KeptEngines;
  private readonly graphs: TransitionGraphs;
  private readonly tally: AnswerTally;
  /** What holds of a cluster only for as long as this worker goes on with it. */
  private readonly forgetTurns: (clusterId: string) => void;
  /** What is kept in memory for a cluster while a transition runs there. */
  private readonly forgetTransition: (clusterId: string) => void;
  private readonly leaseWatch: LeaseWatch;
  private readonly sweep: ClusterSweep;
  private readonly pauses: RetryPauses;
  private readonly losses: SeenLosses;
  /** Clusters of which it was noted that they are stuck, by whichever worker. */
  private noted: ReadonlySet<string> = new Set();

  constructor(
    private readonly ports: WorkerPorts,
    settings: WorkerSettings,
  ) {
    const { log, leases, heartbeats, dispatches, graphs, databaseClock, scheduling, clock, chance, report } = ports;
    const { figures = UNCOUNTED, traits = NO_TRAITS, onStored } = ports;
    this.commands = new ClusterCommands({ log, clock, chance, ...(onStored === undefined ? {} : { onStored }) });
    this.pauses = new RetryPauses(clock);
    this.locks = new ClusterLocks(ports.claims, clock, chance);
    this.engines = new KeptEngines(clock);
    const recentLeases = new RecentLeases(leases, databaseClock, clock);
    this.leaseWatch = new LeaseWatch(
      { leases, heartbeats, databaseClock, clock },
      {
        judge: async ({ clusterId, node }, endsAt, now) => leaseVerdict(await log.load(clusterId), node, endsAt, now, clock.timeOfDay()),
        declareLost: (lease) => this.declareLost(lease),
        votesChanged: (clusterId) => {
          this.want(clusterId);
        },
        vanished: (clusterId) => {
          recentLeases.forget(clusterId);
          this.want(clusterId);
        },
      },
      settings.leaseScanMs,
      report,
    );
    this.sweep = new ClusterSweep(
      log,
      clock,
      {
        want: (clusterId) => {
          this.want(clusterId);
        },
        swept: () => this.lookAtFailures(),
      },
      settings.sweepMs,
      report,
    );
    const decisions = new Decisions(this.commands, chance);
    const standing = new StandingHandOut(dispatches, log);
    this.graphs = new TransitionGraphs(graphs, log, scheduling, report, (clusterId) => {
      this.engines.forget(clusterId);
    });
    const actionTimes = new ActionTimes(this.leaseWatch.servedTime, () => clock.monotonic());
    const elapsed = new Elapsed(() => clock.monotonic());
    this.losses = new SeenLosses(() => clock.monotonic());
    const wants = new PlanWants(clock);
    const tally = new AnswerTally(figures, clock);
    this.tally = tally;
    this.forgetTurns = (clusterId) => {
      for (const memory of [this.engines, wants, tally]) memory.forget(clusterId);
    };
    this.forgetTransition = (clusterId) => {
      this.forgetTurns(clusterId);
      for (const memory of [this.graphs, actionTimes, recentLeases]) memory.forget(clusterId);
    };
    const fencing = new FencingDrive(dispatches, standing, decisions, chance);
    this.clusters = new ClusterAdvance({
      log,
      leases,
      recentLeases,
      dispatches,
      decisions,
      report,
      elapsed,
      losses: this.losses,
      actionTimes,
      servedForMs: () => this.leaseWatch.servedForMs,
      drive: new TransitionDrive(this.graphs, dispatches, decisions, fencing, standing, this.engines, tally, figures, traits),
      planner: new Planner(scheduling, decisions, clock, this.graphs, wants, figures),
      leaseOver: (lease) => this.leaseWatch.isOver(lease),
      leaseHeld: (lease) => this.leaseWatch.isHeld(lease),
      leaseHeard: (lease) => this.leaseWatch.isHeard(lease),
      couldAllJoin: () => this.leaseWatch.couldAllJoin,
      leaseOverdue: (lease) => this.leaseWatch.overdueMs(lease),
    });
    this.attendances = new Attendances(
      {
        locks: this.locks,
        advance: (clusterId, assertHeld) => this.advance(clusterId, assertHeld),
        pauseOf: (clusterId) => this.pauses.pauseOf(clusterId),
        atRest: (clusterId, rest) => {
          this.sweep.atRest(clusterId, rest);
        },
        stuck: (clusterId, error, tookMs) => this.stuck(clusterId, error, tookMs),
        turned: (waitedMs) => {
          figures.turned(waitedMs);
        },
        clock,
      },
      settings.concurrency,
    );
  }

  start(): void {
    this.leaseWatch.start();
    this.sweep.start();
  }

  /** Begins nothing more and waits for what is under way. */
  async stop(): Promise<void> {
    await Promise.all([this.sweep.stop(), this.leaseWatch.stop()]);
    await this.attendances.stop();
  }

  /** Lets go of the clusters; to be called when nothing is moved any more. */
  close(): void {
    this.locks.close();
  }

  /** Told whenever something may have happened to a cluster: it is moved soon, by this worker or by another that has it. What can't be moved is tried again after a while, and said so. */
  want(clusterId: string): void {
    this.attendances.want(clusterId);
  }

  /** The same; resolves when the cluster was moved as far as it goes, or when that can't be done here and now. */
  move(clusterId: string): Promise<void> {
    return this.attendances.move(clusterId);
  }

  /** Costs what there are clusters in which transitions run, and their nodes. */
  get load(): WorkerLoad {
    const { inFlight, waiting, fencing } = this.engines.load;
    return {
      clusters: this.attendances.size,
      actionsInFlight: inFlight,
      actionsWaiting: waiting,
      fencingPending: this.tally.fencingPending,
      fencingOpen: fencing,
      graphBytes: this.graphs.bytes,
      mostGraphBytes: this.graphs.mostBytes,
    };
  }

  /** Throws away what it keeps to save work: it is made anew from the stream and the tables. */
  forget(): void {
    this.engines.forget();
  }

  private async advance(clusterId: string, assertHeld: () => void): Promise<AdvanceOutcome> {
    const outcome = await this.clusters.advance(clusterId, assertHeld).catch((error: unknown) => {
      // Another worker may move it before this one does so again.
      this.forgetTurns(clusterId);
      throw error;
    });
    // It lets go of the cluster then: another worker may have it before this one does again.
    const letsGo = outcome.type === 'gone' || outcome.type === 'unheard' || (outcome.type === 'resting' && !outcome.moving);
    if (letsGo) this.forgetTransition(clusterId);
    if (this.pauses.succeeded(clusterId) || this.noted.has(clusterId)) await this.ports.failures.clear(clusterId);
    return outcome;
  }

  /** Where nobody can be told the data is away, which says nothing about the cluster. */
  private async stuck(clusterId: string, error: unknown, tookMs: number): Promise<void> {
    const { failures, report } = this.ports;
    // Before anything is waited for: whoever wants to move the cluster has its turn meanwhile.
    const takeBack = this.pauses.failed(clusterId, tookMs);
    const noted = await failures.note(clusterId, error instanceof Error ? `${error.name}: ${error.message}` : String(error)).then(
      () => true,
      () => false,
    );
    if (!noted) takeBack();
    const retryInMs = noted ? this.pauses.pauseOf(clusterId) : AWAY_RETRY_MS;
    if (noted) report.warn({ err: error, clusterId, retryInMs }, 'a cluster could not be moved');
    else report.info({ err: error, clusterId, retryInMs }, 'a cluster could not be moved, nor could that be noted');
    // At a version that it is never at: whatever the sweep finds, it asks.
    this.sweep.atRest(clusterId, { version: -1, wakeInMs: retryInMs });
  }

  /** What another worker noted may be over since this one moved the cluster. */
  private async lookAtFailures(): Promise<void> {
    const failures = await this.ports.failures.all();
    this.noted = new Set(failures.map(({ clusterId }) => clusterId));
    for (const clusterId of this.noted) this.want(clusterId);
  }

  private async declareLost(lease: NodeLease): Promise<boolean> {
    const { clusterId, node, incarnation, expiresAt } = lease;
    const measured = this.losses.beside(clusterId, await this.ports.log.load(clusterId), node);
    const result = await this.commands.execute(
      clusterId,
      {
        type: 'lose-lease',
        node,
        incarnation,
        expiredAt: expiresAt,
        overdue: this.leaseWatch.overdueBeside(lease),
        ...(measured === undefined ? {} : { measured }),
      },
      {
        actor: WORKER_ACTOR,
        correlationId: this.ports.chance.uuid(),
        guard: (tables) => tables.leases.endUnrenewed(lease),
      },
    );
    if (result.ok && result.events.length > 0) {
      this.losses.declared(clusterId, node, result.version);
      return true;
    }
    // Of a cluster or an incarnation that holds no lease any more: the row is a leftover.
    if (!result.ok || !(await this.holdsLease(clusterId, node, incarnation))) await this.ports.leases.end(clusterId, node, incarnation);
    return false;
  }

  private async holdsLease(clusterId: string, node: string, incarnation: number): Promise<boolean> {
    const { nodes } = await this.ports.log.load(clusterId);
    const member = Object.hasOwn(nodes, node) ? nodes[node] : undefined;
    return member?.incarnation === incarnation && member.membership === 'joined';
  }
}
