import type { Resource } from '../model/resource.js';
import { RoleLevel } from '../model/role.js';
import { currentNode } from '../model/activity.js';

/** What becomes of a remote node's connection in this transition (specification 06 §14.2). */
export type ConnectionState = 'up' | 'idle' | 'open' | 'down' | 'broken';

/** State of the connection of a remote node. */
export function connectionState(connection: Resource): ConnectionState {
  const current = currentNode(connection);
  if (connection.assignedNode && connection.nextRole !== RoleLevel.Stopped) {
    if (connection.activeOn.length === 0) return 'open';
    const migrating = connection.activeOn.length > 1 && connection.partialSource !== undefined && connection.partialTarget !== undefined;
    return !current?.clean || migrating ? 'idle' : 'up';
  }
  if (current?.unclean) return 'broken';
  if (!connection.failed) return 'down';
  const node = connection.connectionNode;
  const waits = connection.nextRole === RoleLevel.Stopped && (connection.reconnectInterval ?? 0) > 0 && node?.fencingRecorded === true;
  return waits && !node.shutdownRequested ? 'open' : 'broken';
}
