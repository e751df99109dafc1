import type { GraphAction } from '@systole/scheduler';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { historyOf, mayBeActive, resourcesWithHistory } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';
import { unmanagedAmong } from './unmanaged.js';

/**
 * What a node runs on with when its agent leaves in order: that is not stopped which is not managed (maintenance). Its history ends with the life of the node, so it would
 * be started elsewhere as soon as it is managed again: active twice (safety rule S1). Starting it waits for the node, whether there is fencing or not.
 */

/** History ids of what may be active on a node and is not managed, as far as the log knows. */
export function runningUnmanaged(state: ClusterState, node: string): readonly string[] {
  const member = memberOf(state, node);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  if (nodeState === undefined) return [];
  const active = resourcesWithHistory(nodeState).filter((id) => mayBeActive(historyOf(nodeState, id), id));
  return unmanagedAmong(state, node, active, planTime(state));
}

/** What was left running, by node, until the node joins again, is fenced or confirmed down. */
export function leftRunning({ nodes }: ClusterState): readonly { readonly node: string; readonly resources: readonly string[] }[] {
  return Object.values(nodes).flatMap(({ name, leftRunning: resources }) => (resources === undefined ? [] : [{ node: name, resources }]));
}

/**
 * Whether an action would make active what may be active on a node that left.
 * Instances of an anonymous clone may run on many nodes: of them only the promotion waits.
 * @param held history ids
 */
export function activatesLeft({ operation, primitive }: GraphAction, held: ReadonlySet<string>): boolean {
  if (primitive === undefined || !held.has(primitive.id)) return false;
  return primitive.longId === undefined || operation === 'promote';
}
