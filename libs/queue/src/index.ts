export {
  DEFAULT_ATTEMPTS,
  DEFAULT_PREFIX,
  DEFAULT_TIMING,
  type JobFailure,
  type PostgresQueueBackendConfig,
  type QueueBackend,
  type QueueHooks,
  type QueueOptions,
  type QueueTiming,
  type RedisQueueBackendConfig,
} from './configuration.js';
export type { JobRun, QueueConsumer, QueueHandlers } from './consumer.js';
export { DeadlineExceeded, within } from './deadline.js';
export { QueueClosed, QueueUnavailable } from './errors.js';
export { UnreadableJob, type AdvanceJob, type TimerJob, type WebhookJob } from './jobs.js';
export { LateQueues } from './late-queues.js';
export { openQueues, Queues, type QueueHealth } from './queues.js';
