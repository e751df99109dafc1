import { flag, type OptionSpec, parseArguments, value } from '../arguments.js';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from '../tool.js';
import type { ToolRequest } from '@systole/protocol';
import type { ClusterConnection } from './cluster-connection.js';
import { callerOf, OK } from './command-line.js';

const OPTIONS: readonly OptionSpec[] = [
  value('fence', '-F', '--fence'),
  value('reboot', '-B', '--reboot'),
  value('unfence', '-U', '--unfence'),
  value('confirm', '-C', '--confirm'),
  value('timeout', '-t', '--timeout'),
  flag('quiet', '-q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

/**
 * `stonith_admin` where it has a node fenced, switched on, or taken for down. Fencing is asked for, and planned with the devices of the configuration: what came of it the history of fencing tells.
 *
 * @returns undefined for what is not its part
 */
export function writeStonithAdmin(call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> | undefined {
  if (!call.args.some((arg) => /^(?:-[A-Za-z]*[FBUC]|--(?:fence|reboot|unfence|confirm))/.test(arg))) return undefined;
  const { options } = parseArguments(call.args, OPTIONS);
  if (options['timeout'] !== undefined)
    throw new ToolFailure(EXIT.UNIMPLEMENTED, 'fencing takes as long as its devices are configured to: leave --timeout out');
  const { fence, reboot, unfence, confirm } = options;
  if (fence !== undefined) return ask({ ask: 'fence', node: fence, action: 'off' }, call, cluster);
  if (reboot !== undefined) return ask({ ask: 'fence', node: reboot, action: 'reboot' }, call, cluster);
  if (unfence !== undefined) return ask({ ask: 'power-on', node: unfence }, call, cluster);
  if (confirm !== undefined) return ask({ ask: 'confirm-down', node: confirm }, call, cluster);
  return undefined;
}

async function ask(request: ToolRequest & { readonly node: string }, call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> {
  if (request.node === '') throw new ToolFailure(EXIT.USAGE, 'the name of the node is needed');
  await cluster.request(request, callerOf(call));
  return OK;
}
