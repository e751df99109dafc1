import { installedAgents, SYSTEM_AGENT_DIRECTORIES } from '@systole/ocf';
import { agentText } from './agent-text.js';
import { flag, optional, type OptionSpec, parseArguments, type ParsedArguments, undone, value } from './arguments.js';
import { CibView } from './cib-view.js';
import { constraintLines } from './constraints-of.js';
import { pendingActions, settle } from './monitor/settling.js';
import { performMonitor } from './monitor/tasks.js';
import type { ResourceQuestion } from './monitor/resource-questions.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';
import { writeAsked } from './writes/crm-resource.js';
import { FORCED } from './writes/forced-operation.js';
import { patienceIn } from './writes/restart.js';

const ok = (stdout: string): ToolResult => ({ stdout, stderr: '', exitCode: EXIT.OK });

const OF_AGENTS = 'an agent is tried by "systole-agent test", and by --force-check and its like with what is configured';

/** All that `crm_resource` takes, whatever it is asked for. */
const OPTIONS: readonly OptionSpec[] = [
  value('resource', '-r', '--resource'),
  value('get', '-g', '--get-parameter'),
  value('ownProperty', '-G', '--get-property'),
  value('property', '-S', '--set-property'),
  value('kind', '-t', '--resource-type'),
  flag('meta', '-m', '--meta'),
  flag('utilization', '-z', '--utilization'),
  value('node', '-N', '--node', '-H', '--host-uname'),
  flag('locate', '-W', '--locate'),
  flag('names', '-l', '--list-raw'),
  flag('list', '-L', '--list'),
  flag('xml', '-q', '--query-xml'),
  flag('rawXml', '-w', '--query-xml-raw'),
  flag('constraints', '-a', '--constraints', '-A', '--stack'),
  flag('operations', '-O', '--list-operations'),
  flag('allOperations', '-o', '--list-all-operations'),
  flag('why', '-Y', '--why'),
  flag('standards', '--list-standards'),
  optional('providers', '--list-ocf-providers'),
  value('alternatives', '--list-ocf-alternatives'),
  value('agents', '--list-agents'),
  value('metadata', '--show-metadata'),
  flag('wait', '--wait'),
  value('timeout', '-T', '--timeout'),
  flag('ban', '-B', '--ban'),
  flag('clear', '-U', '--clear', '--un-move', '--unmove', '--un-migrate', '--unmigrate'),
  flag('move', '-M', '--move', '--migrate'),
  flag('cleanup', '-C', '--cleanup'),
  flag('refresh', '-R', '--refresh', '-P', '--reprobe'),
  flag('restart', '--restart'),
  flag('deleteResource', '-D', '--delete'),
  ...Object.keys(FORCED).map((name) => (name === 'force-check' ? optional(name, `--${name}`) : flag(name, `--${name}`))),
  value('set', '-p', '--set-parameter'),
  value('deleteParameter', '-d', '--delete-parameter'),
  value('value', '-v', '--parameter-value'),
  value('lifetime', '-u', '--lifetime'),
  value('operation', '-n', '--operation'),
  value('interval', '-I', '--interval'),
  flag('promoted', '--promoted', '--master'),
  flag('expired', '-e', '--expired'),
  flag('force', '-f', '--force'),
  flag('recursive', '--recursive'),
  undone('a failure is what an agent reports: have the resource fail', '-F', '--fail'),
  undone(OF_AGENTS, '--validate', '--class', '--provider', '--agent', '--option'),
  undone("digests of parameters are the servers' own", '--digests'),
  undone('a parameter is found by its name: leave the id and the set out', '-i', '--nvpair', '-s', '--set-name'),
  undone('answers are text', '--output-as', '--output-to'),
  flag('quiet', '-Q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

type Options = ParsedArguments['options'];

/** `crm_resource`: what it asks and what it has done. Without a command it lists the resources. */
export async function crmResource(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const parsed = parseArguments(call.args, OPTIONS);
  const { options, operands } = parsed;
  if (operands.length > 0)
    throw new ToolFailure(
      EXIT.USAGE,
      `non-option ARGV-elements:\n${operands.map((one, at) => `[${String(at + 1)} of ${String(operands.length)}] ${one}`).join('\n')}`,
    );
  const write = writeAsked(parsed);
  if (write !== undefined) return write(parsed, call, cluster);
  if (options['wait'] !== undefined) return atRest(patienceIn(parsed), call, cluster);
  const ofAgents = await agentAnswer(options, call);
  if (ofAgents !== undefined) return ofAgents;
  if (options['names'] !== undefined) return ask({ about: 'names' }, call, cluster);
  const { node } = options;
  const where = node === undefined ? {} : { node };
  if (options['why'] !== undefined) return ask({ about: 'why', ...where, ...resourceIn(options) }, call, cluster);
  if (options['operations'] !== undefined || options['allOperations'] !== undefined) {
    return ask({ about: 'operations', isAll: options['allOperations'] !== undefined, ...where, ...resourceIn(options) }, call, cluster);
  }
  const { resource, get, ownProperty: property } = options;
  const isOfOne = ['get', 'ownProperty', 'locate', 'xml', 'rawXml', 'constraints'].some((name) => options[name] !== undefined);
  if (!isOfOne) return ask({ about: 'list' }, call, cluster);
  if (resource === undefined) throw new ToolFailure(EXIT.USAGE, 'Must supply a resource id with -r');
  if (options['locate'] !== undefined) return ask({ about: 'locate', resource, isQuiet: options['quiet'] !== undefined }, call, cluster);
  if (options['xml'] !== undefined || options['rawXml'] !== undefined) return ask({ about: 'definition', resource }, call, cluster);
  const view = CibView.parse(await cluster.cib());
  const configured = view.configured(resource);
  if (configured === undefined) throw unknown(resource);
  if (get !== undefined) {
    const set =
      options['meta'] !== undefined ? 'meta_attributes' : options['utilization'] !== undefined ? 'utilization' : 'instance_attributes';
    const found = view.resourceAttribute(resource, set, get, node ?? cluster.node);
    if (found === undefined) throw new ToolFailure(EXIT.NO_SUCH, `Attribute '${get}' not found for '${resource}'`);
    return ok(`${found}\n`);
  }
  if (property !== undefined) {
    const found = configured.element.attributes[property];
    if (found === undefined) throw new ToolFailure(EXIT.NO_SUCH, `Attribute '${property}' not found for '${resource}'`);
    return ok(`${found}\n`);
  }
  return ok(
    constraintLines(view.section('constraints'), configured)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

/** `--wait`: until nothing is left to be done. What waits for something else than the cluster, such as a time, is nothing to be done. */
async function atRest(patienceMs: number, call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const isAtRest = await settle(async () => (await pendingActions(cluster)).length === 0, patienceMs, call);
  if (isAtRest) return ok('');
  const left = await pendingActions(cluster);
  const list = left.map((one) => `  * ${one}\n`).join('');
  return {
    stdout: '',
    stderr: `Pending actions:\n${list}crm_resource: Error performing operation: Timer expired\n`,
    exitCode: EXIT.TIMEOUT,
  };
}

function resourceIn({ resource }: Options): { readonly resource?: string } {
  return resource === undefined ? {} : { resource };
}

function unknown(resource: string): ToolFailure {
  return new ToolFailure(EXIT.NO_SUCH, `Resource '${resource}' not found\nError performing operation: No such object`);
}

async function ask(question: ResourceQuestion, call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const task = {
    ...{ cib: await cluster.cib(), now: Math.floor(Date.now() / 1_000) },
    ...{ request: ['crm_resource', ...call.args].join(' '), form: { kind: 'resources', question } as const },
  };
  const { text, isUnknown } = cluster.monitor === undefined ? performMonitor(task) : await cluster.monitor(task);
  if (isUnknown === true && 'resource' in question) throw unknown(question.resource ?? '');
  return ok(text);
}

/** What needs no cluster: the agents of this machine. */
async function agentAnswer(options: Options, call: ToolCall): Promise<ToolResult | undefined> {
  const { standards, providers, alternatives, agents, metadata } = options;
  if (standards !== undefined) return ok('ocf\nlsb\nservice\nsystemd\nstonith\n');
  if (metadata !== undefined) return ok(await metadataOf(metadata, call));
  if (providers === undefined && alternatives === undefined && agents === undefined) return undefined;
  const installed = await installedAgents(SYSTEM_AGENT_DIRECTORIES);
  if (agents !== undefined) {
    const [standard = '', provider] = agents.split(':');
    const found = installed.filter((one) => one.class === standard && (provider === undefined || one.provider === provider));
    if (found.length === 0)
      throw new ToolFailure(
        EXIT.ERROR,
        `No agents found for standard '${standard}'${provider === undefined ? '' : ` and provider '${provider}'`}\nError performing operation: Error occurred`,
      );
    return ok(lines(found.map(({ type }) => type)));
  }
  const type = alternatives ?? (providers === '' ? undefined : providers);
  const ofType = installed.filter((one) => one.class === 'ocf' && (type === undefined || one.type === type));
  return ok(lines([...new Set(ofType.flatMap(({ provider }) => provider ?? []))].sort()));
}

async function metadataOf(name: string, call: ToolCall): Promise<string> {
  const text = await agentText(name, call);
  if (text === undefined)
    throw new ToolFailure(
      EXIT.NO_SUCH,
      `Metadata query for ${name} failed: No such device or address\nError performing operation: No such object`,
    );
  return text;
}

const lines = (items: readonly string[]): string => items.map((item) => `${item}\n`).join('');
