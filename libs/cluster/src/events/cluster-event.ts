import type { ClusterCreated, ClusterStopping, ClusterStopCancelled, ClusterDeleted, EpochBegan } from './cluster-lifecycle.js';
import type { ConfigurationChanged, SecretErased } from './configuration.js';
import type {
  NodeJoined,
  NodeJoinRefused,
  FalseWitnessShown,
  LeaseLossPolicyTold,
  WatchdogTold,
  ManagedTold,
  NodeTroublesTold,
  NodeLeaseLost,
  NodeLeft,
  NodeShutdownRequested,
  NodeConfirmedDown,
} from './membership.js';
import type { AttributeDelaySet, NodeAttributeSet, NodeAttributeCleared, NodeAttributeHeld } from './attributes.js';
import type { OperationRecorded, ResultsDropped, FailuresCleared, HistoryDeleted } from './operations.js';
import type { DebugOperationRequested, DebugOperationEnded } from './debug-operations.js';
import type { FencingAllowed, FencingCompleted, FencingHistoryCleared, FencingRequested } from './fencing.js';
import type { AlertFailed, AlertRecovered } from './alerts.js';
import type { QuorumChanged } from './quorum.js';
import type { TicketChanged } from './tickets.js';
import type { TransitionPlanned, TransitionAborted, TransitionCompleted } from './transitions.js';

export type { ElementChange } from '@systole/cib';
export * from './cluster-lifecycle.js';
export * from './configuration.js';
export * from './membership.js';
export * from './attributes.js';
export * from './operations.js';
export * from './debug-operations.js';
export * from './fencing.js';
export * from './alerts.js';
export * from './quorum.js';
export * from './tickets.js';
export * from './transitions.js';

/**
 * What can happen to a cluster (design, section 3). The stream of these is the only truth: the CIB, the status, transitions and
 * leases' verdicts are folds of it. A released event never changes its meaning; a new shape gets a new `schemaVersion` and an upcaster.
 */
export type ClusterEvent =
  | ClusterCreated
  | ClusterStopping
  | ClusterStopCancelled
  | ClusterDeleted
  | EpochBegan
  | ConfigurationChanged
  | SecretErased
  | NodeJoined
  | NodeJoinRefused
  | FalseWitnessShown
  | NodeLeaseLost
  | LeaseLossPolicyTold
  | WatchdogTold
  | ManagedTold
  | NodeTroublesTold
  | NodeLeft
  | NodeShutdownRequested
  | NodeConfirmedDown
  | NodeAttributeSet
  | NodeAttributeCleared
  | NodeAttributeHeld
  | AttributeDelaySet
  | OperationRecorded
  | ResultsDropped
  | DebugOperationRequested
  | DebugOperationEnded
  | FailuresCleared
  | HistoryDeleted
  | FencingAllowed
  | FencingHistoryCleared
  | FencingRequested
  | FencingCompleted
  | AlertFailed
  | AlertRecovered
  | QuorumChanged
  | TicketChanged
  | TransitionPlanned
  | TransitionAborted
  | TransitionCompleted;

export type ClusterEventType = ClusterEvent['type'];

/** An event as it lies in the stream. */
export interface RecordedClusterEvent {
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
  readonly actor: string;
  /** The same for everything that follows from one request. */
  readonly correlationId: string;
  readonly event: ClusterEvent;
}
