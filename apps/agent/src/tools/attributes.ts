import { carriableText } from '@systole/protocol';
import { DONE, namesLike, patternOf, writeAttribute } from './attribute-change.js';
import { flag, type OptionSpec, type ParsedArguments, parseArguments, refuseSeveral, value } from './arguments.js';
import { CibView } from './cib-view.js';
import { CRM_ATTRIBUTE } from './crm-attribute-options.js';
import { type Answer, inFormats } from './output-format.js';
import { printValue } from './printed-value.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';
import { sectionValue } from './writes/crm-attribute.js';

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

const COMMANDS: ReadonlySet<string> = new Set(['query', 'update', 'delete']);

/** `crm_attribute`: node attributes, and queries of cluster options and utilization. */
export const crmAttribute = inFormats(CRM_ATTRIBUTE, attributeAnswer);

async function attributeAnswer(parsed: ParsedArguments, call: ToolCall, cluster: ToolCluster): Promise<Answer> {
  const { options } = parsed;
  refuseSeveral(CRM_ATTRIBUTE, parsed, COMMANDS);
  const ofSection = sectionValue(parsed, call, cluster);
  if (ofSection !== undefined) return ofSection;
  const promotion = options['promotion'] !== undefined;
  const name = promotion ? promotionAttribute(options['promotion'] || instanceOf(call)) : options['name'];
  const type =
    options['type'] ?? (promotion || options['lifetime'] !== undefined || options['node'] !== undefined ? 'nodes' : 'crm_config');
  const query = options['update'] === undefined && options['delete'] === undefined;
  const quiet = options['quiet'] !== undefined;
  if (type === 'crm_config' || type === 'properties' || options['utilization'] !== undefined) {
    if (name === undefined) throw new ToolFailure(EXIT.USAGE, 'crm_attribute needs the name of the attribute: --name or --promotion');
    const view = CibView.parse(await cluster.cib());
    const found = type === 'crm_config' ? view.clusterOption(name) : view.utilization(options['node'] ?? cluster.node, name);
    return printValue(type, name, found ?? options['default'], quiet);
  }
  const lifetime = lifetimeOf(options['lifetime'] ?? (promotion || type === 'status' || type === 'reboot' ? 'reboot' : 'forever'));
  if (options['set'] !== undefined || options['id'] !== undefined)
    throw new ToolFailure(EXIT.UNIMPLEMENTED, 'attributes of nodes are found by their names alone: leave --set-name and --id away');
  const request = { lifetime, quiet, query, node: options['node'], update: options['update'], fallback: options['default'] };
  if (name !== undefined && options['pattern'] !== undefined) throw new ToolFailure(EXIT.USAGE, 'give a --name or a --pattern, not both');
  if (name !== undefined) return nodeAttribute({ ...request, name }, cluster);
  return matchingAttributes(request, options['pattern'], cluster);
}

/** `crm_master`: the promotion score of the calling resource. */
export async function crmMaster(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const parsed = parseArguments(call.args, CRM_MASTER);
  const { options } = parsed;
  refuseSeveral(CRM_MASTER, parsed, COMMANDS);
  const { stdout, stderr, exitCode } = await nodeAttribute(
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
  return { stdout, stderr, exitCode };
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

async function nodeAttribute(request: AttributeRequest, cluster: ToolCluster): Promise<Answer> {
  const { lifetime, node } = request;
  if (request.query) {
    const name = carriableText(request.name);
    const view = CibView.parse(await cluster.cib());
    const found = view.nodeAttribute(node === undefined ? cluster.node : knownNode(view, node), name, lifetime);
    return printValue(scopeOf(lifetime), name, found ?? request.fallback, request.quiet);
  }
  await writeAttribute({ name: request.name, lifetime, ...(node === undefined ? {} : { node }), update: request.update }, cluster);
  return DONE;
}

/** Without a name: those that a pattern finds, or all. Permanent ones can be read so, and not written. */
async function matchingAttributes(
  { lifetime, query, quiet, node, update, fallback }: Omit<AttributeRequest, 'name'>,
  pattern: string | undefined,
  cluster: ToolCluster,
): Promise<Answer> {
  if (!query) {
    if (pattern === undefined) throw new ToolFailure(EXIT.USAGE, 'crm_attribute needs the name of the attribute: --name or --promotion');
    if (lifetime === 'forever')
      throw new ToolFailure(EXIT.USAGE, 'Error: pattern can only be used with query, or with till-reboot update or delete');
    for (const name of await namesLike(pattern, node, cluster))
      await writeAttribute({ name, lifetime, ...(node === undefined ? {} : { node }), update }, cluster);
    return DONE;
  }
  const view = CibView.parse(await cluster.cib());
  const wanted = pattern === undefined ? undefined : patternOf(pattern);
  const found = [...view.nodeAttributes(node === undefined ? cluster.node : knownNode(view, node), lifetime)].filter(
    ([name]) => wanted === undefined || wanted(name) !== undefined,
  );
  if (found.length === 0) return printValue(scopeOf(lifetime), pattern ?? '', fallback, quiet);
  const answers = found.map(([name, value]) => printValue(scopeOf(lifetime), name, value, quiet));
  return { ...DONE, stdout: answers.map(({ stdout }) => stdout).join(''), xml: answers.flatMap(({ xml = [] }) => xml) };
}

function scopeOf(lifetime: 'forever' | 'reboot'): string {
  return lifetime === 'reboot' ? 'status' : 'nodes';
}

/** @throws {ToolFailure} when there is no such node */
function knownNode(view: CibView, node: string): string {
  if (view.nodes().some(({ id, name }) => id === node || name === node) || view.nodeState(node) !== undefined) return node;
  throw new ToolFailure(EXIT.NO_SUCH, `Could not map name=${node} to a UUID`);
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
