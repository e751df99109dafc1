import { EXIT, ToolFailure, type ToolCall, type ToolResult } from '../tool.js';
import type { ClusterConnection } from './cluster-connection.js';
import { callerOf, intervalOf, said } from './command-line.js';

/** `crm_failcount --delete`: failures are forgotten, with the history of what failed, as `crm_resource --cleanup` does it. */
export async function deleteFailures(
  resource: string,
  { node, operation, interval }: Readonly<Partial<Record<string, string>>>,
  call: ToolCall,
  cluster: ClusterConnection,
): Promise<ToolResult> {
  if (interval !== undefined && operation === undefined) throw new ToolFailure(EXIT.USAGE, 'an interval is of an operation: --operation');
  const where = node ?? cluster.node;
  const filter = operation === undefined ? {} : { operation, intervalMs: intervalOf(interval ?? '0') };
  await cluster.request({ ask: 'clean-up', resource, node: where, ...filter }, callerOf(call));
  return said(`Cleaned up ${resource} on ${where}\n`);
}
