import type { GraphAction } from '@systole/scheduler';
import type { ActionResult, TransitionState } from '../state/cluster-state.js';
import { resultFrom, SERVER } from '../state/transition-results.js';
import { executingNode } from './graph-index.js';

/**
 * How an action of the running transition ended; undefined while it is open. Only the node to which it went can tell: what another node
 * says of it is no answer, or a resource whose stop was made up would be started elsewhere while it runs. Cluster events are the server's own.
 */
export function resultOf(transition: TransitionState, action: GraphAction): ActionResult | undefined {
  const reporter = action.kind === 'crm_event' ? SERVER : executingNode(action);
  return reporter === undefined ? undefined : resultFrom(transition, action.id, reporter);
}
