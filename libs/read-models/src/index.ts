export { ClusterCatalog, ClusterNameTaken, type ClusterEntry } from './clusters/cluster-catalog.js';
export { KnownClusters, type KnownCluster } from './clusters/known-clusters.js';
export { Notifications, type NotificationsOptions } from './postgres/notifications.js';
export {
  applyToProjections,
  isPlainlyProjected,
  isProjected,
  projectionOf,
  rebuildAll,
  rebuildCluster,
  type Difference,
  type Rebuilt,
} from './projections.js';
export {
  ClusterStates,
  FoldContradicted,
  recordedClusterEvent,
  type ClusterStatesOptions,
  type HeldReading,
  type StateAtHead,
} from './states/cluster-states.js';
export { STATE_SNAPSHOT_SCHEMA } from './states/state-snapshots.js';
export { SUBJECT_KINDS, subjectFilter, type SubjectKind } from './events/subject-filter.js';
export { letUnusedLeave } from './states/unused-states.js';
export { inSlices, slices } from './slices.js';
export {
  TransitionList,
  type StoredGraph,
  type TransitionEntry,
  type TransitionFilter,
  type TransitionStatus,
} from './transitions/transition-list.js';
