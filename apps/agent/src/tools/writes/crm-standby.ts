import { flag, type OptionSpec, parseArguments, refuseSeveral, value } from '../arguments.js';
import { crmAttribute } from '../attributes.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from '../tool.js';

const OPTIONS: readonly OptionSpec[] = [
  flag('query', '-G', '--query', '--get-value'),
  value('update', '-v', '--update', '--attr-value'),
  flag('delete', '-D', '--delete', '--delete-attr'),
  value('node', '-N', '--node', '-U', '--uname'),
  value('lifetime', '-l', '--lifetime'),
  flag('quiet', '-q', '-Q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

/** `crm_standby`: the attribute `standby` of a node, as `crm_attribute` writes and reads it; permanent where nothing is said. */
export function crmStandby(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const parsed = parseArguments(call.args, OPTIONS);
  const { options } = parsed;
  refuseSeveral(OPTIONS, parsed, new Set(['query', 'update', 'delete']));
  const { node = cluster.node, lifetime = 'forever', update } = options;
  const command =
    update !== undefined
      ? ['-v', update]
      : options['delete'] !== undefined
        ? ['-D']
        : options['query'] !== undefined
          ? ['-G', '-d', 'off']
          : undefined;
  if (command === undefined) throw new ToolFailure(EXIT.USAGE, 'one of -G -v -D is needed');
  const quiet = options['quiet'] === undefined ? [] : ['-q'];
  return crmAttribute({ ...call, args: ['-N', node, '-n', 'standby', '-l', lifetime, ...command, ...quiet] }, cluster);
}
