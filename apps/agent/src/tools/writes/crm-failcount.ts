import { flag, type OptionSpec, parseArguments, value } from '../arguments.js';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from '../tool.js';
import type { ClusterConnection } from './cluster-connection.js';
import { callerOf, intervalOf, said } from './command-line.js';

const OPTIONS: readonly OptionSpec[] = [
  flag('query', '-G', '--query', '--get-value'),
  flag('delete', '-D', '--delete', '--delete-attr'),
  value('update', '-v', '--update', '--attr-value'),
  value('resource', '-r', '--resource', '--resource-id'),
  value('node', '-N', '--node', '-U', '--uname'),
  value('operation', '-n', '--operation'),
  value('interval', '-I', '--interval'),
  flag('quiet', '-q', '-Q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

/**
 * `crm_failcount --delete`, and its older form `-v 0`: failures are forgotten, with the history of what failed, as `crm_resource --cleanup` does it.
 *
 * @returns undefined for what is not its part
 */
export function writeCrmFailcount(call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> | undefined {
  // Whoever reads them says what is wrong with a call that is none of these.
  if (!call.args.some((arg) => /^(?:-[A-Za-z]*[Dv]|--delete|--update|--attr-value)/.test(arg))) return undefined;
  const { options } = parseArguments(call.args, OPTIONS);
  if (options['query'] !== undefined) return undefined;
  if (options['delete'] === undefined && options['update'] !== '0') {
    throw new ToolFailure(EXIT.USAGE, 'a fail count is deleted (-D), or set to 0; no other value can be set');
  }
  return deleteFailures(options, call, cluster);
}

async function deleteFailures(
  { resource, node, operation, interval }: Readonly<Partial<Record<string, string>>>,
  call: ToolCall,
  cluster: ClusterConnection,
): Promise<ToolResult> {
  if (resource === undefined || resource === '') throw new ToolFailure(EXIT.USAGE, 'error: resource name required');
  if (interval !== undefined && operation === undefined) throw new ToolFailure(EXIT.USAGE, 'an interval is of an operation: --operation');
  const where = node ?? cluster.node;
  const filter = operation === undefined ? {} : { operation, intervalMs: intervalOf(interval ?? '0') };
  await cluster.request({ ask: 'clean-up', resource, node: where, ...filter }, callerOf(call));
  return said(`Cleaned up ${resource} on ${where}\n`);
}
