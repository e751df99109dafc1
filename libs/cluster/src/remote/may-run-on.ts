import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { isConfiguredHistory } from '../state/configured-history.js';
import { historyOf, isActive, resourcesWithHistory, wasNotStopped } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';

/**
 * History ids of what may run on a node by its history. What is not managed runs on as well, and may be started elsewhere where it is not managed on that node only; and what could not be stopped may run.
 */
export function mayRunOn(state: ClusterState, node: string): readonly string[] {
  const member = memberOf(state, node);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  if (nodeState === undefined) return [];
  return resourcesWithHistory(nodeState).filter((id) => {
    const history = historyOf(nodeState, id);
    return isConfiguredHistory(state, id) && (isActive(history, id) || wasNotStopped(history, id));
  });
}
