import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { leaseVerdict, type ClusterEvent } from '@systole/cluster';
import { EventStore, limitedPool } from '@systole/event-store';
import { openQueues, type Queues } from '@systole/queue';
import { ApiHeartbeats, ClusterCommands, ClusterStates, NodeLeases, type NodeLease } from '@systole/read-models';
import { SCHEDULER_VERSION } from '@systole/scheduler';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { ClusterAdvance } from './advance/cluster-advance.js';
import { ClusterLocks } from './advance/cluster-locks.js';
import { Decisions, WORKER_ACTOR } from './advance/decisions.js';
import { FencingDrive } from './advance/fencing-drive.js';
import { Planner } from './advance/planner.js';
import { TransitionDrive } from './advance/transition-drive.js';
import { TransitionGraphs } from './advance/transition-graphs.js';
import { startHealthServer, type Readiness } from './health-server.js';
import { SchedulePool } from './scheduling/schedule-pool.js';
import { DatabaseClock } from './tables/database-clock.js';
import { DispatchRows } from './tables/dispatch-rows.js';
import { TransitionRows } from './tables/transition-rows.js';
import { AdvanceRequests } from './timers/advance-requests.js';
import { ClusterSweep } from './timers/cluster-sweep.js';
import { Elapsed } from './timers/elapsed.js';
import { LeaseWatch } from './timers/lease-watch.js';
import type { WorkerConfig } from './worker-config.js';

const DEFAULTS = { concurrency: 8, scheduleTimeoutMs: 120_000, leaseScanMs: 500, sweepMs: 30_000 };

/** Soon enough to go on without the queue, ms. */
const QUEUE_ANSWERS_WITHIN = { acceptWithinMs: 1_000, healthWithinMs: 1_000 };

/** The one timer of a cluster: the next moment at which something falls due. */
const WAKE = 'wake';
/** A timer that fires a little early would find nothing due and be set again. */
const TIMER_SLACK_MS = 10;

/** Everything that a worker consists of, and its life. */
@Injectable()
export class WorkerProcess implements OnModuleDestroy {
  private readonly store: EventStore<ClusterEvent>;
  private readonly states: ClusterStates;
  private readonly commands: ClusterCommands;
  private readonly locks: ClusterLocks;
  private readonly schedules: SchedulePool;
  private readonly advance: ClusterAdvance;
  private readonly leaseWatch: LeaseWatch;
  private readonly requests: AdvanceRequests;
  private readonly sweep: ClusterSweep;
  private unsubscribe: (() => void) | undefined;
  private health: Server | undefined;

  private constructor(
    private readonly config: WorkerConfig,
    private readonly log: Logger,
    private readonly pool: Pool,
    private readonly queues: Queues,
  ) {
    this.store = new EventStore<ClusterEvent>(pool);
    this.states = new ClusterStates(this.store);
    this.commands = new ClusterCommands(pool, this.store, this.states);
    this.locks = new ClusterLocks(config.databaseUrl);
    this.schedules = new SchedulePool({ timeoutMs: config.scheduleTimeoutMs ?? DEFAULTS.scheduleTimeoutMs });
    const clock = new DatabaseClock(pool);
    const monotonic = (): number => performance.now();
    const leases = new NodeLeases(pool);
    const dispatches = new DispatchRows(pool);
    const transitions = new TransitionRows(pool);
    const decisions = new Decisions(this.commands);
    const graphs = new TransitionGraphs(transitions, this.states, this.schedules, log);
    this.leaseWatch = new LeaseWatch(
      { leases, clock, heartbeats: new ApiHeartbeats(pool), monotonic },
      {
        judge: async ({ clusterId, node }, endsAt, now) => leaseVerdict(await this.states.load(clusterId), node, endsAt, now),
        declareLost: (lease) => this.declareLost(lease),
        votesChanged: (clusterId) => this.requests.request(clusterId),
      },
      config.leaseScanMs ?? DEFAULTS.leaseScanMs,
      log,
    );
    this.requests = new AdvanceRequests({
      enqueue: (clusterId) => queues.enqueueAdvance(clusterId),
      move: (clusterId, signal) => this.move(clusterId, signal),
      concurrency: config.concurrency ?? DEFAULTS.concurrency,
      log,
    });
    this.sweep = new ClusterSweep(
      pool,
      {
        isAway: async () => {
          const health = await queues.health();
          this.requests.queueIs(health.status, health.status === 'down' ? health.error : undefined);
          return this.requests.queueIsAway;
        },
        request: (clusterId) => this.requests.request(clusterId),
      },
      config.sweepMs ?? DEFAULTS.sweepMs,
      log,
    );
    this.advance = new ClusterAdvance({
      clock,
      leases,
      dispatches,
      decisions,
      log,
      elapsed: new Elapsed(monotonic),
      locks: this.locks,
      states: this.states,
      drive: new TransitionDrive(graphs, dispatches, decisions, new FencingDrive(dispatches, decisions)),
      planner: new Planner(this.schedules, transitions, decisions, SCHEDULER_VERSION, monotonic),
      leaseOver: (lease) => this.leaseWatch.isOver(lease),
    });
  }

