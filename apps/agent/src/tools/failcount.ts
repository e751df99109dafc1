import { flag, type OptionSpec, parseArguments, refuseSeveral, value } from './arguments.js';
import { CibView } from './cib-view.js';
import { deleteFailures } from './writes/crm-failcount.js';
import { intervalOf } from './writes/command-line.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';

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

/** From here on nobody counts. */
const INFINITY = 1_000_000;

/**
 * `crm_failcount`: how often operations of a resource have failed on a node (`--query`); of one operation, with one interval, when they are named. `--delete`, and its older form `-v 0`, have them
 * forgotten.
 */
export async function crmFailcount(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const parsed = parseArguments(call.args, OPTIONS);
  const { options } = parsed;
  refuseSeveral(OPTIONS, parsed, new Set(['query', 'delete']));
  refuseSeveral(OPTIONS, parsed, new Set(['query', 'update']));
  const isDeletion = options['delete'] !== undefined || options['update'] === '0';
  if (options['query'] === undefined && options['update'] !== undefined && !isDeletion)
    throw new ToolFailure(EXIT.USAGE, 'a fail count is deleted (-D), or set to 0; no other value can be set');
  if (options['query'] === undefined && !isDeletion) throw new ToolFailure(EXIT.USAGE, 'must specify a command: --query or --delete');
  const { resource = call.env['OCF_RESOURCE_INSTANCE'], node = cluster.node, operation } = options;
  if (resource === undefined || resource === '') throw new ToolFailure(EXIT.USAGE, 'resource name required: --resource');
  if (options['query'] === undefined) return deleteFailures(resource, options, call, cluster);
  const view = CibView.parse(await cluster.cib());
  if (!view.nodes().some(({ id, name }) => name === node || id === node))
    throw new ToolFailure(EXIT.NO_SUCH, `there is no node ${node}: its fail count can't be told`);
  // Without an operation an interval says nothing, and is passed over.
  const suffix = operation === undefined ? '' : `#${operation}_${intervalOf(options['interval'] ?? '0')}`;
  const name = `fail-count-${resource}`;
  const count = sumOf(
    [...view.transientAttributes(node)].filter(([one]) => (suffix === '' ? isAnyOf(name, one) : one === `${name}${suffix}`)),
  );
  const text = count >= INFINITY ? 'INFINITY' : String(count);
  const line = options['quiet'] === undefined ? `scope=status  name=${name}${suffix} value=${text}` : text;
  return { stdout: `${line}\n`, stderr: '', exitCode: EXIT.OK };
}

function isAnyOf(name: string, attribute: string): boolean {
  return attribute === name || attribute.startsWith(`${name}#`);
}

function sumOf(counts: readonly (readonly [string, string])[]): number {
  return counts.reduce((sum, [, count]) => sum + (/^\+?inf/i.test(count) ? INFINITY : Math.max(0, Number.parseInt(count, 10) || 0)), 0);
}
