import { element, parseInterval } from '@systole/cib';
import { carriableText, LIMITS, type AttributeChange } from '@systole/protocol';
import { flag, type OptionSpec, type ParsedArguments, value } from './arguments.js';
import { DONE, namesLike, otherNode, writeAttribute } from './attribute-change.js';
import { type Answer, blocks, inFormats } from './output-format.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster } from './tool.js';

type Options = ParsedArguments['options'];

const ATTRD_UPDATER: readonly OptionSpec[] = [
  value('name', '-n', '--name'),
  value('pattern', '-P', '--pattern'),
  value('update', '-U', '-v', '--update'),
  value('both', '-B', '--update-both'),
  flag('delay-only', '-Y', '--update-delay'),
  flag('query', '-Q', '--query'),
  flag('all', '-A', '--all'),
  flag('delete', '-D', '--delete'),
  value('node', '-N', '--node'),
  value('delay', '-d', '--delay'),
  value('section', '-S'),
  value('set', '-s', '--set'),
  value('wait', '-W', '--wait'),
  // Pacemaker passes it over: what it writes lasts until the reboot. pgsqlms says it each time.
  value('lifetime', '-l', '--lifetime'),
  flag('private', '-p', '--private'),
  flag('refresh', '-R', '--refresh'),
  flag('quiet', '-q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

/** `attrd_updater`: what is set until the reboot, with dampening, counting up, patterns and private attributes (specification 12 §3). */
export const attrdUpdater = inFormats(ATTRD_UPDATER, askOrWrite);

async function askOrWrite({ options }: ParsedArguments, _call: ToolCall, cluster: ToolCluster): Promise<Answer> {
  if (options['refresh'] !== undefined) return DONE;
  const { name, pattern } = options;
  if (name === undefined && pattern === undefined) throw new ToolFailure(EXIT.USAGE, 'Command requires --name argument');
  if (name !== undefined && pattern !== undefined) throw new ToolFailure(EXIT.USAGE, 'give a --name or a --pattern, not both');
  checkSupported(options);
  const command = commandOf(options);
  if (command === 'query') {
    if (name === undefined) throw new ToolFailure(EXIT.USAGE, '--pattern goes with --update, --update-both, --update-delay and --delete');
    return query(carriableText(name), options, cluster);
  }
  const delay = delayOf(command, options);
  if (delay === undefined && (command === 'both' || command === 'delay-only'))
    return { ...DONE, stderr: `Warning: '${command === 'both' ? 'B' : 'Y'}' command given without required --delay\n` };
  const names = name === undefined ? await namesLike(pattern ?? '', options['node'], cluster) : [name];
  const update = command === 'delete' ? undefined : (options[command === 'both' ? 'both' : 'update'] ?? '');
  const { node } = options;
  for (const one of names) {
    await writeAttribute(
      {
        ...{ name: one, lifetime: 'reboot', update, isPrivate: options['private'] !== undefined },
        ...(node === undefined ? {} : { node }),
        ...(delay === undefined ? {} : { delay }),
      },
      cluster,
    );
  }
  return DONE;
}

type Command = 'update' | 'both' | 'delay-only' | 'delete' | 'query';

/** Whoever names no command asks. */
function commandOf(options: Options): Command {
  const commands = (['update', 'both', 'delay-only', 'delete', 'query'] as const).filter((command) => options[command] !== undefined);
  if (commands.length > 1) throw new ToolFailure(EXIT.USAGE, 'give one of --update, --update-both, --update-delay, --delete and --query');
  return commands[0] ?? 'query';
}

function checkSupported(options: Options): void {
  const { wait, section, set } = options;
  // Whatever is written is acknowledged by the server when it is known to the whole cluster: nobody waits for less.
  if (wait !== undefined && !['no', 'local', 'cluster'].includes(wait))
    throw new ToolFailure(EXIT.USAGE, `--wait is no, local or cluster, not '${wait}'`);
  if (section !== undefined && section !== 'status')
    throw new ToolFailure(EXIT.UNIMPLEMENTED, `attrd_updater writes to the section status, not to '${section}': use crm_attribute`);
  if (set !== undefined) throw new ToolFailure(EXIT.UNIMPLEMENTED, 'attributes of nodes are found by their names alone: leave --set away');
}

function delayOf(command: Command, options: Options): AttributeChange['delay'] {
  const text = options['delay'];
  // What is cleared waits as long as the attribute's changes do.
  if (text === undefined || command === 'delete') return undefined;
  const ms = parseInterval(text);
  if (ms === undefined || ms < 0 || ms > LIMITS.attributeDelayMs)
    throw new ToolFailure(EXIT.USAGE, `--delay is a time such as 5s, of at most a day, not '${text}'`);
  return { ms, sets: command === 'both' ? 'also' : command === 'delay-only' ? 'only' : 'new' };
}

async function query(name: string, options: Options, cluster: ToolCluster): Promise<Answer> {
  const all = options['all'] !== undefined;
  const { node } = options;
  const own = all || otherNode(node, cluster) === undefined ? cluster.transient.own.get(name) : undefined;
  // What stays on this node needs nobody else to be read there.
  const told = own !== undefined && !all ? [] : await cluster.transient.read(all ? { name } : { name, node: node ?? cluster.node });
  const others = told.filter((one) => own === undefined || one.node !== cluster.node);
  const found = [...(own === undefined ? [] : [{ node: cluster.node, name, value: own }]), ...others];
  if (found.length === 0) throw new ToolFailure(EXIT.UNKNOWN_ATTRIBUTE, `Could not query value of ${name}: attribute does not exist`);
  const xml = blocks(...found.map((one) => element('attribute', { name: one.name, value: one.value, host: one.node })));
  return { ...DONE, stdout: found.map((one) => `name="${one.name}" host="${one.node}" value="${one.value}"\n`).join(''), xml };
}
