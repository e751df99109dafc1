import type { RequestLimits } from './request-limits.js';

/** Injection token of {@link ApiSettings}. */
export const API_SETTINGS = Symbol('ApiSettings');

/** Injection token of the leases of agents (`NodeLeases` of `@systole/control-plane`). */
export const NODE_LEASES = Symbol('NodeLeases');

/** Injection token of what is said of clusters that are stuck (`AdvanceFailures` of `@systole/control-plane`). */
export const ADVANCE_FAILURES = Symbol('AdvanceFailures');

/** Injection token of what is handed out to agents (`Dispatches` of `@systole/control-plane`). */
export const DISPATCHES = Symbol('Dispatches');

/** Injection token of the pool of connections to PostgreSQL. */
export const DATABASE = Symbol('Database');

/** Injection token of the thread that serves operators (`OperatorsApi`); null where they are served in this one. */
export const OPERATORS_API = Symbol('OperatorsApi');

/** Injection token of where metrics of what else the process does are asked for (`ApiConfig.otherMetrics`); null where it does nothing else. */
export const OTHER_METRICS = Symbol('OtherMetrics');

/** The configuration as the handlers need it: with all defaults filled in. */
export interface ApiSettings extends RequestLimits {
  /** Length of the leases that agents get, ms. */
  readonly leaseMs: number;
  /** Longest wait of an agent's poll, ms. */
  readonly pollMs: number;
  /** How often an idle event stream shows that it lives, ms. */
  readonly heartbeatMs: number;
  /** Behind the front, which keeps what it is told to. */
  readonly isFronted: boolean;
}
