import { installedAgents, SYSTEM_AGENT_DIRECTORIES } from '@systole/ocf';
import { agentText } from './agent-text.js';
import { flag, type OptionSpec, parseArguments, value } from './arguments.js';
import { CibView } from './cib-view.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';

const OPTIONS: readonly OptionSpec[] = [
  flag('installed', '-I', '--list-installed'),
  flag('devices', '-L', '--list-registered'),
  value('device', '-Q', '--query'),
  flag('metadata', '-M', '--metadata'),
  value('agent', '-a', '--agent'),
  value('timeout', '-t', '--timeout'),
  flag('quiet', '-q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

/** `stonith_admin`: the fence agents of this machine and what they say of themselves, and the configured fence devices. */
export async function stonithAdmin(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, OPTIONS);
  const ok = (stdout: string): ToolResult => ({ stdout: options['quiet'] === undefined ? stdout : '', stderr: '', exitCode: EXIT.OK });
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
    throw new ToolFailure(
      EXIT.USAGE,
      "one of -I, -L, -Q, -M is needed; nodes are fenced with 'systole node fence', what was fenced shows 'systole fencing history'",
    );
  const devices = CibView.parse(await cluster.cib()).fenceDevices();
  if (device !== undefined) {
    if (!devices.includes(device)) throw new ToolFailure(EXIT.NO_SUCH, `Could not find fence device ${device}: No such device`);
    return ok(` ${device}\n`);
  }
  const count = devices.length === 0 ? 'No' : String(devices.length);
  return ok(`${devices.map((id) => ` ${id}\n`).join('')}${count} fence device${devices.length === 1 ? '' : 's'} found\n`);
}
