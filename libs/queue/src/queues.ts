import { Queue, type BackendFactory, type IQueueBackend, type JobsOptions } from 'bullmq';
import { randomUUID } from 'node:crypto';
import { postgresBackendFactory } from './backend/postgres-backend.js';
import { redisBackendFactory, RedisRefusesWrites, tryWriting } from './backend/redis-backend.js';
import {
  checkedPrefix,
  DEFAULT_ATTEMPTS,
  DEFAULT_PREFIX,
  DEFAULT_TIMING,
  type QueueBackend,
  type QueueOptions,
  type QueueTiming,
} from './configuration.js';
import { GOODBYE_MS, LONGEST_HOP_MS, startConsumer, type QueueConsumer, type QueueHandlers } from './consumer.js';
import { retryWithin, within } from './deadline.js';
import { ErrorReport } from './error-report.js';
import { describeError, QueueClosed, QueueUnavailable } from './errors.js';
import {
  advanceIdentity,
  checkedJob,
  timerIdentity,
  webhookIdentity,
  type JobData,
  type JobName,
  type TimerJob,
  type WebhookJob,
} from './jobs.js';

const QUEUE_NAME = 'cluster';
const RETRY_PAUSE_MS = 100;
/** Finished jobs are kept for inspection only. */
const KEPT_COMPLETED = { count: 100, age: 3_600 };
const KEPT_FAILED = { count: 1_000, age: 7 * 24 * 3_600 };

/** How the queue is, and how much waits in it. */
export type QueueHealth =
  | {
      readonly status: 'up';
      readonly backend: QueueBackend['backend'];
      readonly latencyMs: number;
      /** Jobs due, jobs being run, timers and retries not yet due. */
      readonly jobs: { readonly waiting: number; readonly active: number; readonly delayed: number };
    }
  /** `refusesWrites`: it answers, and takes nothing. */
  | { readonly status: 'down'; readonly backend: QueueBackend['backend']; readonly error: string; readonly refusesWrites?: true };

type ClusterQueue = Queue<JobData, null, JobName, JobData, null, JobName, IQueueBackend, QueueBackend>;

/**
 * The work queue of the clusters. What it holds is a hint, never the truth: losing all of it loses nothing, as long as the caller derives again what is
 * due (a sweep over the clusters at start and now and then).
 */
export class Queues {
  private readonly consumers = new Set<QueueConsumer>();
  private closing: Promise<void> | undefined;

  /** Use {@link openQueues}. */
  constructor(
    private readonly queue: ClusterQueue,
    private readonly config: QueueBackend,
    private readonly factory: BackendFactory<IQueueBackend, QueueBackend>,
    private readonly prefix: string,
    private readonly timing: QueueTiming,
    private readonly options: QueueOptions,
    private readonly errors: ErrorReport,
  ) {}

  /**
   * Asks for the cluster to be moved forward. Coalesces: while such a job waits, further ones are dropped; while one runs, exactly one more is kept for
   * after it. Hence a run always begins after the last trigger, and one cluster is never advanced twice at once by healthy workers.
   * @throws QueueUnavailable when the backend did not take it within `acceptWithinMs`
   */
  async enqueueAdvance(clusterId: string): Promise<void> {
    const { name, data } = checkedJob('advance', { clusterId });
    await this.attempt('enqueue advance', () =>
      this.queue.add(name, data, { ...this.jobOptions(), deduplication: { id: advanceIdentity(clusterId), keepLastIfActive: true } }),
    );
  }

  /**
   * Makes `timer` be delivered at `timer.at` (epoch ms, by the consumers' clock), or at once when that is past; replaces an earlier timer of the same key.
   * One whose handler already runs is not stopped.
   * @throws QueueUnavailable when the backend did not take it within `acceptWithinMs`
   */
  async scheduleTimer(timer: TimerJob): Promise<void> {
    await this.schedule('timer', timer, timerIdentity(timer.key));
  }

  /**
   * Makes a webhook be looked at, at `job.at` or at once when that is past; replaces what was scheduled for it before.
   * @throws QueueUnavailable when the backend did not take it within `acceptWithinMs`
   */
  async scheduleWebhook(job: WebhookJob): Promise<void> {
    await this.schedule('webhook', job, webhookIdentity(job.webhookId));
  }

  private async schedule(kind: 'timer' | 'webhook', job: TimerJob | WebhookJob, identity: string): Promise<void> {
    const { name, data } = checkedJob(kind, job);
    await this.attempt(`schedule ${kind}`, async () => {
      for (;;) {
        const jobId = randomUUID();
        const delay = Math.min(LONGEST_HOP_MS, Math.max(0, Math.ceil(job.at - Date.now())));
        const added = await this.queue.add(name, data, {
          ...this.jobOptions(),
          jobId,
          delay,
          deduplication: { id: identity, replace: true },
        });
        if (added.id === jobId) return;
        // The earlier timer is due already: not delayed any more, so not replaced. Take it out, or, if it runs, let it go its way.
        if (added.id !== undefined && (await this.queue.remove(added.id)) === 0) await added.removeDeduplicationKey();
      }
    });
  }

  /**
   * Takes back the timer of this key, if there is one that does not run yet.
   * @throws QueueUnavailable when the backend did not answer within `acceptWithinMs`
   */
  async cancelTimer(key: string): Promise<void> {
    await this.attempt('cancel timer', async () => {
      const jobId = await this.queue.getDeduplicationJobId(timerIdentity(key));
      if (jobId !== null) await this.queue.remove(jobId);
    });
  }

