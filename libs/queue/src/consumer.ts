import { DelayedError, UnrecoverableError, Worker, type BackendFactory, type IQueueBackend, type Job, type JobProgress } from 'bullmq';
import { setTimeout as delay } from 'node:timers/promises';
import type { QueueBackend, QueueHooks, QueueTiming } from './configuration.js';
import { within } from './deadline.js';
import type { ErrorReport } from './error-report.js';
import { describeError } from './errors.js';
import { readJob, type AdvanceJob, type JobData, type JobName, type QueuedJob, type TimerJob, type WebhookJob } from './jobs.js';

/** How often a job may lose its worker before it is given up; the next trigger starts anew. */
const MAX_STALLS = 20;
/** How long to wait for the backend's part of closing, when no job runs any more. */
export const GOODBYE_MS = 1_000;
/** A timer further away than this is stored as several hops, so that no backend's range of delays is exceeded. */
export const LONGEST_HOP_MS = 7 * 24 * 3_600_000;

/** About the run of a job that a handler is in. */
export interface JobRun {
  /** 1 for the first run, counting those that failed (not those whose worker vanished). */
  readonly attempt: number;
  /** Aborts when the job's lock was lost (another worker may run it now) or when closing ran out of patience. */
  readonly signal: AbortSignal;
}

/** What to do with each kind of job. A handler that throws has its job run again after a while. */
export interface QueueHandlers {
  advance(job: AdvanceJob, run: JobRun): Promise<void>;
  timer(job: TimerJob, run: JobRun): Promise<void>;
  /** Left out by a program that delivers nothing: its jobs are dropped, as hints may be. */
  webhook?(job: WebhookJob, run: JobRun): Promise<void>;
}

/** A running consumer. */
export interface QueueConsumer {
  /** Takes no further jobs and waits for the running ones; after `closeWithinMs` it aborts their signals and leaves them (they run again elsewhere). */
  close(): Promise<void>;
}

export interface ConsumerSettings {
  readonly queueName: string;
  readonly prefix: string;
  readonly concurrency: number;
  readonly timing: QueueTiming;
  readonly hooks: QueueHooks;
  readonly errors: ErrorReport;
  readonly config: QueueBackend;
  readonly factory: BackendFactory<IQueueBackend, QueueBackend>;
}

type ClusterWorker = Worker<JobData, null, JobName, IQueueBackend, JobProgress, QueueBackend>;
type ClusterJob = Job<JobData, null, JobName>;

/** A consumer that is connected and running; rejects with the backend's error when it is not reachable within `connectMs`. */
export async function startConsumer(handlers: QueueHandlers, settings: ConsumerSettings, connectMs: number): Promise<QueueConsumer> {
  const { timing, hooks, errors } = settings;
  const runs = new Set<Promise<null>>();
  const worker: ClusterWorker = new Worker(
    settings.queueName,
    (job: ClusterJob, token?: string, signal?: AbortSignal) => {
      const run = process(handlers, hooks, job, token, signal);
      runs.add(run);
      return run.finally(() => runs.delete(run));
    },
    {
      connection: settings.config,
      prefix: settings.prefix,
      autorun: false,
      concurrency: settings.concurrency,
      lockDuration: timing.lockMs,
      stalledInterval: timing.stalledCheckMs,
      maxStalledCount: MAX_STALLS,
      runRetryDelay: 500,
      drainDelay: 5,
      settings: { backoffStrategy: (attempt) => Math.min(timing.retryCapMs, timing.retryBaseMs * 2 ** Math.min(attempt - 1, 30)) },
    },
    settings.factory,
  );
  worker.on('error', (error) => {
    errors.report(error);
  });
  worker.on('lockRenewalFailed', (ids) => {
    for (const id of ids) worker.cancelJob(id, 'the lock was lost');
  });
  worker.on('stalled', (id) => hooks.onJobStalled?.(id));
  worker.on('failed', (job, error) => {
    if (job === undefined) return;
    hooks.onJobFailed?.({
      name: job.name,
      data: job.data,
      attempt: job.attemptsMade,
      willRetry: job.finishedOn === undefined,
      error,
    });
  });
  try {
    await within(connectMs, worker.waitUntilReady());
  } catch (error) {
    await stop(worker, runs, GOODBYE_MS);
    throw error;
  }
  const closed = new AbortController();
  void keepRunning(worker, closed.signal, errors);
  return {
    async close() {
      closed.abort();
      await stop(worker, runs, timing.closeWithinMs);
    },
  };
}

/** BullMQ's loop survives its backend; should it ever end by itself, it is started again. */
async function keepRunning(worker: ClusterWorker, closed: AbortSignal, errors: ErrorReport): Promise<void> {
  while (!closed.aborted) {
    try {
      await worker.run();
    } catch (error) {
      errors.report(error);
    }
    await delay(1_000, undefined, { signal: closed }).catch(() => undefined);
  }
}

/** Takes no more jobs, waits for the running ones, then for the backend; each only so long. */
async function stop(worker: ClusterWorker, runs: ReadonlySet<Promise<unknown>>, patienceMs: number): Promise<void> {
  const closed = worker.close();
  const done = closed.then(() => true);
  const goneQuietly = await within(patienceMs, Promise.race([done, idle(runs)])).catch(() => false);
  if (goneQuietly) return;
  worker.cancelAllJobs('the consumer closes');
  await within(GOODBYE_MS, worker.disconnect()).catch(() => undefined);
}

/** Resolves (to false) when no job has run for a moment. */
async function idle(runs: ReadonlySet<Promise<unknown>>): Promise<false> {
  do {
    await Promise.allSettled(runs);
    await delay(GOODBYE_MS, undefined, { ref: false });
  } while (runs.size > 0);
  return false;
}

async function process(
  handlers: QueueHandlers,
  { onJobBegun }: QueueHooks,
  job: ClusterJob,
  token: string | undefined,
  signal: AbortSignal | undefined,
): Promise<null> {
  const queued = readStored(job);
  const run: JobRun = { attempt: job.attemptsMade + 1, signal: signal ?? new AbortController().signal };
  const begun = (dueAt: number): void => {
    if (run.attempt === 1) onJobBegun?.(Math.max(0, Date.now() - Math.max(dueAt, job.timestamp)));
  };
  if (queued.name === 'advance') {
    begun(job.timestamp);
    await handlers.advance(queued.data, run);
    return null;
  }
  const now = Date.now();
  if (queued.data.at > now) {
    await job.moveToDelayed(Math.min(queued.data.at, now + LONGEST_HOP_MS), token);
    throw new DelayedError();
  }
  begun(queued.data.at);
  if (queued.name === 'timer') await handlers.timer(queued.data, run);
  else await handlers.webhook?.(queued.data, run);
  return null;
}

function readStored(job: ClusterJob): QueuedJob {
  try {
    return readJob(job.name, job.data);
  } catch (error) {
    throw new UnrecoverableError(describeError(error));
  }
}
