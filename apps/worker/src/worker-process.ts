import type { Server } from 'node:http';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ClusterEvent } from '@systole/cluster';
import { AuditedProcess, AuditLog, placeOf, type AuditEvent } from '@systole/access';
import { ClusterWorker, Heartbeat, TracedAppends, type Repeating } from '@systole/control-plane';
import {
  AgentCatalog,
  CatalogTraits,
  KeptInstallation,
  openInstallation,
  PostgresClaims,
  PostgresDispatchRecords,
  type PostgresPorts,
  postgresPorts,
  warmUp,
  type WarmUp,
  SYSTEM_CHANCE,
  SYSTEM_CLOCK,
} from '@systole/control-plane-postgres';
import { EventStore, limitedPool } from '@systole/event-store';
import { LateQueues, within } from '@systole/queue';
import { ClusterStates, letUnusedLeave } from '@systole/read-models';
import { startTraces, type Traces } from '@systole/tracing';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { AlertDuty } from './alert-duty.js';
import { signHeads, signingKeyOf } from './evidence-duty.js';
import { startHealthServer, type Readiness } from './health-server.js';
import { showEventLoop } from './metrics/event-loop.js';
import { showTraces } from './metrics/traces.js';
import { WorkerMetrics, type MetricValues } from './metrics/worker-metrics.js';
import { NeededSchema } from './needed-schema.js';
import { purgeOldRows } from './retention-duty.js';
import { SchedulePool } from './scheduling/schedule-pool.js';
import { WebhookDuty } from './webhook-duty.js';
import type { WorkerConfig } from './worker-config.js';

/** Outside the pool: two for claims, one that hears of appended events, three for the queue. */
const CONNECTIONS_APART = 6;

const DEFAULTS = { databaseConnections: 10, concurrency: 8, scheduleTimeoutMs: 120_000, leaseScanMs: 500, sweepMs: 30_000 };

/** Memory for states that another part has, too, and shows: what several parts say is added up. */
const NO_WEBHOOKS = { enabled: 0, failing: 0, disabled: 0, lagMs: 0 };

const SHOWN_ELSEWHERE = { bytes: 0, mostBytes: 0 };

/** Soon enough to go on without the queue, ms. */
const QUEUE_ANSWERS_WITHIN = { acceptWithinMs: 1_000, healthWithinMs: 1_000 };

/** So long a start waits for the queue, ms; a worker goes on without it as it does when the queue goes away later. */
const QUEUE_COMES_WITHIN_MS = 3_000;

/** So long its end waits for the last entries of the audit, ms. */
const AUDIT_CLOSES_WITHIN_MS = 2_000;
/** Whoever asks whether this process is well waits no longer, ms. */
const ANSWERED_WITHIN_MS = 2_000;
/** A worker that could not write for so long that it lives can't move anything either, ms. */
const LONGEST_SILENCE_MS = 5_000;

/** A worker as a process: what it consists of, and its life. */
@Injectable()
export class WorkerProcess implements OnModuleDestroy {
  private readonly store: EventStore<ClusterEvent>;
  private readonly claims: PostgresClaims;
  private readonly schedules: SchedulePool;
  private readonly ports: PostgresPorts;
  private readonly worker: ClusterWorker;
  private readonly figures: WorkerMetrics;
  /** States of clusters that nobody asks for leave until this is called. */
  private readonly keepAll: () => void;
  private heartbeat: Heartbeat | undefined;
  private signing: Repeating | undefined;
  private purging: Repeating | undefined;
  private webhooks: WebhookDuty | undefined;
  private alerts: AlertDuty | undefined;
  private warmingUp: WarmUp | undefined;
  private readonly auditStore: EventStore<AuditEvent>;
  private readonly audit: AuditLog;
  private readonly audited = new AuditedProcess('worker');
  private unsubscribe: (() => void) | undefined;
  private health: Server | undefined;
  private endLooking: () => void = () => undefined;
  private readonly schema: NeededSchema;
  /** One question at a time: those that nobody answers must not take up the connections. */
  private asking: Promise<unknown> | undefined;

