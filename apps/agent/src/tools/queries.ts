import { element, serializeXml, type XmlElement } from '@systole/cib';
import { parseArguments, type OptionSpec } from './arguments.js';
import { CibView } from './cib-view.js';
import { findByPath } from './element-path.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';

const flag = (name: string, ...spellings: string[]): OptionSpec => ({ name, spellings, kind: 'flag' });
const value = (name: string, ...spellings: string[]): OptionSpec => ({ name, spellings, kind: 'value' });
const ok = (stdout: string): ToolResult => ({ stdout, stderr: '', exitCode: EXIT.OK });

/** `crm_node`: this node's name and id, the list of nodes, the partition, quorum. */
export async function crmNode(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, [
    flag('name', '-n', '--name'),
    flag('id', '-i', '--cluster-id'),
    flag('list', '-l', '--list'),
    flag('partition', '-p', '--partition'),
    flag('quorum', '-q', '--quorum'),
    value('nameOf', '-N', '--name-for-id'),
    flag('quiet', '-Q', '--quiet'),
    flag('verbose', '-V', '--verbose'),
  ]);
  if (options['name'] !== undefined) return ok(`${cluster.node}\n`);
  if (options['id'] !== undefined) return ok(`${cluster.nodeId}\n`);
  const view = CibView.parse(await cluster.cib());
  const nodes = view.nodes();
  if (options['list'] !== undefined)
    return ok(nodes.map(({ id, name, online }) => `${id} ${name} ${online ? 'member' : 'lost'}\n`).join(''));
  if (options['partition'] !== undefined) {
    const members = nodes.filter((node) => node.online).map((node) => node.name);
    return ok(`${members.join(' ')} \n`);
  }
  if (options['quorum'] !== undefined) return ok(view.quorate ? '1\n' : '0\n');
  const wanted = options['nameOf'];
  if (wanted === undefined) throw new ToolFailure(EXIT.USAGE, 'crm_node: one of -n -i -l -p -q -N is needed');
  const found = nodes.find((node) => node.id === wanted);
  if (found === undefined) throw new ToolFailure(EXIT.NO_SUCH, `there is no node with id ${wanted}`);
  return ok(`${found.name}\n`);
}

/** `crm_resource`: the queries that agents make (parameters and meta-attributes as configured, where a resource runs). */
export async function crmResource(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, [
    value('resource', '-r', '--resource'),
    value('get', '-g', '--get-parameter'),
    flag('meta', '-m', '--meta'),
    flag('utilization', '-z', '--utilization'),
    flag('locate', '-W', '--locate'),
    flag('quiet', '-q', '-Q', '--quiet'),
    flag('verbose', '-V', '--verbose'),
  ]);
  const { resource, get } = options;
  if (resource === undefined) throw new ToolFailure(EXIT.USAGE, 'crm_resource: the resource is needed: -r');
  const view = CibView.parse(await cluster.cib());
  if (get !== undefined) {
    const set =
      options['meta'] !== undefined ? 'meta_attributes' : options['utilization'] !== undefined ? 'utilization' : 'instance_attributes';
    const found = view.resourceAttribute(resource, set, get, cluster.node);
    if (found === undefined) throw new ToolFailure(EXIT.NO_SUCH, `resource ${resource} has no ${get}`);
    return ok(`${found}\n`);
  }
  if (options['locate'] === undefined) throw new ToolFailure(EXIT.UNIMPLEMENTED, 'crm_resource: an agent can ask for -g and -W only');
  const nodes = view.activeOn(resource);
  if (nodes.length === 0) return ok(options['quiet'] === undefined ? `resource ${resource} is NOT running\n` : '');
  return ok(
    nodes.map((node) => (options['quiet'] === undefined ? `resource ${resource} is running on: ${node} \n` : `${node}\n`)).join(''),
  );
}

/** `cibadmin --query`, of the whole CIB, one section, or what a simple XPath names. */
export async function cibadmin(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, [
    flag('query', '-Q', '--query'),
    flag('local', '-l', '--local'),
    value('scope', '-o', '--scope', '--obj_type'),
    value('xpath', '-A', '--xpath'),
    flag('verbose', '-V', '--verbose'),
  ]);
  if (options['query'] === undefined) throw new ToolFailure(EXIT.UNIMPLEMENTED, 'cibadmin: an agent can only query: -Q');
  const xml = await cluster.cib();
  const { scope, xpath } = options;
  if (xpath !== undefined) return matchesOf(xpath, CibView.parse(xml).document);
  if (scope === undefined) return ok(xml.endsWith('\n') ? xml : `${xml}\n`);
  const section = CibView.parse(xml).section(scope);
  if (section === undefined) throw new ToolFailure(EXIT.NO_SUCH, `the CIB has no section ${scope}`);
  return ok(serializeXml(section));
}

/** One match as it is; several inside `xpath-query`, as cibadmin prints them. */
function matchesOf(xpath: string, document: XmlElement): ToolResult {
  const found = findByPath(document, xpath);
  const [only] = found;
  if (only === undefined) throw new ToolFailure(EXIT.NO_SUCH, `nothing in the CIB matches ${xpath}`);
  return ok(serializeXml(found.length === 1 ? only : element('xpath-query', {}, found)));
}
