export { createDataSource } from './data-source.js';
export { migrate, migrateDown } from './migrate.js';
export { TABLES } from './tables.js';