  private constructor(
    private readonly config: WorkerConfig,
    private readonly log: Logger,
    private readonly pool: Pool,
    private readonly queues: LateQueues,
    kept: KeptInstallation,
    private readonly traces: Traces | undefined,
  ) {
    this.store = new EventStore<ClusterEvent>(pool, config.states === undefined ? {} : { reports: config.states.appends });
    this.auditStore = new EventStore<AuditEvent>(pool);
    this.audit = new AuditLog(this.auditStore, {
      program: 'worker',
      onTrouble: (error) => {
        log.warn({ err: error }, 'entries of the audit could not be appended; they are tried again');
      },
    });
    this.schema = new NeededSchema(pool);
    this.claims = new PostgresClaims(config.databaseUrl, kept);
    this.schedules = new SchedulePool({
      timeoutMs: config.scheduleTimeoutMs ?? DEFAULTS.scheduleTimeoutMs,
      warmUp: config.warmUp ?? false,
    });
    const states =
      config.states?.states ??
      new ClusterStates(this.store, config.cachedStatesBytes === undefined ? {} : { cachedBytes: config.cachedStatesBytes });
    this.keepAll = config.states === undefined ? letUnusedLeave(states) : () => undefined;
    this.ports = postgresPorts(pool, this.store, states, { by: 'worker', report: log });
    this.figures = new WorkerMetrics({
      load: () => this.worker.load,
      scheduling: () => this.schedules,
      database: () => pool,
      queue: () => queues.health(),
      states: () => (config.states === undefined ? states.memory : SHOWN_ELSEWHERE),
      webhooks: () => this.webhooks?.states ?? NO_WEBHOOKS,
    });
    if (traces !== undefined) this.figures.register(showTraces(traces));
    this.worker = new ClusterWorker(
      {
        ...this.ports,
        claims: this.claims,
        scheduling: this.schedules,
        clock: SYSTEM_CLOCK,
        chance: SYSTEM_CHANCE,
        report: log,
        traits: new CatalogTraits(new AgentCatalog(pool), log),
        figures: this.figures,
        ...(traces === undefined ? {} : { onStored: new TracedAppends(traces, new PostgresDispatchRecords(pool)).stored }),
      },
      {
        concurrency: config.concurrency ?? DEFAULTS.concurrency,
        leaseScanMs: config.leaseScanMs ?? DEFAULTS.leaseScanMs,
        sweepMs: config.sweepMs ?? DEFAULTS.sweepMs,
      },
    );
  }

  static async start(config: WorkerConfig, log: Logger): Promise<WorkerProcess> {
    const signingKey = await signingKeyOf(config);
    const pool = limitedPool({
      databaseUrl: config.databaseUrl,
      applicationName: 'systole worker',
      connections: (config.databaseConnections ?? DEFAULTS.databaseConnections) - CONNECTIONS_APART,
      onLost: (reason) => {
        log.warn({ reason }, 'a database connection was lost');
      },
    });
    const installation = await installationOf(pool);
    const kept = new KeptInstallation(installation, log);
    kept.keep(pool);
    const backend =
      config.redisUrl === undefined
        ? ({ backend: 'postgres', databaseUrl: config.databaseUrl } as const)
        : ({ backend: 'redis', redisUrl: config.redisUrl, installation } as const);
    const figures: { jobBegun: (waitedMs: number) => void } = { jobBegun: () => undefined };
    const queues = new LateQueues(backend, {
      onJobBegun: (waitedMs) => {
        figures.jobBegun(waitedMs);
      },
      timing: QUEUE_ANSWERS_WITHIN,
      onBackendError: (error, suppressed) => {
        log.warn({ err: error, suppressed }, 'the queue reports a problem');
      },
      onJobFailed: ({ name, data, attempt, willRetry, error }) => {
        log[attempt > 3 ? 'error' : 'info']({ err: error, job: name, ...fieldsOf(data), attempt, willRetry }, 'a job failed');
      },
    });
    const traces = config.tracing === undefined ? undefined : await startTraces(config.tracing, { service: 'systole-worker', log });
    const worker = new WorkerProcess(config, log, pool, queues, kept, traces);
    figures.jobBegun = (waitedMs) => {
      worker.figures.jobBegun(waitedMs);
    };
    try {
      await worker.begin();
      if (signingKey !== undefined) worker.signing = signHeads(pool, signingKey, installation, config, log);
      return worker;
    } catch (error) {
      await worker.onModuleDestroy();
      throw error;
    }
  }

  /** What this worker does in numbers, for whoever shows them; without what belongs to the whole process. */
  metrics(): Promise<MetricValues> {
    return this.figures.values();
  }

  /** Makes what it does for clusters quick while there is nothing else to do; once. Resolves when that has ended. */
  async warmUp(): Promise<void> {
    this.warmingUp ??= warmUp({ scheduling: this.schedules, report: this.log });
    await this.warmingUp.ended;
  }

  async onModuleDestroy(): Promise<void> {
    const warmedUp = this.warmingUp?.end();
    this.unsubscribe?.();
    this.endLooking();
    this.keepAll();
    await this.heartbeat?.stop();
    await this.signing?.stop();
    await this.purging?.stop();
    await this.webhooks?.stop();
    await this.alerts?.close();
    await Promise.all([this.worker.stop(), this.queues.close()]);
    await this.schedules.close();
    await warmedUp;
    this.worker.close();
    await this.claims.close();
    this.ports.logWrites.close();
    this.audited.stopped(this.audit);
    await this.audit.closeWithin(AUDIT_CLOSES_WITHIN_MS);
    await this.auditStore.close();
    await this.store.close();
    await this.pool.end();
    await this.traces?.close();
    const { health } = this;
    if (health) await new Promise((resolve) => health.close(resolve));
  }

