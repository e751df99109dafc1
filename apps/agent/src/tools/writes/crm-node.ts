import { flag, type OptionSpec, parseArguments, value } from '../arguments.js';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from '../tool.js';
import type { ClusterConnection } from './cluster-connection.js';
import { callerOf, OK } from './command-line.js';

const OPTIONS: readonly OptionSpec[] = [
  value('remove', '-R', '--remove'),
  flag('force', '-f', '--force'),
  flag('verbose', '-V', '--verbose'),
];

/**
 * `crm_node --remove`: takes a node out of the configuration.
 *
 * @returns undefined for what is not its part
 */
export function writeCrmNode(call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> | undefined {
  if (!call.args.some((arg) => /^(?:-R|--remove)/.test(arg))) return undefined;
  const { options } = parseArguments(call.args, OPTIONS);
  return remove(options['remove'] ?? '', options['force'] !== undefined, call, cluster);
}

async function remove(node: string, isForced: boolean, call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> {
  if (!isForced) {
    throw new ToolFailure(
      EXIT.USAGE,
      'The supplied command is considered dangerous.  To prevent accidental destruction of the cluster, the --force flag is required in order to proceed.',
    );
  }
  await cluster.request({ ask: 'remove-node', node }, callerOf(call));
  return OK;
}
