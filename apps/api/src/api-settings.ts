/** Injection token of {@link ApiSettings}. */
export const API_SETTINGS = Symbol('ApiSettings');

/** Injection token of the pool of connections to PostgreSQL. */
export const DATABASE = Symbol('Database');

/** The configuration as the handlers need it: with all defaults filled in. */
export interface ApiSettings {
  /** Length of the leases that agents get, ms. */
  readonly leaseMs: number;
  /** Longest wait of an agent's poll, ms. */
  readonly pollMs: number;
  /** How often an idle event stream shows that it lives, ms. */
  readonly heartbeatMs: number;
}
