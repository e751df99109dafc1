/** The ports in memory, for tests, simulations and the rehearsal of a server that has just begun. Start at `MemoryDatabase`. */
export { MemoryDatabase, type MemoryCopy, type MemoryTables } from './memory-database.js';
export { MemoryFigures } from './memory-figures.js';
export type { StoredDispatch } from './memory-dispatches.js';
export { MemorySeals } from './memory-seals.js';
export { MemoryLog, type CommitFate, type StoredEvent } from './memory-log.js';
