import { EXIT, ToolFailure, type ToolCall, type ToolResult } from '../tool.js';
import type { ClusterConnection } from './cluster-connection.js';
import { callerOf, OK } from './command-line.js';

/** `crm_node --remove`: takes a node out of the configuration. */
export async function removeNode(node: string, isForced: boolean, call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> {
  if (!isForced) {
    throw new ToolFailure(
      EXIT.USAGE,
      'The supplied command is considered dangerous.  To prevent accidental destruction of the cluster, the --force flag is required in order to proceed.',
    );
  }
  await cluster.request({ ask: 'remove-node', node }, callerOf(call));
  return OK;
}
