/** The ports in memory, for tests and simulations. Start at `MemoryDatabase`. */
export { MemoryDatabase, type MemoryCopy, type MemoryTables } from './memory-database.js';
export { MemoryFigures } from './memory-figures.js';
export type { StoredDispatch } from './memory-dispatches.js';
export { MemorySeals } from './memory-seals.js';
export { MemoryLog, type CommitFate, type StoredEvent } from './memory-log.js';
