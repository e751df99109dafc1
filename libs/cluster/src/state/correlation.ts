import type { ClusterEvent } from '../events/cluster-event.js';
import { memberOf, pendingFencing, type ClusterState } from './cluster-state.js';
import { parseTransitionKey } from './history.js';
import { isOfRunning } from './present-life.js';

/**
 * The correlation id of what an event goes on with: the request or report that made a plan necessary gives its own to the transition, and that to what is done and answered for
 * it; who asked for a debug operation, or for the end of a cluster, to what comes of that. Undefined for what begins something: it has an id of its own.
 *
 * For what the worker decides and agents answer. What a person asks for follows from nothing but that.
 *
 * @param state before the event
 */
export function correlationCarried(state: ClusterState, event: ClusterEvent): string | undefined {
  const ofTransition = (number: number | undefined): string | undefined =>
    number === state.transition?.number ? state.transition?.correlationId : undefined;
  switch (event.type) {
    case 'TransitionPlanned':
      return state.recompute?.cause.correlationId;
    case 'TransitionAborted':
    case 'TransitionCompleted':
      return ofTransition(event.data.number);
    case 'OperationRecorded':
      return isOfRunning(state, parseTransitionKey(event.data.transitionKey)) ? state.transition?.correlationId : undefined;
    case 'FailuresCleared':
    case 'HistoryDeleted':
      return ofTransition(event.data.graphAction?.transition);
    case 'FencingRequested':
      return ofTransition(event.data.transition);
    case 'FencingCompleted':
      return ofTransition(pendingFencing(state, event.data.fencingId)?.transition);
    case 'NodeLeft':
      return memberOf(state, event.data.node)?.shutdownRequested === true ? state.transition?.correlationId : undefined;
    case 'DebugOperationEnded':
      return memberOf(state, event.data.node)?.debugging?.find(({ debugId }) => debugId === event.data.debugId)?.correlationId;
    case 'ClusterDeleted':
      return state.stopping?.correlationId;
    default:
      return undefined;
  }
}
