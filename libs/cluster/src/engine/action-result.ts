import type { GraphAction, TransitionGraph } from '@systole/scheduler';
import type { ActionResult, TransitionState } from '../state/cluster-state.js';
import { reportsSince, resultFrom, SERVER } from '../state/transition-results.js';
import { actionIn, executingNode } from './graph-index.js';

/**
 * How an action of the running transition ended; undefined while it is open. Only the node to which it went can tell: what another node
 * says of it is no answer, or a resource whose stop was made up would be started elsewhere while it runs. Cluster events are the server's own.
 */
export function resultOf(transition: TransitionState, action: GraphAction): ActionResult | undefined {
  const reporter = reporterOf(action);
  return reporter === undefined ? undefined : resultFrom(transition, action.id, reporter);
}

/** The actions that were answered since there were `known` reports of the transition, each with its result ({@link resultOf}); in the order in which that was recorded. */
export function answersSince(
  transition: TransitionState,
  graph: TransitionGraph,
  known: number,
): readonly { readonly action: GraphAction; readonly result: ActionResult }[] {
  return reportsSince(transition.results, known).flatMap(({ graphActionId, reporter, result }) => {
    const action = actionIn(graph, graphActionId);
    return action !== undefined && reporterOf(action) === reporter ? [{ action, result }] : [];
  });
}

/** Whose word on an action counts. */
function reporterOf(action: GraphAction): string | undefined {
  return action.kind === 'crm_event' ? SERVER : executingNode(action);
}
