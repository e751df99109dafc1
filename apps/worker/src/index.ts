export { createWorker, type RunningWorker } from './create-worker.js';
export { InvalidSetting, workerConfigFrom, type WorkerConfig } from './worker-config.js';