  /**
   * Runs jobs, `concurrency` at a time, until closed. A job whose handler throws is run again after 0.2 s, doubling up to 5 s; a job whose worker vanished is run
   * again by another. So every job runs at least once. A backend that goes away and comes back only pauses the consumer.
   * @throws QueueUnavailable when the backend cannot be reached within `connectWithinMs`
   */
  async consume(handlers: QueueHandlers, { concurrency }: { readonly concurrency: number }): Promise<QueueConsumer> {
    if (this.isClosing()) throw new QueueClosed('consume');
    const settings = {
      queueName: QUEUE_NAME,
      prefix: this.prefix,
      concurrency,
      timing: this.timing,
      hooks: this.options,
      errors: this.errors,
      config: this.config,
      factory: this.factory,
    };
    const consumer = await connecting(
      this.config.backend,
      'start consumer',
      this.timing,
      this.errors,
      () => this.isClosing(),
      (ms) => startConsumer(handlers, settings, ms),
    );
    this.consumers.add(consumer);
    return {
      close: async () => {
        this.consumers.delete(consumer);
        await consumer.close();
      },
    };
  }

  /** Asks the backend; never rejects, and answers within `healthWithinMs`. */
  async health(): Promise<QueueHealth> {
    const { backend } = this.config;
    if (this.isClosing()) return { status: 'down', backend, error: 'closed' };
    const start = performance.now();
    try {
      const asked = Promise.all([this.queue.getJobCounts('wait', 'active', 'delayed'), tryWriting(this.queue.getBackend(), this.prefix)]);
      const [counts] = await within(this.timing.healthWithinMs, asked);
      const { wait: waiting = 0, active = 0, delayed = 0 } = counts;
      return { status: 'up', backend, latencyMs: performance.now() - start, jobs: { waiting, active, delayed } };
    } catch (error) {
      const refused = error instanceof RedisRefusesWrites ? ({ refusesWrites: true } as const) : {};
      return { status: 'down', backend, error: describeError(error), ...refused };
    }
  }

  /** Closes the consumers (see {@link QueueConsumer.close}) and the connections. Resolves even when the backend is away. */
  close(): Promise<void> {
    this.closing ??= (async () => {
      await Promise.all([...this.consumers].map((consumer) => consumer.close()));
      await release(this.queue);
    })();
    return this.closing;
  }

  private isClosing(): boolean {
    return this.closing !== undefined;
  }

  private jobOptions(): JobsOptions {
    return {
      attempts: this.options.attempts ?? DEFAULT_ATTEMPTS,
      backoff: { type: 'capped' },
      removeOnComplete: KEPT_COMPLETED,
      removeOnFail: KEPT_FAILED,
      stackTraceLimit: 1,
    };
  }

  private async attempt<T>(operation: string, run: () => Promise<T>): Promise<T> {
    if (this.isClosing()) throw new QueueClosed(operation);
    const windowMs = this.timing.acceptWithinMs;
    try {
      return await retryWithin({ windowMs, pauseMs: RETRY_PAUSE_MS, abandoned: () => this.isClosing() }, (ms) => within(ms, run()));
    } catch (error) {
      if (this.isClosing()) throw new QueueClosed(operation);
      throw new QueueUnavailable(this.config.backend, operation, windowMs, error);
    }
  }
}

/**
 * Opens the work queue on the configured backend, creating its tables there when needed (PostgreSQL).
 * @param abandoned stops trying once it returns true
 * @throws RangeError for an unusable prefix
 * @throws QueueUnavailable when the backend cannot be reached within `connectWithinMs`
 */
export async function openQueues(config: QueueBackend, options: QueueOptions = {}, abandoned = (): boolean => false): Promise<Queues> {
  const namespace = checkedPrefix(options.prefix ?? DEFAULT_PREFIX);
  const prefix = config.backend === 'redis' ? `${namespace}:${config.installation}` : namespace;
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  const errors = new ErrorReport(options.onBackendError);
  const factory = config.backend === 'postgres' ? postgresBackendFactory(config, prefix) : redisBackendFactory(config, prefix, timing);
  const queue = await connecting(config.backend, 'open', timing, errors, abandoned, async (ms) => {
    const candidate: ClusterQueue = new Queue(QUEUE_NAME, { connection: config, prefix, streams: { events: { maxLen: 100 } } }, factory);
    candidate.on('error', (error) => {
      errors.report(error);
    });
    try {
      await within(ms, candidate.waitUntilReady());
      return candidate;
    } catch (error) {
      await release(candidate);
      throw error;
    }
  });
  return new Queues(queue, config, factory, prefix, timing, options, errors);
}

/** A connection that failed to start is never used again by BullMQ, so each try makes a new one. */
async function connecting<T>(
  backend: QueueBackend['backend'],
  operation: string,
  timing: QueueTiming,
  errors: ErrorReport,
  abandoned: () => boolean,
  connect: (remainingMs: number) => Promise<T>,
): Promise<T> {
  try {
    return await retryWithin({ windowMs: timing.connectWithinMs, pauseMs: 500, abandoned }, async (remainingMs) => {
      try {
        return await connect(remainingMs);
      } catch (error) {
        errors.report(error);
        throw error;
      }
    });
  } catch (error) {
    throw new QueueUnavailable(backend, operation, timing.connectWithinMs, error);
  }
}

async function release(queue: ClusterQueue): Promise<void> {
  await within(GOODBYE_MS, queue.close()).catch(() => within(GOODBYE_MS, queue.disconnect()).catch(() => undefined));
}