  static async start(config: WorkerConfig, log: Logger): Promise<WorkerProcess> {
    const pool = limitedPool({
      databaseUrl: config.databaseUrl,
      applicationName: 'systole worker',
      onLost: (reason) => {
        log.warn({ reason }, 'a database connection was lost');
      },
    });
    const backend =
      config.redisUrl === undefined
        ? ({ backend: 'postgres', databaseUrl: config.databaseUrl } as const)
        : ({ backend: 'redis', redisUrl: config.redisUrl } as const);
    const queues = await openQueues(backend, {
      timing: QUEUE_ANSWERS_WITHIN,
      onBackendError: (error, suppressed) => {
        log.warn({ err: error, suppressed }, 'the queue reports a problem');
      },
      onJobFailed: ({ name, data, attempt, willRetry, error }) => {
        log[attempt > 3 ? 'error' : 'info']({ err: error, job: name, data, attempt, willRetry }, 'a job failed');
      },
    });
    const worker = new WorkerProcess(config, log, pool, queues);
    try {
      await worker.begin();
      return worker;
    } catch (error) {
      await worker.onModuleDestroy();
      throw error;
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.unsubscribe?.();
    await Promise.all([this.sweep.stop(), this.leaseWatch.stop()]);
    await Promise.all([this.requests.close(), this.queues.close()]);
    await this.schedules.close();
    await this.locks.close();
    await this.store.close();
    await this.pool.end();
    const { health } = this;
    if (health) await new Promise((resolve) => health.close(resolve));
  }

  private async begin(): Promise<void> {
    this.unsubscribe = await this.store.onAppend((streamId) => {
      void this.requests.request(streamId);
    });
    await this.queues.consume(
      {
        advance: ({ clusterId }, { signal }) => this.move(clusterId, signal),
        timer: ({ clusterId }) => this.requests.request(clusterId),
      },
      { concurrency: this.config.concurrency ?? DEFAULTS.concurrency },
    );
    this.leaseWatch.start();
    this.sweep.start();
    const { healthPort } = this.config;
    if (healthPort !== undefined) this.health = await startHealthServer(healthPort, () => this.readiness());
    this.log.info({ queue: this.config.redisUrl === undefined ? 'postgres' : 'redis' }, 'the worker takes jobs');
  }

  private async move(clusterId: string, signal: AbortSignal): Promise<void> {
    const outcome = await this.advance.advance(clusterId, signal);
    if (outcome.type === 'unfinished') await this.requests.request(clusterId);
    if (outcome.type !== 'resting') return;
    const { version, wakeInMs } = outcome;
    const wakeAt = wakeInMs === undefined ? undefined : Date.now() + wakeInMs + TIMER_SLACK_MS;
    this.sweep.atRest(clusterId, { version, ...(wakeAt === undefined ? {} : { wakeAt }) });
    // Without the queue the sweep sees to it.
    if (wakeAt === undefined || this.requests.queueIsAway) return;
    await this.queues.scheduleTimer({ clusterId, kind: WAKE, key: `${clusterId}:${WAKE}`, at: wakeAt });
  }

  private async declareLost(lease: NodeLease): Promise<boolean> {
    const { clusterId, node, incarnation, expiresAt } = lease;
    const result = await this.commands.execute(
      clusterId,
      { type: 'lose-lease', node, incarnation, expiredAt: expiresAt },
      {
        actor: WORKER_ACTOR,
        correlationId: randomUUID(),
        guard: (client) => NodeLeases.endUnrenewed(client, lease),
      },
    );
    if (result.ok && result.events.length > 0) return true;
    // Of a cluster or an incarnation that holds no lease any more: the row is a leftover.
    if (!result.ok || !(await this.holdsLease(clusterId, node, incarnation))) await NodeLeases.end(this.pool, clusterId, node, incarnation);
    return false;
  }

  private async holdsLease(clusterId: string, node: string, incarnation: number): Promise<boolean> {
    const { nodes } = await this.states.load(clusterId);
    const member = Object.hasOwn(nodes, node) ? nodes[node] : undefined;
    return member?.incarnation === incarnation && member.membership === 'joined';
  }

  private async readiness(): Promise<Readiness> {
    const database = await this.pool.query('SELECT 1').then(
      () => 'up',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const queue = await this.queues.health();
    // Without the queue clusters are moved all the same.
    return {
      ready: database === 'up',
      parts: { database, queue: queue.status === 'up' ? 'up' : `away, going on without it: ${queue.error}` },
    };
  }
}
