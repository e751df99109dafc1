import { whole } from '../setting.js';

/** Bounds of what may be asked of an api: docs/guide/limits.md. */
export const LIMIT_SETTINGS = {
  SYSTOLE_REQUESTS_PER_SECOND: whole(1, 100_000, 'requests of one token a second; bursts of eight times as many', 50),
  SYSTOLE_BODIES_MIB: whole(1, 65_536, 'bodies of requests that are held at a time, MiB', 256),
  SYSTOLE_BODIES_MIB_EACH: whole(1, 65_536, 'the same, of one token', 128),
  SYSTOLE_COMPUTATIONS: whole(1, 10_000, 'computations that wait or run', 64),
  SYSTOLE_COMPUTATIONS_EACH: whole(1, 10_000, 'the same, of one token', 8),
  SYSTOLE_COMPUTATION_MS: whole(100, 3_600_000, 'time of one computation, ms', 60_000),
  SYSTOLE_COMPUTATION_MIB: whole(64, 65_536, 'memory of one computation, MiB', 2_048),
  SYSTOLE_STREAMS: whole(1, 100_000, 'open event streams', 200),
  SYSTOLE_STREAMS_EACH: whole(1, 100_000, 'the same, of one token', 20),
  SYSTOLE_CONNECTIONS: whole(1, 1_000_000, 'open connections', 10_000),
  SYSTOLE_CONNECTIONS_EACH: whole(1, 1_000_000, 'the same, of one address', 2_000),
  SYSTOLE_NODE_RESULTS: whole(1, 10_000_000, 'results that one node may report a minute', 20_000),
  SYSTOLE_NODE_RESULTS_MIB: whole(1, 65_536, 'the same, MiB', 32),
  SYSTOLE_NODE_ATTRIBUTES: whole(1, 10_000_000, 'attributes that one node may change a minute', 3_000),
  SYSTOLE_NODE_ATTRIBUTES_MIB: whole(1, 65_536, 'the same, MiB', 4),
  SYSTOLE_NODE_DISTURBANCES: whole(1, 100_000, 'reports a minute by which one node may call off what its cluster is about to do', 30),
  SYSTOLE_NODE_CONFIGURATIONS: whole(1, 100_000, 'changes of the configuration a minute by the tools of one node', 6),
} as const;
