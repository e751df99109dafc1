import { installedAgents, SYSTEM_AGENT_DIRECTORIES } from '@systole/ocf';
import { agentText } from './agent-text.js';
import { flag, type OptionSpec, type ParsedArguments, refuseSeveral, undone, value } from './arguments.js';
import { CibView } from './cib-view.js';
import { devicesAnswer, devicesFor, historyAnswer, historySeen, lastFenced } from './fencing-questions.js';
import { type Answer, cdata, inFormats, listBlock } from './output-format.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster } from './tool.js';
import { askForFencing, fencingAsked } from './writes/stonith-admin.js';

const STONITH_ADMIN: readonly OptionSpec[] = [
  flag('installed', '-I', '--list-installed'),
  flag('devices', '-L', '--list-registered'),
  value('device', '-Q', '--query'),
  flag('metadata', '-M', '--metadata'),
  value('agent', '-a', '--agent'),
  value('fence', '-F', '--fence'),
  value('reboot', '-B', '--reboot'),
  value('unfence', '-U', '--unfence'),
  value('confirm', '-C', '--confirm'),
  value('history', '-H', '--history'),
  value('last', '-h', '--last'),
  value('list', '-l', '--list'),
  flag('cleanup', '-c', '--cleanup'),
  flag('broadcast', '--broadcast'),
  value('timeout', '-t', '--timeout'),
  undone('which devices can fence a node shows --list NODE, and what each is for its configuration', '-s', '--list-targets'),
  undone('a fence device is a resource of the configuration', '-R', '--register', '-D', '--deregister'),
  undone('levels of fencing are in the configuration: fencing-topology', '-r', '--register-level', '-d', '--deregister-level'),
  undone('a fence agent is tried by the monitor of its device: "systole resource debug DEVICE monitor NODE"', '-K', '--validate'),
  undone('how long fencing takes, and is held back, is configured with its device', '-y', '--delay', '--tolerance'),
  undone('what tags say is in the configuration', '-T', '--tag'),
  flag('quiet', '-q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

/** Names of those that say what is to be done; all others say more of that. */
const COMMANDS: ReadonlySet<string> = new Set([
  ...['installed', 'devices', 'device', 'metadata', 'fence', 'reboot', 'unfence', 'confirm', 'history', 'last', 'list'],
]);

/**
 * `stonith_admin`: the fence agents of this machine and what they say of themselves, the configured fence devices, which node can be fenced by which of them, and was; has nodes fenced, switched on, or taken for down.
 */
export const stonithAdmin = inFormats(STONITH_ADMIN, fencingAnswer);

async function fencingAnswer(parsed: ParsedArguments, call: ToolCall, cluster: ToolCluster): Promise<Answer> {
  const { options } = parsed;
  refuseSeveral(STONITH_ADMIN, parsed, COMMANDS);
  for (const extra of ['cleanup', 'broadcast'])
    if (options[extra] !== undefined && options['history'] === undefined)
      throw new ToolFailure(EXIT.USAGE, `--${extra} goes with --history`);
  const asked = fencingAsked(options);
  if (asked !== undefined) return askForFencing(asked, options, call, cluster);
  const { agent, device, history, last, list } = options;
  const form = { isQuiet: options['quiet'] !== undefined, isGathered: options['broadcast'] !== undefined };
  if (history !== undefined && options['cleanup'] !== undefined) return historySeen(history, form, call, cluster);
  if (history !== undefined) return historyAnswer(history, form, cluster);
  if (last !== undefined) return lastFenced(last, cluster);
  if (list !== undefined) return devicesFor(list, cluster);
  if (options['metadata'] !== undefined) {
    if (agent === undefined) throw new ToolFailure(EXIT.USAGE, '--metadata requires --agent');
    const text = await agentText(`stonith:${agent}`, call);
    if (text === undefined) throw new ToolFailure(EXIT.NO_SUCH, "Can't get fence agent meta-data: No such device");
    return { stdout: text, stderr: '', exitCode: EXIT.OK, xml: [`  <metadata>${cdata(text)}</metadata>\n`] };
  }
  if (options['installed'] !== undefined) return agentsAnswer();
  if (options['devices'] === undefined && device === undefined)
    throw new ToolFailure(EXIT.USAGE, 'one of -I, -L, -Q, -M, -l, -H, -h, -F, -B, -U, -C is needed');
  const devices = CibView.parse(await cluster.cib()).fenceDevices();
  if (device === undefined) return devicesAnswer(devices);
  if (!devices.includes(device)) throw new ToolFailure(EXIT.NO_SUCH, `Could not find fence device ${device}: No such device`);
  return { stdout: ` ${device}\n`, stderr: '', exitCode: EXIT.OK };
}

/** The fence agents of this machine. */
async function agentsAnswer(): Promise<Answer> {
  const installed = await installedAgents(SYSTEM_AGENT_DIRECTORIES);
  const types = installed.flatMap((one) => (one.class === 'stonith' ? [one.type] : []));
  const items = types.map((text) => ({ name: 'device', text }));
  const stdout = types.map((type) => `${type}\n`).join('');
  return { stdout, stderr: '', exitCode: EXIT.OK, xml: [listBlock('installed fence devices', items)] };
}
