import { carriableText } from '@systole/protocol';
import { parseArguments, type OptionSpec } from './arguments.js';
import { CibView } from './cib-view.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';

const flag = (name: string, ...spellings: string[]): OptionSpec => ({ name, spellings, kind: 'flag' });
const value = (name: string, ...spellings: string[]): OptionSpec => ({ name, spellings, kind: 'value' });

const CRM_ATTRIBUTE: readonly OptionSpec[] = [
  value('name', '-n', '--name', '--attr-name'),
  value('update', '-v', '--update', '--attr-value'),
  flag('query', '-G', '--query', '--get-value'),
  flag('delete', '-D', '--delete', '--delete-attr'),
  value('lifetime', '-l', '--lifetime'),
  value('node', '-N', '--node', '-U', '--uname', '--node-uname'),
  value('type', '-t', '--type'),
  flag('quiet', '-q', '-Q', '--quiet'),
  value('default', '-d', '--default'),
  value('set', '-s', '--set-name'),
  value('id', '-i', '--id', '--attr-id'),
  { name: 'promotion', spellings: ['-p', '--promotion'], kind: 'optional' },
  flag('utilization', '-z', '--utilization'),
  flag('verbose', '-V', '--verbose'),
];

const CRM_MASTER: readonly OptionSpec[] = [
  value('update', '-v', '--update', '--attr-value'),
  flag('query', '-G', '--query', '--get-value'),
  flag('delete', '-D', '--delete', '--delete-attr'),
  value('lifetime', '-l', '--lifetime'),
  value('node', '-N', '--node', '-U', '--uname'),
  value('resource', '-r', '--resource-id'),
  flag('quiet', '-q', '-Q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

const ATTRD_UPDATER: readonly OptionSpec[] = [
  value('name', '-n', '--name'),
  value('update', '-U', '-v', '-B', '--update', '--update-both'),
  flag('query', '-Q', '--query'),
  flag('all', '-A', '--all'),
  flag('delete', '-D', '--delete'),
  value('node', '-N', '--node'),
  value('dampen', '-d', '--delay', '-Y'),
  value('section', '-S'),
  value('set', '-s', '--set'),
  flag('private', '-p', '--private'),
  flag('refresh', '-R', '--refresh'),
  flag('quiet', '-q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

/** `crm_attribute`: node attributes, and queries of cluster options and utilization. */
export async function crmAttribute(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, CRM_ATTRIBUTE);
  const promotion = options['promotion'] !== undefined;
  const name = promotion ? promotionAttribute(options['promotion'] || instanceOf(call)) : options['name'];
  if (name === undefined) throw new ToolFailure(EXIT.USAGE, 'crm_attribute needs the name of the attribute: --name or --promotion');
  const type =
    options['type'] ?? (promotion || options['lifetime'] !== undefined || options['node'] !== undefined ? 'nodes' : 'crm_config');
  const query = options['update'] === undefined && options['delete'] === undefined;
  const quiet = options['quiet'] !== undefined;
  requireServed(type);
  if (type === 'crm_config' || type === 'properties' || options['utilization'] !== undefined) {
    if (!query)
      throw new ToolFailure(
        EXIT.UNIMPLEMENTED,
        `an agent can't change ${type === 'crm_config' ? 'cluster options' : 'utilization'} through this tool`,
      );
    const view = CibView.parse(await cluster.cib());
    const found = type === 'crm_config' ? view.clusterOption(name) : view.utilization(options['node'] ?? cluster.node, name);
    return printValue(type, name, found ?? options['default'], quiet);
  }
  const lifetime = lifetimeOf(options['lifetime'] ?? (promotion || type === 'status' ? 'reboot' : 'forever'));
  return nodeAttribute(
    { name, lifetime, quiet, query, node: options['node'], update: options['update'], fallback: options['default'] },
    cluster,
  );
}

/** `crm_master`: the promotion score of the calling resource. */
export async function crmMaster(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, CRM_MASTER);
  return nodeAttribute(
    {
      name: promotionAttribute(options['resource'] ?? instanceOf(call)),
      lifetime: lifetimeOf(options['lifetime'] ?? 'reboot'),
      quiet: options['quiet'] !== undefined,
      query: options['update'] === undefined && options['delete'] === undefined,
      node: options['node'],
      update: options['update'],
      fallback: undefined,
    },
    cluster,
  );
}

/** `attrd_updater`: transient node attributes. Dampening is the server's business: it coalesces what arrives together. */
export async function attrdUpdater(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, ATTRD_UPDATER);
  const { name } = options;
  if (options['refresh'] !== undefined) return { stdout: '', stderr: '', exitCode: EXIT.OK };
  if (name === undefined) throw new ToolFailure(EXIT.USAGE, 'attrd_updater needs the name of the attribute: --name');
  if (options['query'] === undefined) {
    const change = { name, lifetime: 'reboot' as const, quiet: false, query: false, fallback: undefined };
    return nodeAttribute(
      { ...change, node: options['node'], update: options['delete'] === undefined ? options['update'] : undefined },
      cluster,
    );
  }
  const view = CibView.parse(await cluster.cib());
  const nodes = options['all'] === undefined ? [options['node'] ?? cluster.node] : view.nodes().map((node) => node.name);
  const lines = nodes.flatMap((node) => {
    const found = view.nodeAttribute(node, name, 'reboot');
    return found === undefined ? [] : [`name="${name}" host="${node}" value="${found}"\n`];
  });
  if (lines.length === 0) throw new ToolFailure(EXIT.NO_SUCH, `attribute ${name} does not exist`);
  return { stdout: lines.join(''), stderr: '', exitCode: EXIT.OK };
}

interface AttributeRequest {
  readonly name: string;
  readonly lifetime: 'forever' | 'reboot';
  readonly node: string | undefined;
  readonly query: boolean;
  readonly quiet: boolean;
  /** undefined removes the attribute. */
  readonly update: string | undefined;
  readonly fallback: string | undefined;
}

async function nodeAttribute(request: AttributeRequest, cluster: ToolCluster): Promise<ToolResult> {
  const { lifetime, node } = request;
  const name = carriableText(request.name);
  if (request.query) {
    const found = CibView.parse(await cluster.cib()).nodeAttribute(node ?? cluster.node, name, lifetime);
    return printValue(lifetime === 'reboot' ? 'status' : 'nodes', name, found ?? request.fallback, request.quiet);
  }
  const other = node === undefined || node === cluster.node || node === cluster.nodeId ? {} : { node };
  const value = request.update === undefined ? null : carriableText(request.update);
  await cluster.setAttributes([{ name, value, lifetime, ...other }]);
  return { stdout: '', stderr: '', exitCode: EXIT.OK };
}

/** A value as `crm_attribute` and its kin print it; without one they say so and fail. */
function printValue(scope: string, name: string, found: string | undefined, quiet: boolean): ToolResult {
  if (found === undefined) throw new ToolFailure(EXIT.NO_SUCH, `attribute ${name} does not exist`);
  return { stdout: quiet ? `${found}\n` : `scope=${scope}  name=${name} value=${found}\n`, stderr: '', exitCode: EXIT.OK };
}

/** What stands where: node attributes have these, cluster options `crm_config`. */
const SERVED_TYPES: readonly string[] = ['nodes', 'forever', 'status', 'reboot', 'crm_config', 'properties'];
const UNSERVED_TYPES: readonly string[] = ['rsc_defaults', 'op_defaults', 'tickets', 'template', 'resources', 'remote_node'];

/** A type that is taken for another would write something else than what was meant. */
function requireServed(type: string): void {
  if (SERVED_TYPES.includes(type)) return;
  if (UNSERVED_TYPES.includes(type))
    throw new ToolFailure(
      EXIT.UNIMPLEMENTED,
      `--type ${type} is not served by this tool: nothing was read or changed; see 'systole --help'`,
    );
  throw new ToolFailure(EXIT.USAGE, `--type ${type} is unknown: nodes, status, crm_config`);
}

function lifetimeOf(text: string): 'forever' | 'reboot' {
  if (text === 'reboot' || text === 'forever') return text;
  throw new ToolFailure(EXIT.USAGE, `lifetime is reboot or forever, not '${text}'`);
}

function promotionAttribute(resource: string): string {
  return `master-${resource}`;
}

/** The resource that an agent is called for. */
function instanceOf(call: ToolCall): string {
  const instance = call.env['OCF_RESOURCE_INSTANCE'];
  if (instance === undefined || instance === '') throw new ToolFailure(EXIT.USAGE, 'OCF_RESOURCE_INSTANCE is not set: name the resource');
  return instance;
}