  private async begin(): Promise<void> {
    this.unsubscribe = await this.store.onAppend((streamId) => {
      this.worker.want(streamId);
      this.alerts?.want(streamId);
    });
    this.queues.consume(
      {
        advance: ({ clusterId }) => this.worker.move(clusterId),
        timer: ({ clusterId }) => this.worker.move(clusterId),
        // At once: whoever is slow to answer must not take the place of clusters.
        webhook: ({ webhookId }) => {
          this.webhooks?.wake(webhookId);
          return Promise.resolve();
        },
      },
      { concurrency: this.config.concurrency ?? DEFAULTS.concurrency },
    );
    await this.queues.opened(QUEUE_COMES_WITHIN_MS);
    const queue = await this.queues.health();
    this.worker.start();
    this.heartbeat = await Heartbeat.start({
      heartbeats: this.ports.workerHeartbeats,
      clock: SYSTEM_CLOCK,
      chance: SYSTEM_CHANCE,
      report: this.log,
      meanwhile: 'status says that no worker is there',
      trouble: () => this.ports.logWrites.trouble?.reason,
    });
    const { healthPort, healthHost = '127.0.0.1' } = this.config;
    if (healthPort !== undefined) {
      const ofProcess = new Registry();
      collectDefaultMetrics({ register: ofProcess });
      this.endLooking = showEventLoop(ofProcess);
      this.health = await startHealthServer(healthPort, healthHost, {
        readiness: () => this.readiness(),
        metrics: () => this.figures.text(ofProcess),
      });
    }
    this.webhooks = await WebhookDuty.start(this.config, {
      pool: this.pool,
      store: this.store,
      queues: this.queues,
      attempted: (outcome) => {
        this.figures.attemptedWebhook(outcome);
      },
      log: this.log,
    });
    const { log } = this.ports;
    this.alerts = AlertDuty.start({ pool: this.pool, store: this.store, log, commands: this.ports.commands(), logger: this.log });
    this.purging = purgeOldRows(this.pool, this.audit, this.config, (error) => {
      this.log.warn({ err: error }, 'what was kept for long enough could not be thrown away; it is tried again');
    });
    this.audited.started(this.audit, shownSettings(this.config));
    this.log.info({ queue: queue.backend, status: queue.status }, 'the worker has started');
  }

  /** The database answers to a question; whether it took what this worker writes is another one. */
  private silence(): string {
    const silentForMs = this.heartbeat?.silentForMs ?? 0;
    return silentForMs <= LONGEST_SILENCE_MS ? 'up' : `took no heartbeat of this worker for ${String(Math.round(silentForMs / 1_000))} s`;
  }

  private async answers(): Promise<string> {
    this.asking ??= this.pool.query('SELECT 1').finally(() => {
      this.asking = undefined;
    });
    return within(ANSWERED_WITHIN_MS, this.asking).then(() => this.silence(), said);
  }

  private async readiness(): Promise<Readiness> {
    const [database, queue, read] = await Promise.all([this.answers(), this.queues.health(), this.schema.read(ANSWERED_WITHIN_MS)]);
    // Without the queue clusters are moved all the same.
    const log = this.ports.logWrites.trouble?.reason ?? read;
    return {
      ready: database === 'up' && log === 'up',
      parts: { database, log, queue: queue.status === 'up' ? 'up' : `away, going on without it: ${queue.error}` },
    };
  }
}

/** The settings as the audit tells them; of addresses only where they lead. */
function shownSettings(config: WorkerConfig): Readonly<Record<string, string | number | boolean>> {
  const { databaseUrl, redisUrl, webhookAddresses: { allow = [], refuse = [] } = {} } = config;
  const { databaseConnections, concurrency, scheduleTimeoutMs, cachedStatesBytes, signingKeyFile, signEveryMs } = config;
  const { webhookTimeoutMs, webhookDisableAfterMs, keepDeliveriesMs } = config;
  const plain = {
    ...{ databaseConnections, concurrency, scheduleTimeoutMs, cachedStatesBytes, signingKeyFile, signEveryMs },
    ...{ webhookTimeoutMs, webhookDisableAfterMs, keepDeliveriesMs },
    ...(allow.length === 0 ? {} : { webhookAllow: allow.join(',') }),
    ...(refuse.length === 0 ? {} : { webhookRefuse: refuse.join(',') }),
  };
  return {
    database: placeOf(databaseUrl),
    ...(redisUrl === undefined ? {} : { redis: placeOf(redisUrl) }),
    ...Object.fromEntries(Object.entries(plain).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  };
}

/** What a job is about, each thing by the name that it has in all lines of the log. */
function fieldsOf(data: unknown): object {
  return typeof data === 'object' && data !== null ? data : { data };
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @throws what the database says; the pool is closed then */
async function installationOf(pool: Pool): Promise<string> {
  try {
    return (await openInstallation(pool)).id;
  } catch (error) {
    await pool.end();
    throw error;
  }
}
