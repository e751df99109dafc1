export { CallerGone, ThreadLost, ThreadsClosed, TookTooLong, WorkBroke } from './thread-errors.js';
export { threadEntry } from './thread-entry.js';
export { ThreadPool, type Done, type ThreadPoolOptions, type TreeToTell, type Work } from './thread-pool.js';
export type { ThreadMemory } from './thread.js';
