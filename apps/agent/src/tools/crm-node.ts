import { flag, parseArguments, value, undone } from './arguments.js';
import { CibView } from './cib-view.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';
import { removeNode } from './writes/crm-node.js';

const ok = (stdout: string): ToolResult => ({ stdout, stderr: '', exitCode: EXIT.OK });

/** `crm_node`: this node's name and id, the list of nodes, the partition, quorum; `--remove` takes a node out of the configuration. */
export async function crmNode(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, [
    flag('name', '-n', '--name'),
    flag('id', '-i', '--cluster-id'),
    flag('list', '-l', '--list'),
    flag('partition', '-p', '--partition'),
    flag('quorum', '-q', '--quorum'),
    value('nameOf', '-N', '--name-for-id'),
    value('remove', '-R', '--remove'),
    flag('force', '-f', '--force'),
    flag('quiet', '-Q', '--quiet'),
    undone('answers are text', '--output-as', '--output-to'),
    flag('verbose', '-V', '--verbose'),
  ]);
  const { remove } = options;
  if (remove !== undefined) return removeNode(remove, options['force'] !== undefined, call, cluster);
  if (options['name'] !== undefined) return ok(`${cluster.node}\n`);
  if (options['id'] !== undefined) return ok(`${cluster.nodeId}\n`);
  const view = CibView.parse(await cluster.cib());
  // Members of the cluster and of its partition are its own nodes; a remote node has no vote, and is in no partition.
  const nodes = view.nodes().filter(({ kind }) => kind === 'cluster');
  if (options['list'] !== undefined)
    return ok(nodes.map(({ id, name, online }) => `${id} ${name} ${online ? 'member' : 'lost'}\n`).join(''));
  if (options['partition'] !== undefined) {
    const members = nodes.filter((node) => node.online).map((node) => node.name);
    return ok(`${members.join(' ')} \n`);
  }
  if (options['quorum'] !== undefined) return ok(view.quorate ? '1\n' : '0\n');
  const wanted = options['nameOf'];
  if (wanted === undefined) throw new ToolFailure(EXIT.USAGE, 'one of -n -i -l -p -q -N -R is needed');
  const found = nodes.find((node) => node.id === wanted);
  if (found === undefined) throw new ToolFailure(EXIT.NO_HOST, 'Node is not known to cluster');
  return ok(`${found.name}\n`);
}
