export { ClusterCatalog, ClusterNameTaken, type ClusterEntry } from './clusters/cluster-catalog.js';
export { Notifications, type NotificationsOptions } from './postgres/notifications.js';
export { applyToProjections, isProjected, rebuildAll, rebuildCluster, type Difference, type Rebuilt } from './projections.js';
export {
  ClusterStates,
  FoldContradicted,
  recordedClusterEvent,
  STATE_SNAPSHOT_SCHEMA,
  type ClusterStatesOptions,
  type StateAtHead,
} from './states/cluster-states.js';
export { TransitionList, type StoredSchedule, type TransitionEntry, type TransitionStatus } from './transitions/transition-list.js';
