export { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
export { FallingSilent } from './falling-silent.js';
