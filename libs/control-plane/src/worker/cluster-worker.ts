import { leaseVerdict } from '@systole/cluster';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { LeaseWatch } from '../leases/lease-watch.js';
import type { AdvanceFailures } from '../ports/advance-failures.js';
import type { AdvanceQueue } from '../ports/advance-queue.js';
import type { Chance, Clock } from '../ports/clock.js';
import type { ClusterClaims } from '../ports/cluster-claims.js';
import type { ClusterLog, DatabaseClock } from '../ports/cluster-log.js';
import type { Dispatches } from '../ports/dispatches.js';
import type { Heartbeats } from '../ports/heartbeats.js';
import type { NodeLease, NodeLeases } from '../ports/node-leases.js';
import type { Report } from '../ports/report.js';
import type { Scheduling } from '../ports/scheduling.js';
import type { StoredGraphs } from '../ports/transition-graphs.js';
import { AdvanceRequests } from '../requests/advance-requests.js';
import { ClusterSweep } from '../requests/cluster-sweep.js';
import { RetryPauses } from '../requests/retry-pauses.js';
import { Elapsed } from '../time/elapsed.js';
import { ActionTimes } from '../turns/action-times.js';
import { ClusterAdvance, type AdvanceOutcome } from '../turns/cluster-advance.js';
import { ClaimLost, ClusterBusy, ClusterLocks } from '../turns/cluster-locks.js';
import { Decisions, WORKER_ACTOR } from '../turns/decisions.js';
import { FencingDrive } from '../turns/fencing-drive.js';
import { Planner } from '../turns/planner.js';
import { TransitionDrive } from '../turns/transition-drive.js';
import { TransitionGraphs } from '../turns/transition-graphs.js';

/** A timer that fires a little early would find nothing due and be set again. */
const TIMER_SLACK_MS = 10;

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
  readonly queue: AdvanceQueue;
  readonly scheduling: Scheduling;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly report: Report;
}

export interface WorkerSettings {
  /** Clusters moved at the same time without the queue. */
  readonly concurrency: number;
  /** How often leases are looked at, ms. */
  readonly leaseScanMs: number;
  /** How often clusters are looked over for something that no trigger announced, ms. */
  readonly sweepMs: number;
}

/**
 * What a worker does, on whatever keeps its data: it moves clusters when asked, watches leases, and looks over the clusters for what nobody asked for.
 * Any number of workers may run on the same data.
 */
export class ClusterWorker {
  /** Where everything that wants a cluster to be moved is told so. */
  readonly requests: AdvanceRequests;
  private readonly commands: ClusterCommands;
  private readonly locks: ClusterLocks;
  private readonly clusters: ClusterAdvance;
  private readonly leaseWatch: LeaseWatch;
  private readonly sweep: ClusterSweep;
  private readonly pauses: RetryPauses;
  /** Clusters of which it was noted that they are stuck, by whichever worker. */
  private noted: ReadonlySet<string> = new Set();

  constructor(
    private readonly ports: WorkerPorts,
    settings: WorkerSettings,
  ) {
    const { log, leases, heartbeats, dispatches, graphs, databaseClock, queue, scheduling, clock, chance, report } = ports;
    this.commands = new ClusterCommands({ log, clock, chance });
    this.pauses = new RetryPauses(clock);
    this.locks = new ClusterLocks(ports.claims, clock, chance);
    this.requests = new AdvanceRequests({
      enqueue: (clusterId) => queue.enqueueAdvance(clusterId),
      move: (clusterId, signal) => this.move(clusterId, signal),
      concurrency: settings.concurrency,
      report,
    });
    this.leaseWatch = new LeaseWatch(
      { leases, heartbeats, databaseClock, clock },
      {
        judge: async ({ clusterId, node }, endsAt, now) => leaseVerdict(await log.load(clusterId), node, endsAt, now, clock.timeOfDay()),
        declareLost: (lease) => this.declareLost(lease),
        votesChanged: (clusterId) => this.requests.request(clusterId),
      },
      settings.leaseScanMs,
      report,
    );
    this.sweep = new ClusterSweep(
      log,
      clock,
      {
        isAway: async () => {
          const trouble = await queue.trouble();
          this.requests.queueIs(trouble === undefined ? 'up' : 'down', trouble);
          return this.requests.queueIsAway;
        },
        request: (clusterId) => this.requests.request(clusterId),
        swept: () => this.lookAtFailures(),
      },
      settings.sweepMs,
      report,
    );
    const decisions = new Decisions(this.commands, chance);
    const planned = new TransitionGraphs(graphs, log, scheduling, report);
    this.clusters = new ClusterAdvance({
      databaseClock,
      log,
      leases,
      dispatches,
      decisions,
      report,
      elapsed: new Elapsed(() => clock.monotonic()),
      actionTimes: new ActionTimes(this.leaseWatch.servedTime, () => clock.monotonic()),
      servedForMs: () => this.leaseWatch.servedForMs,
      locks: this.locks,
      pauseOf: (clusterId) => this.pauses.pauseOf(clusterId),
      drive: new TransitionDrive(planned, dispatches, decisions, new FencingDrive(dispatches, decisions), log),
      planner: new Planner(scheduling, decisions, clock),
      leaseOver: (lease) => this.leaseWatch.isOver(lease),
      leaseHeld: (lease) => this.leaseWatch.isHeld(lease),
      leaseOverdue: (lease) => this.leaseWatch.overdueMs(lease),
    });
  }

