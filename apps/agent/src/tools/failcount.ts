import { parseArguments, type OptionSpec } from './arguments.js';
import { instanceOf, printValue } from './attributes.js';
import { CibView } from './cib-view.js';
import type { ToolCall, ToolCluster, ToolResult } from './tool.js';

const flag = (name: string, ...spellings: string[]): OptionSpec => ({ name, spellings, kind: 'flag' });
const value = (name: string, ...spellings: string[]): OptionSpec => ({ name, spellings, kind: 'value' });

/** `crm_failcount --query`. */
export async function crmFailcount(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, [
    flag('query', '-G', '--query', '--get-value'),
    value('resource', '-r', '--resource'),
    value('node', '-N', '--node', '-U', '--uname'),
    value('operation', '-n', '--operation'),
    value('interval', '-I', '--interval'),
    flag('quiet', '-q', '-Q', '--quiet'),
    flag('verbose', '-V', '--verbose'),
  ]);
  const resource = options['resource'] ?? instanceOf(call);
  const attributes = CibView.parse(await cluster.cib()).transientAttributes(options['node'] ?? cluster.node);
  const prefix = `fail-count-${resource}`;
  const counts = [...attributes]
    .filter(
      ([name]) =>
        name === prefix || name.startsWith(options['operation'] === undefined ? `${prefix}#` : `${prefix}#${options['operation']}_`),
    )
    .map(([, count]) => (count === 'INFINITY' ? Infinity : Number(count)));
  const sum = counts.reduce((total, count) => total + count, 0);
  const text = sum >= 1_000_000 ? 'INFINITY' : String(sum);
  return printValue('status', prefix, text, options['quiet'] !== undefined);
}
