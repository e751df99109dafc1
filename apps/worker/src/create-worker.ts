import 'reflect-metadata';
import { NestApplicationContextOptions } from '@nestjs/common/interfaces/nest-application-context-options.interface.js';
import { NestFactory } from '@nestjs/core';
import { beginWhenConnectionsAreFree } from '@systole/event-store';
import { pino } from 'pino';
import type { MetricValues } from './metrics/worker-metrics.js';
import { NestLog } from './nest-log.js';
import type { WorkerConfig } from './worker-config.js';
import { WorkerProcess } from './worker-process.js';
import { WorkerModule } from './worker.module.js';

/** A worker that takes jobs. */
export interface RunningWorker {
  /** What it does in numbers, as `prom-client` has them, for a program that shows them beside its own; without what belongs to the whole process. */
  metrics(): Promise<MetricValues>;
  /** Makes what it does for clusters quick in the time that this thread has to spare, once: for programs that stay, when they are ready. Resolves when that has ended; never rejects. */
  warmUp(): Promise<void>;
  /** Takes no further jobs, waits for the running ones (at most some seconds), closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts a worker in this process: it consumes the queue, watches leases and sweeps the clusters. Any number of workers may run on one
 * database. The schema must be in place (`migrate` of `@systole/migrations`).
 *
 * It starts without its queue when that is away, and takes jobs from when it comes. Where PostgreSQL has no connection free it tries for five minutes.
 *
 * @throws what the database says when it cannot be reached at the start
 */
export async function createWorker(config: WorkerConfig): Promise<RunningWorker> {
  const log = pino({ name: 'worker', level: config.logLevel ?? 'info' });
  const options = Object.assign(new NestApplicationContextOptions(), { logger: new NestLog(log), abortOnError: false });
  return beginWhenConnectionsAreFree(
    async () => {
      const app = await NestFactory.createApplicationContext(WorkerModule.with(config, log), options);
      const worker = app.get(WorkerProcess);
      return { metrics: () => worker.metrics(), warmUp: () => worker.warmUp(), close: () => app.close() };
    },
    {
      tell: (reason) => {
        log.warn(reason);
      },
    },
  );
}
