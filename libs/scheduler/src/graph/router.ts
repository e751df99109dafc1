import type { Action } from '../model/action.js';
import { currentNode } from '../model/activity.js';
import { effectiveTask } from './attributes.js';

const onCurrent = new Set(['cancel', 'stop', 'demote', 'migrate_from', 'migrate_to']);

/** The cluster node whose connection carries an action to a node of remote type (specification 08 §3.7). */
export function routerName(action: Action): string | undefined {
  const connection = action.node?.connection;
  if (!action.node?.remoteType || !connection || action.task === 'stonith') return undefined;
  const current = currentNode(connection);
  const assigned = connection.assignedNode;
  if (!current) return assigned?.name;
  if (!assigned || current === assigned) return current.name;
  const migrating = !connection.launcher && connection.partialTarget !== undefined;
  return onCurrent.has(effectiveTask(action)) && !migrating ? current.name : assigned.name;
}
