import { primitiveIdOf, type XmlElement } from '@systole/cib';
import { flag, type OptionSpec, parseArguments, type ParsedArguments, value } from '../arguments.js';
import { CibView } from '../cib-view.js';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from '../tool.js';
import type { ClusterConnection } from './cluster-connection.js';
import { callerOf, intervalOf, OK, said } from './command-line.js';
import { forceOperation, FORCED } from './forced-operation.js';
import { resourceIn, writtenValue } from './written-values.js';

const COMMANDS = {
  ban: ['-B', '--ban'],
  clear: ['-U', '--clear', '--un-move', '--unmove'],
  move: ['-M', '--move'],
  cleanup: ['-C', '--cleanup'],
  refresh: ['-R', '--refresh', '-P', '--reprobe'],
} as const;

const OPTIONS: readonly OptionSpec[] = [
  ...Object.entries(COMMANDS).map(([name, spellings]) => flag(name, ...spellings)),
  ...Object.keys(FORCED).map((name) => flag(name, `--${name}`)),
  { name: 'force-check', spellings: ['--force-check'], kind: 'optional' },
  value('set', '-p', '--set-parameter'),
  value('delete', '-d', '--delete-parameter'),
  value('value', '-v', '--parameter-value'),
  value('resource', '-r', '--resource'),
  value('node', '-N', '--node', '-H', '--host-uname'),
  value('lifetime', '-u', '--lifetime'),
  value('operation', '-n', '--operation'),
  value('interval', '-I', '--interval'),
  flag('promoted', '--promoted', '--master'),
  flag('expired', '-e', '--expired'),
  flag('meta', '-m', '--meta'),
  flag('utilization', '-z', '--utilization'),
  flag('force', '-f', '--force'),
  flag('recursive', '--recursive'),
  flag('quiet', '-q', '-Q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

type Write = (parsed: ParsedArguments, call: ToolCall, cluster: ClusterConnection) => Promise<ToolResult>;

const WRITES: Readonly<Record<string, Write>> = {
  ban,
  move,
  clear,
  cleanup: (...call) => forget('clean-up', ...call),
  refresh: (...call) => forget('refresh', ...call),
  set: (...call) => setValue(true, ...call),
  delete: (...call) => setValue(false, ...call),
};

/**
 * `crm_resource` where it changes something.
 *
 * @returns undefined for what is not its part
 */
export function writeCrmResource(call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> | undefined {
  const parsed = mine(call);
  if (parsed === undefined) return undefined;
  const { options } = parsed;
  for (const [name, write] of Object.entries(WRITES)) {
    if (options[name] === undefined) continue;
    refuseUndone(name, options);
    return write(parsed, call, cluster);
  }
  const forced = Object.keys(FORCED).find((name) => options[name] !== undefined);
  if (forced !== undefined) return forceOperation(forced, resourceNamed(parsed), cluster);
  return undefined;
}

/** What would make another command of it is not passed over. @throws {ToolFailure} */
function refuseUndone(command: string, options: ParsedArguments['options']): void {
  const undone = [
    ...(options['force'] === undefined ? [] : ['--force']),
    ...(options['recursive'] === undefined ? [] : ['--recursive']),
    ...(command === 'clear' && options['promoted'] !== undefined ? ['--promoted'] : []),
  ];
  if (undone.length > 0) throw new ToolFailure(EXIT.UNIMPLEMENTED, `${undone.join(', ')} is not done here: leave it out, or use "systole"`);
}

function mine(call: ToolCall): ParsedArguments | undefined {
  try {
    return parseArguments(call.args, OPTIONS);
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}

function resourceNamed({ options }: ParsedArguments): string {
  const { resource } = options;
  if (resource === undefined || resource === '') throw new ToolFailure(EXIT.USAGE, 'Must supply a resource id with -r');
  return resource;
}

/** What a ban or a move says beside the resource. */
function placementOf({ options }: ParsedArguments) {
  const { node, lifetime, promoted } = options;
  return {
    ...(node === undefined ? {} : { node }),
    ...(promoted === undefined ? {} : { promoted: true as const }),
    ...(lifetime === undefined ? {} : { lifetime }),
  };
}

async function ban(parsed: ParsedArguments, call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> {
  const resource = primitiveIdOf(resourceNamed(parsed));
  await cluster.request({ ask: 'ban', resource, ...placementOf(parsed) }, callerOf(call));
  return said('', banWarning(resource, parsed.options['node']));
}

function banWarning(resource: string, node: string | undefined): string {
  const where = node ?? 'the node where it was active';
  return `WARNING: ${resource} is kept off ${where} by a constraint with a score of -INFINITY until that is taken away (crm_resource --clear), also if no other node is left\n`;
}

async function move(parsed: ParsedArguments, call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> {
  const resource = primitiveIdOf(resourceNamed(parsed));
  await cluster.request({ ask: 'move', resource, ...placementOf(parsed) }, callerOf(call));
  return parsed.options['node'] === undefined ? said('', banWarning(resource, undefined)) : OK;
}

async function clear(parsed: ParsedArguments, call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> {
  const { node, expired } = parsed.options;
  const resource = primitiveIdOf(resourceNamed(parsed));
  const only = { ...(node === undefined ? {} : { node }), ...(expired === undefined ? {} : { expired: true as const }) };
  await cluster.request({ ask: 'clear', resource, ...only }, callerOf(call));
  return OK;
}

async function forget(
  ask: 'clean-up' | 'refresh',
  parsed: ParsedArguments,
  call: ToolCall,
  cluster: ClusterConnection,
): Promise<ToolResult> {
  const { resource: named, node, operation, interval } = parsed.options;
  if (operation !== undefined && named === undefined) throw new ToolFailure(EXIT.USAGE, '--operation needs --resource');
  if (interval !== undefined && operation === undefined) throw new ToolFailure(EXIT.USAGE, '--interval needs --operation');
  if (ask === 'refresh' && operation !== undefined) throw new ToolFailure(EXIT.USAGE, '--operation goes with --cleanup only');
  const resource = named === undefined ? undefined : primitiveIdOf(named);
  const of = { ...(resource === undefined ? {} : { resource }), ...(node === undefined ? {} : { node }) };
  if (ask === 'refresh') await cluster.request({ ask, ...of }, callerOf(call));
  else {
    const filter = {
      ...(operation === undefined ? {} : { operation }),
      // As the real one has it: of one operation, the one without an interval is meant where none is given.
      ...(operation === undefined ? {} : { intervalMs: intervalOf(interval ?? '0') }),
    };
    await cluster.request({ ask, ...of, ...filter }, callerOf(call));
  }
  return said(await cleanedUp(resource, node, cluster));
}

/** One line for each node, as the real one prints it. */
async function cleanedUp(resource: string | undefined, node: string | undefined, cluster: ClusterConnection): Promise<string> {
  if (resource === undefined) return `Cleaned up all resources on ${node ?? 'all nodes'}\n`;
  const nodes =
    node === undefined
      ? CibView.parse(await cluster.cib())
          .nodes()
          .map(({ name }) => name)
      : [node];
  return nodes.map((name) => `Cleaned up ${resource} on ${name}\n`).join('');
}

/** `--set-parameter`, `--delete-parameter`. */
async function setValue(isSet: boolean, parsed: ParsedArguments, call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> {
  const { options } = parsed;
  const name = options[isSet ? 'set' : 'delete'] ?? '';
  const kind =
    options['meta'] !== undefined ? 'meta_attributes' : options['utilization'] !== undefined ? 'utilization' : 'instance_attributes';
  if (name === '') throw new ToolFailure(EXIT.USAGE, 'the name of the parameter is needed');
  if (isSet && options['value'] === undefined) throw new ToolFailure(EXIT.USAGE, 'Must supply a value with -v');
  const resource = primitiveIdOf(resourceNamed(parsed));
  const before = isSet ? undefined : valueOf(await cluster.cib(), resource, kind, name);
  await cluster.request(
    { ask: 'set-resource-value', resource, kind, name, value: isSet ? (options['value'] ?? '') : null },
    callerOf(call),
  );
  if (!isSet) return before === undefined ? OK : said(`Deleted '${before.owner}' option: id=${before.id} name=${name}\n`);
  const now = valueOf(await cluster.cib(), resource, kind, name);
  if (now === undefined) return OK;
  const elsewhere = now.owner === resource ? '' : `Performing update of '${name}' on '${now.owner}', the parent of '${resource}'\n`;
  return said(`${elsewhere}Set '${now.owner}' option: id=${now.id} set=${now.set} name=${name} value=${now.value}\n`);
}

/** Where a value of a resource is written: a meta-attribute of what stands in a clone is the clone's. */
function valueOf(cib: string, resource: string, kind: string, name: string) {
  const found = resourceIn(cib, resource);
  const isPattern = found?.parent !== undefined && found.parent.name !== 'group';
  const owner: XmlElement | undefined = kind === 'meta_attributes' && isPattern ? found.parent : found?.element;
  const written = writtenValue(owner, kind, name);
  return written === undefined ? undefined : { ...written, owner: owner?.attributes['id'] ?? resource };
}
