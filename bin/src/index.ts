export { startEmbedded, type Embedded, type EmbeddedOptions } from './embedded.js';
export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './postgres/embedded-postgres.js';
export { EmbeddedPostgresError } from './postgres/embedded-postgres-error.js';
export { StartFailure } from './start-failure.js';
