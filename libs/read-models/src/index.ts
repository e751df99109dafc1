export { ClusterCatalog, ClusterNameTaken, type ClusterEntry } from './clusters/cluster-catalog.js';
export {
  ClusterCommands,
  CommandContention,
  type Appended,
  type ClusterCommandsOptions,
  type ExecuteOptions,
  type ExecuteResult,
  type PreviewResult,
} from './commands/cluster-commands.js';
export { eventSubjects } from './commands/event-subjects.js';
export { ActionDeliveries, DISPATCH_CHANNEL, type Delivery, type Recipient } from './dispatches/action-deliveries.js';
export { DispatchSignals } from './dispatches/dispatch-signals.js';
export { IdempotencyKeys, type KeyClaim, type KeyState, type StoredAnswer } from './idempotency/idempotency-keys.js';
export { ApiHeartbeats, BEAT_MS, LONGEST_SILENCE_MS, type ApiBeats } from './leases/api-heartbeats.js';
export { NodeLeases, type NewLease, type NodeLease } from './leases/node-leases.js';
export { Notifications, type NotificationsOptions } from './postgres/notifications.js';
export { inTransaction } from './postgres/transaction.js';
export { rebuildAll, rebuildCluster } from './projections.js';
export { ClusterStates, recordedClusterEvent, STATE_SNAPSHOT_SCHEMA, type ClusterStatesOptions } from './states/cluster-states.js';
export { AccessTokens, type AccessToken, type OperatorRole, type TokenHolder } from './tokens/access-tokens.js';
export { TransitionList, type StoredSchedule, type TransitionEntry, type TransitionStatus } from './transitions/transition-list.js';
