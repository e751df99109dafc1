/** Effective quorum policy (specification 01 §3.3). */
export type QuorumPolicy = 'stop' | 'freeze' | 'ignore' | 'demote' | 'fence';

export type PlacementStrategy = 'default' | 'utilization' | 'minimal' | 'balanced';

export type HealthStrategy = 'none' | 'migrate-on-red' | 'only-green' | 'progressive' | 'custom';

/** What the words red, yellow and green are worth as scores (specification 01 §3.3). */
export interface HealthWords {
  readonly red: number;
  readonly yellow: number;
  readonly green: number;
}

/** Cluster options that matter to the scheduler (specification 01 §3.2). Durations in ms, unless they are kept as written. */
export interface ClusterOptions {
  readonly quorumPolicy: QuorumPolicy;
  readonly fencingEnabled: boolean;
  readonly fencingAction: string;
  /** As written. */
  readonly fencingTimeout: string;
  readonly startupFencing: boolean;
  readonly concurrentFencing: boolean;
  readonly priorityFencingDelay: number;
  readonly nodePendingTimeout: number;
  readonly fenceRemoteWithoutQuorum: boolean;
  readonly haveWatchdog: boolean;
  readonly symmetric: boolean;
  readonly maintenanceMode: boolean;
  readonly stopAllResources: boolean;
  readonly startFailureIsFatal: boolean;
  readonly startupProbes: boolean;
  readonly stopRemovedResources: boolean;
  readonly cancelRemovedActions: boolean;
  readonly shutdownLock: boolean;
  readonly shutdownLockLimit: number;
  readonly placementStrategy: PlacementStrategy;
  readonly healthStrategy: HealthStrategy;
  readonly healthBase: number;
  readonly healthWords: HealthWords;
  /** As written. */
  readonly clusterDelay: string;
  /** As written. */
  readonly batchLimit: string;
  /** As written; only when it parses to more than 0. */
  readonly migrationLimit: string | undefined;
  readonly clusterName: string | undefined;
  /** The extension of specification 09: what a failure costs by default; undefined while the extension is off. */
  readonly failureStickiness: number | undefined;
}
