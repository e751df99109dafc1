import { debuggingOn } from '../debugging/debug-action.js';
import { agentNode } from '../events/actors.js';
import type { ClusterEvent, RecordedClusterEvent } from '../events/cluster-event.js';
import type { ClusterState } from './cluster-state.js';
import { parseTransitionKey } from './history.js';
import { isOfRunning, standingOf } from './present-life.js';
import { relevance } from './relevance.js';

/**
 * Why something that a node says of its own accord calls off what the cluster is about to do, or makes a plan obsolete; undefined when it does not. What a node was asked
 * to do, and did, well or not, is not of its own accord; nor is what others say of it.
 *
 * @param state before the event, or shortly before
 * @param wasAsked whether an action was handed out to that node, and is answered for the first time
 */
export function disturbanceBy(state: ClusterState, event: ClusterEvent, wasAsked: (actionId: string) => boolean): string | undefined {
  switch (event.type) {
    case 'OperationRecorded': {
      const { node, resource, operation, actionId, transitionKey } = event.data;
      if (standingOf(state, event.data) === 'superseded' || (actionId !== undefined && wasAsked(actionId))) return undefined;
      // Whoever answers for another makes the true answer look like something that the plan knows nothing of.
      if (isOfRunning(state, parseTransitionKey(transitionKey)))
        return `${operation} of ${resource} was reported by ${node}, which was not asked`;
      return reasonOf(state, event);
    }
    case 'HistoryDeleted': {
      // By what a person has had tried there; nobody asked for any other.
      const { node, resource, graphAction } = event.data;
      if (graphAction !== undefined || debuggingOn(state, node).some((pending) => pending.resource === resource)) return undefined;
      return reasonOf(state, event);
    }
    case 'NodeAttributeSet':
    case 'NodeAttributeCleared':
    case 'NodeJoined':
      return reasonOf(state, event);
    default:
      return undefined;
  }
}

function reasonOf(state: ClusterState, event: ClusterEvent): string | undefined {
  const { effect, reason } = relevance(state, event);
  return effect === 'none' ? undefined : reason;
}

/** The node whose agent recorded an event. Attributes may be those of another node. */
export function reporterOf({ actor, event }: RecordedClusterEvent): string | undefined {
  switch (event.type) {
    case 'OperationRecorded':
      // The server's own verdicts name no life.
      return event.data.incarnation === 0 ? undefined : event.data.node;
    case 'NodeJoined':
      return event.data.node;
    case 'HistoryDeleted':
      return agentNode(actor);
    case 'NodeAttributeSet':
    case 'NodeAttributeCleared':
      // Written by the worker; who said it was an agent, mostly the node's own.
      return event.data.held === true ? event.data.node : agentNode(actor);
    default:
      return undefined;
  }
}
