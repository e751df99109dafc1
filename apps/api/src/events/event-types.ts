import type { ClusterEventType } from '@systole/cluster';

/** Every type of event that there is. */
export const EVENT_TYPES: readonly string[] = Object.keys({
  ClusterCreated: true,
  ClusterDeleted: true,
  ConfigurationChanged: true,
  NodeJoined: true,
  NodeLeaseLost: true,
  NodeLeft: true,
  NodeShutdownRequested: true,
  NodeConfirmedDown: true,
  NodeAttributeSet: true,
  NodeAttributeCleared: true,
  OperationRecorded: true,
  FailuresCleared: true,
  HistoryDeleted: true,
  FencingRequested: true,
  FencingCompleted: true,
  QuorumChanged: true,
  TicketChanged: true,
  TransitionPlanned: true,
  TransitionAborted: true,
  TransitionCompleted: true,
} satisfies Record<ClusterEventType, true>);
