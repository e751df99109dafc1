export { mostConnectionsWhile, type MostConnections } from './counted-connections.js';
export { swapDatabases } from './swap-databases.js';
export { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
export { orderFinal } from './order-final.js';
export { FallingSilent } from './falling-silent.js';
export { withoutConnections } from './without-connections.js';
