/** The embedded PostgreSQL could not be prepared, started or stopped. The message says what, where, and what to do next. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
