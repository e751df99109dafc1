import { element, serializeXml, type XmlElement } from '@systole/cib';
import { flag, parseArguments, value } from './arguments.js';
import { CibView } from './cib-view.js';
import { findByPath } from './element-path.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';

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
    value('remove', '-R', '--remove'),
    flag('force', '-f', '--force'),
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
  if (options['remove'] !== undefined) {
    if (options['force'] === undefined) throw new ToolFailure(EXIT.USAGE, 'The supplied command is considered dangerous: it needs --force');
    throw new ToolFailure(EXIT.UNIMPLEMENTED, `nodes are removed with 'systole node remove ${options['remove']}': nothing was changed`);
  }
  if (wanted === undefined) throw new ToolFailure(EXIT.USAGE, 'crm_node: one of -n -i -l -p -q -N is needed');
  const found = nodes.find((node) => node.id === wanted);
  if (found === undefined) throw new ToolFailure(EXIT.NO_SUCH, `there is no node with id ${wanted}`);
  return ok(`${found.name}\n`);
}

const EMPTY_CIB = `<cib crm_feature_set="3.19.0" validate-with="pacemaker-3.9" epoch="1" num_updates="0" admin_epoch="0">
  <configuration>
    <crm_config/>
    <nodes/>
    <resources/>
    <constraints/>
  </configuration>
  <status/>
</cib>
`;

/** `cibadmin --query`, of the whole CIB, one section, or what an XPath names; `--empty`. */
export async function cibadmin(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, [
    flag('query', '-Q', '--query'),
    flag('empty', '-a', '--empty'),
    flag('local', '-l', '--local'),
    flag('sync', '-s', '--sync-call'),
    flag('nodePath', '-e', '--node-path'),
    flag('childless', '-n', '--no-children'),
    value('timeout', '-t', '--timeout'),
    value('scope', '-o', '--scope', '--obj_type'),
    value('xpath', '-A', '--xpath'),
    flag('verbose', '-V', '--verbose'),
  ]);
  if (options['empty'] !== undefined) return ok(EMPTY_CIB);
  if (options['query'] === undefined) throw new ToolFailure(EXIT.UNIMPLEMENTED, 'cibadmin: an agent can only query: -Q');
  const xml = await cluster.cib();
  const { scope, xpath } = options;
  const shown = (one: XmlElement): XmlElement => (options['childless'] === undefined ? one : { ...one, children: [] });
  if (xpath !== undefined) {
    const found = findByPath(CibView.parse(xml).document, xpath);
    if (found.length === 0) throw new ToolFailure(EXIT.NO_SUCH, `nothing in the CIB matches ${xpath}: No such device or address`);
    if (options['nodePath'] !== undefined) return ok(found.map(({ path }) => `${path}\n`).join(''));
    return ok(matches(found.map(({ element: one }) => shown(one))));
  }
  if (scope === undefined && options['childless'] === undefined) return ok(xml.endsWith('\n') ? xml : `${xml}\n`);
  const section = CibView.parse(xml).section(scope ?? 'cib');
  if (section === undefined) throw new ToolFailure(EXIT.NO_SUCH, `the CIB has no section ${scope ?? ''}: No such device or address`);
  return ok(serializeXml(shown(section)));
}

/** One match as it is; several inside `xpath-query`, as cibadmin prints them. */
function matches(found: readonly XmlElement[]): string {
  const [only] = found;
  return serializeXml(only !== undefined && found.length === 1 ? only : element('xpath-query', {}, [...found]));
}
