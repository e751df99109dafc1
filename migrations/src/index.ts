export { createDataSource } from './data-source.js';
export { LeftoverSchema, migrate, migrateDown, SchemaHeld } from './migrate.js';
export { missingSchema, SCHEMA_PARTS, TABLES, type SchemaPart } from './schema-parts.js';
