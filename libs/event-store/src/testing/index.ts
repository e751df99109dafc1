export { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
