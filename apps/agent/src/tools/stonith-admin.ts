import { installedAgents, SYSTEM_AGENT_DIRECTORIES } from '@systole/ocf';
import { agentText } from './agent-text.js';
import { flag, type OptionSpec, parseArguments, undone, value } from './arguments.js';
import { CibView } from './cib-view.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';
import { askForFencing, fencingAsked } from './writes/stonith-admin.js';

const OPTIONS: readonly OptionSpec[] = [
  flag('installed', '-I', '--list-installed'),
  flag('devices', '-L', '--list-registered'),
  value('device', '-Q', '--query'),
  flag('metadata', '-M', '--metadata'),
  value('agent', '-a', '--agent'),
  value('fence', '-F', '--fence'),
  value('reboot', '-B', '--reboot'),
  value('unfence', '-U', '--unfence'),
  value('confirm', '-C', '--confirm'),
  value('timeout', '-t', '--timeout'),
  undone('what was fenced, and when, shows "systole fencing history"', '-H', '--history', '-h', '--last', '-c', '--cleanup', '--broadcast'),
  undone('which devices can fence a node shows "systole fencing devices"', '-l', '--list', '-s', '--list-targets'),
  undone('a fence device is a resource of the configuration', '-R', '--register', '-D', '--deregister'),
  undone('levels of fencing are in the configuration: fencing-topology', '-r', '--register-level', '-d', '--deregister-level'),
  undone('a fence agent is tried by the monitor of its device: "systole resource debug DEVICE monitor NODE"', '-K', '--validate'),
  undone('how long fencing takes, and is held back, is configured with its device', '-y', '--delay', '--tolerance'),
  undone('answers are text', '--output-as', '--output-to'),
  undone('what tags say is in the configuration', '-T', '--tag'),
  flag('quiet', '-q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

/**
 * `stonith_admin`: the fence agents of this machine and what they say of themselves, the configured fence devices; has nodes fenced, switched on, or taken for down.
 */
export async function stonithAdmin(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, OPTIONS);
  const ok = (stdout: string): ToolResult => ({ stdout: options['quiet'] === undefined ? stdout : '', stderr: '', exitCode: EXIT.OK });
  const asked = fencingAsked(options);
  if (asked !== undefined) return askForFencing(asked, options, call, cluster);
  const { agent, device } = options;
  if (options['metadata'] !== undefined) {
    if (agent === undefined) throw new ToolFailure(EXIT.USAGE, '--metadata requires --agent');
    const text = await agentText(`stonith:${agent}`, call);
    if (text === undefined) throw new ToolFailure(EXIT.NO_SUCH, "Can't get fence agent meta-data: No such device");
    return ok(text);
  }
  if (options['installed'] !== undefined) {
    const installed = await installedAgents(SYSTEM_AGENT_DIRECTORIES);
    return ok(installed.flatMap((one) => (one.class === 'stonith' ? [`${one.type}\n`] : [])).join(''));
  }
  if (options['devices'] === undefined && device === undefined)
    throw new ToolFailure(EXIT.USAGE, 'one of -I, -L, -Q, -M, -F, -B, -U, -C is needed');
  const devices = CibView.parse(await cluster.cib()).fenceDevices();
  if (device !== undefined) {
    if (!devices.includes(device)) throw new ToolFailure(EXIT.NO_SUCH, `Could not find fence device ${device}: No such device`);
    return ok(` ${device}\n`);
  }
  const count = String(devices.length);
  return ok(`${devices.map((id) => `${id}\n`).join('')}${count} fence device${devices.length === 1 ? '' : 's'} found\n`);
}
