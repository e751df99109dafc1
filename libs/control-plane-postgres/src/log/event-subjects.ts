import { namesInChange, namesInConfiguration, type ClusterEvent } from '@systole/cluster';

/**
 * The resources, nodes, constraints and other named things that an event concerns, what contains them, and what they refer to: what the audit filters by. Sorted,
 * each once.
 */
export function eventSubjects(event: ClusterEvent): readonly string[] {
  return inOrder(namesIn(event));
}

/** The same, change by change: a configuration that is replaced as a whole has thousands of them. */
export function* eventSubjectsByAndBy(event: ClusterEvent): Generator<undefined, readonly string[], undefined> {
  if (event.type !== 'ConfigurationChanged') return eventSubjects(event);
  const names = new Set<string>();
  for (const change of event.data.changes) {
    for (const name of namesInChange(change)) names.add(name);
    yield undefined;
  }
  return inOrder([...names]);
}

function inOrder(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name) => name !== ''))].sort();
}

function namesIn(event: ClusterEvent): readonly string[] {
  switch (event.type) {
    case 'ClusterCreated':
      return namesInConfiguration(event.data.cib);
    case 'ClusterStopping':
    case 'ClusterStopCancelled':
    case 'ClusterDeleted':
    case 'EpochBegan':
    case 'QuorumChanged':
    case 'TransitionPlanned':
    case 'TransitionAborted':
    case 'TransitionCompleted':
      return [];
    case 'ConfigurationChanged':
      return event.data.changes.flatMap(namesInChange);
    case 'SecretErased':
      return [event.data.owner];
    case 'NodeJoined':
    case 'FencingAllowed':
    case 'ResultsDropped':
    case 'NodeJoinRefused':
    case 'FalseWitnessShown':
    case 'NodeLeaseLost':
    case 'LeaseLossPolicyTold':
    case 'WatchdogTold':
    case 'ManagedTold':
    case 'NodeTroublesTold':
    case 'NodeLeft':
    case 'NodeShutdownRequested':
    case 'NodeConfirmedDown':
      return [event.data.node];
    case 'FencingHistoryCleared':
      return event.data.node === undefined ? [] : [event.data.node];
    case 'NodeAttributeSet':
    case 'NodeAttributeCleared':
    case 'NodeAttributeHeld':
      return [event.data.node, event.data.name];
    case 'AttributeDelaySet':
      return [event.data.name];
    case 'DebugOperationRequested':
      return [event.data.resource, event.data.node, ...(event.data.target === undefined ? [] : [event.data.target])];
    case 'OperationRecorded':
    case 'DebugOperationEnded':
    case 'FailuresCleared':
    case 'HistoryDeleted':
      return [...withoutInstance(event.data.resource), event.data.node];
    case 'AlertFailed':
    case 'AlertRecovered':
      return [event.data.alert, event.data.recipient ?? '', event.data.node];
    case 'FencingRequested':
    case 'FencingCompleted':
      return [event.data.target, event.data.device, event.data.executor];
    case 'TicketChanged':
      return [event.data.ticket];
  }
}

/** `db:1` is an instance of `db`. */
function withoutInstance(resource: string): readonly string[] {
  const [primitive = resource] = resource.split(':');
  return [resource, primitive];
}