  start(): void {
    this.leaseWatch.start();
    this.sweep.start();
  }

  /** Begins nothing more and waits for what is under way here; what jobs of the queue do ends by their own signals. */
  async stop(): Promise<void> {
    await Promise.all([this.sweep.stop(), this.leaseWatch.stop()]);
    await this.requests.close();
  }

  /** Lets go of the clusters; to be called when no job runs any more. */
  close(): void {
    this.locks.close();
  }

  /**
   * Moves a cluster as far as it goes, as a job of the queue asks. What can't be moved is tried again after a while, and said so.
   *
   * @throws when another worker has it, or the data is away; then to be tried again
   */
  async move(clusterId: string, signal: AbortSignal): Promise<void> {
    if (this.pauses.pauseOf(clusterId) > 0) return;
    const begun = this.ports.clock.monotonic();
    try {
      const outcome = await this.clusters.advance(clusterId, signal);
      if (outcome.type === 'paused') return;
      await this.settle(clusterId, outcome);
    } catch (error) {
      if (signal.aborted || error instanceof ClusterBusy || error instanceof ClaimLost) throw error;
      await this.stuck(clusterId, error, this.ports.clock.monotonic() - begun);
      return;
    }
    if (this.pauses.succeeded(clusterId) || this.noted.has(clusterId)) await this.ports.failures.clear(clusterId);
  }

  private async settle(clusterId: string, outcome: AdvanceOutcome): Promise<void> {
    if (outcome.type === 'unfinished') await this.requests.request(clusterId);
    if (outcome.type !== 'resting') return;
    const { version } = outcome;
    await this.rest(clusterId, version, outcome.wakeInMs === undefined ? undefined : outcome.wakeInMs + TIMER_SLACK_MS);
  }

  private async rest(clusterId: string, version: number, wakeInMs: number | undefined): Promise<void> {
    this.sweep.atRest(clusterId, { version, ...(wakeInMs === undefined ? {} : { wakeInMs }) });
    // Without the queue the sweep sees to it.
    if (wakeInMs === undefined || this.requests.queueIsAway) return;
    await this.ports.queue.wakeIn(clusterId, wakeInMs);
  }

  /** @throws the error itself when nobody can be told, for then the data is away, which says nothing about the cluster */
  private async stuck(clusterId: string, error: unknown, tookMs: number): Promise<void> {
    const { failures, report } = this.ports;
    try {
      await failures.note(clusterId, error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    } catch {
      throw error;
    }
    this.pauses.failed(clusterId, tookMs);
    const retryInMs = this.pauses.pauseOf(clusterId) + TIMER_SLACK_MS;
    report.warn({ err: error, clusterId, retryInMs }, 'a cluster could not be moved');
    // At a version that it is never at: whatever the sweep finds, it asks.
    await this.rest(clusterId, -1, retryInMs);
  }

  /** What another worker noted may be over since this one moved the cluster. */
  private async lookAtFailures(): Promise<void> {
    const failures = await this.ports.failures.all();
    this.noted = new Set(failures.map(({ clusterId }) => clusterId));
    for (const clusterId of this.noted) await this.requests.request(clusterId);
  }

  private async declareLost(lease: NodeLease): Promise<boolean> {
    const { clusterId, node, incarnation, expiresAt } = lease;
    const result = await this.commands.execute(
      clusterId,
      { type: 'lose-lease', node, incarnation, expiredAt: expiresAt },
      {
        actor: WORKER_ACTOR,
        correlationId: this.ports.chance.uuid(),
        guard: (tables) => tables.leases.endUnrenewed(lease),
      },
    );
    if (result.ok && result.events.length > 0) return true;
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
