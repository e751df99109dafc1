export { createWorker, type RunningWorker } from './create-worker.js';
export type { MetricValues } from './metrics/worker-metrics.js';
export { workerConfigFrom, type WorkerConfig } from './worker-config.js';
