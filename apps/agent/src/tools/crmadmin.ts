import { flag, type OptionSpec, parseArguments, value } from './arguments.js';
import { CibView, type NodeView } from './cib-view.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';

const OPTIONS: readonly OptionSpec[] = [
  flag('coordinator', '-D', '--dc_lookup'),
  { name: 'nodes', spellings: ['-N', '--nodes'], kind: 'optional' },
  value('status', '-S', '--status'),
  flag('daemon', '-P', '--pacemakerd'),
  flag('health', '-H', '--health'),
  flag('export', '-B', '--bash-export'),
  flag('quiet', '-q', '--quiet'),
  value('timeout', '-t', '--timeout'),
  value('ipcName', '-i', '--ipc-name'),
  flag('verbose', '-V', '--verbose'),
];

/** `crmadmin`: who coordinates the cluster (Systole's servers do), the nodes, and whether one is there. */
export async function crmadmin(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, OPTIONS);
  const isQuiet = options['quiet'] !== undefined;
  const view = CibView.parse(await cluster.cib());
  const ok = (stdout: string): ToolResult => ({ stdout, stderr: '', exitCode: EXIT.OK });
  if (options['coordinator'] !== undefined || options['health'] !== undefined)
    return ok(isQuiet ? 'systole\n' : 'Designated Controller is: systole\n');
  if (options['daemon'] !== undefined) return ok(isQuiet ? 'running\n' : 'Status of pacemakerd: running (systole-agent)\n');
  const { status } = options;
  if (status !== undefined) {
    const node = view.nodes().find(({ id, name }) => name === status || id === status);
    if (node === undefined) throw new ToolFailure(EXIT.NO_SUCH, `there is no node ${status}`);
    const state = node.online ? 'S_NOT_DC' : 'S_OFFLINE';
    return ok(isQuiet ? `${state}\n` : `Controller on ${node.name} in state ${state}: ${node.online ? 'ok' : 'not joined'}\n`);
  }
  if (options['nodes'] === undefined) throw new ToolFailure(EXIT.USAGE, 'Must specify a command option: -D, -N, -S or -P');
  const line = options['export'] === undefined ? lineOf : exportOf;
  return ok(
    view
      .nodes()
      .map((node) => `${line(node)}\n`)
      .join(''),
  );
}

const lineOf = ({ name, id, kind }: NodeView): string => `${kind} node: ${name} (${id})`;
const exportOf = ({ name, id }: { readonly name: string; readonly id: string }): string => `export ${name}=${id}`;
