import { element, parseXml, placementConstraints, primitiveIdOf, serializeXml, type XmlElement } from '@systole/cib';
import type { ParsedArguments } from '../arguments.js';
import { CibView } from '../cib-view.js';
import { pairIn } from '../crm-resource-digests.js';
import type { Answer } from '../output-format.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from '../tool.js';
import { restart } from './restart.js';
import type { ClusterConnection } from './cluster-connection.js';
import { callerOf, intervalOf, OK, said } from './command-line.js';
import { forceOperation, FORCED, validateGiven } from './forced-operation.js';
import { resourceIn, writtenValue } from './written-values.js';

export type Write = (parsed: ParsedArguments, call: ToolCall, cluster: ToolCluster) => Promise<Answer>;

const WRITES: Readonly<Record<string, Write>> = {
  ban,
  move,
  clear,
  cleanup: (...call) => forget('clean-up', ...call),
  refresh: (...call) => forget('refresh', ...call),
  fail: (...call) => countAsFailed(...call),
  restart: (parsed, call, cluster) => restart(resourceNamed(parsed), parsed, call, cluster),
  deleteResource: (...call) => removeResource(...call),
  property: (...call) => setProperty(...call),
  set: (...call) => setValue(true, ...call),
  deleteParameter: (...call) => setValue(false, ...call),
};

/** What of these a call of `crm_resource` asks for; undefined: it only asks. */
export function writeAsked({ options }: ParsedArguments): Write | undefined {
  const name = Object.keys(WRITES).find((one) => options[one] !== undefined);
  if (name !== undefined) {
    refuseUndone(name, options);
    return WRITES[name];
  }
  const forced = Object.keys(FORCED).find((one) => options[one] !== undefined);
  if (forced === undefined) return undefined;
  if (forced === 'validate' && options['resource'] === undefined) return async (parsed, _call, cluster) => validateAgent(parsed, cluster);
  return async (parsed, _call, cluster) => forceOperation(forced, resourceNamed(parsed), cluster);
}

/** `--validate` with an agent and parameters. */
async function validateAgent({ options, given }: ParsedArguments, cluster: ToolCluster): Promise<Answer> {
  const { class: standard, provider, agent } = options;
  if (standard === undefined || agent === undefined)
    throw new ToolFailure(EXIT.USAGE, '--validate needs a resource (-r), or --class and --agent, and --provider where the class has one');
  const parameters = given.flatMap(([name, text]) => (name === 'option' ? [pairIn(text)] : []));
  return validateGiven(
    { class: standard, type: agent, ...(provider === undefined ? {} : { provider }) },
    Object.fromEntries(parameters),
    cluster,
  );
}

/** `--fail`: the resource counts as failed where it is active, and is recovered. */
async function countAsFailed(parsed: ParsedArguments, call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const resource = resourceNamed(parsed);
  const { node } = parsed.options;
  if (node === undefined) throw new ToolFailure(EXIT.USAGE, 'Must supply a node name with -N');
  await cluster.request({ ask: 'fail', resource, node }, callerOf(call));
  return OK;
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
  // What is gone nobody can name afterwards.
  const before = leftBehind(await cluster.cib(), resource);
  await cluster.request({ ask: 'clear', resource, ...only }, callerOf(call));
  const remaining = new Set(before.length === 0 ? [] : leftBehind(await cluster.cib(), resource));
  const gone = before.filter((id) => !remaining.has(id));
  return said(gone.map((id) => `Removing constraint: ${id}\n`).join(''));
}

function leftBehind(cib: string, resource: string): readonly string[] {
  return placementConstraints(parseXml(cib), resource).map(({ element: { attributes } }) => attributes['id'] ?? '');
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
  const name = options[isSet ? 'set' : 'deleteParameter'] ?? '';
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

/** Kinds of what `--resource-type` may name. */
const KINDS: ReadonlySet<string> = new Set(['primitive', 'group', 'clone', 'master', 'bundle', 'template']);

function kindNamed({ options: { kind } }: ParsedArguments): string {
  if (kind === undefined) throw new ToolFailure(EXIT.USAGE, 'You need to specify a resource type with -t');
  if (!KINDS.has(kind)) throw new ToolFailure(EXIT.USAGE, `there is no resource type ${kind}`);
  return kind;
}

/** `--delete`: takes the element out of the configuration, unless others refer to it. */
async function removeResource(parsed: ParsedArguments, call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const resource = resourceNamed(parsed);
  const xml = serializeXml(element(kindNamed(parsed), { id: resource }));
  if (resourceIn(await cluster.cib(), resource) === undefined)
    throw new ToolFailure(EXIT.NO_SUCH, `Resource '${resource}' not found\nError performing operation: No such object`);
  await cluster.request({ ask: 'change-document', changes: [{ operation: 'delete', xml }] }, callerOf(call));
  return OK;
}

/** `--set-property`: an attribute of the element itself. */
async function setProperty(parsed: ParsedArguments, call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const resource = resourceNamed(parsed);
  const { property = '', value } = parsed.options;
  const kind = kindNamed(parsed);
  if (property === '' || property === 'id' || value === undefined)
    throw new ToolFailure(EXIT.USAGE, 'Must supply the name of a property that can be set, and a value with -v');
  const xml = serializeXml(element(kind, { id: resource, [property]: value }));
  await cluster.request({ ask: 'change-document', changes: [{ operation: 'modify', xml }] }, callerOf(call));
  return OK;
}
