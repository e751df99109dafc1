import { element, serializeXml, type XmlElement } from '@systole/cib';
import { flag, type OptionSpec, parseArguments, refuseSeveral, undone, value } from './arguments.js';
import { CibView } from './cib-view.js';
import { EMPTY_CIB } from './empty-cib.js';
import { findByPath } from './element-path.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';
import { changeCib, operationAsked } from './writes/cibadmin.js';

const ok = (stdout: string): ToolResult => ({ stdout, stderr: '', exitCode: EXIT.OK });

const OPTIONS: readonly OptionSpec[] = [
  flag('query', '-Q', '--query'),
  flag('create', '-C', '--create'),
  flag('modify', '-M', '--modify', '--update'),
  flag('replace', '-R', '--replace'),
  flag('delete', '-D', '--delete'),
  flag('deleteAll', '-d', '--delete-all', '--delete-alt'),
  flag('patch', '-P', '--patch'),
  flag('empty', '-a', '--empty'),
  undone('there is no epoch to be raised: each change of the configuration is an event with a version of its own', '-B', '--bump'),
  undone(
    'the configuration is not erased as a whole: replace it (--replace), or delete the cluster (systole cluster delete)',
    '-E',
    '--erase',
  ),
  undone('the configuration is of the newest schema always: what is written is brought to it', '-u', '--upgrade'),
  undone(
    'there are no digests of the configuration: its version tells whether it was changed',
    '-5',
    '--md5-sum',
    '-6',
    '--md5-sum-versioned',
  ),
  undone('the command line says nothing of scores: an attribute gets the value that is given', '--score'),
  undone('nobody else can be asked for: whose token it is asks', '-U', '--user'),
  undone(
    'no node is the master of the configuration: the servers keep it',
    '-w',
    '--master',
    '-S',
    '--slave',
    '-I',
    '--ipc-name',
    '-N',
    '--node',
  ),
  flag('allowCreate', '-c', '--allow-create'),
  flag('force', '-f', '--force'),
  flag('local', '-l', '--local'),
  flag('sync', '-s', '--sync-call'),
  flag('noChildren', '-n', '--no-children'),
  flag('pipe', '-p', '--xml-pipe'),
  flag('nodePath', '-e', '--node-path'),
  value('xml', '-X', '--xml-text'),
  value('file', '-x', '--xml-file'),
  value('scope', '-o', '--scope', '--obj_type'),
  value('xpath', '-A', '--xpath'),
  value('timeout', '-t', '--timeout', '--call-timeout'),
  flag('verbose', '-V', '--verbose'),
];

const COMMANDS: ReadonlySet<string> = new Set(['query', 'create', 'modify', 'replace', 'delete', 'deleteAll', 'patch', 'empty']);

/** `cibadmin`: the whole CIB, one section, or what an XPath names (`--query`), an empty one (`--empty`), or changes of it by element. */
export async function cibadmin(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const parsed = parseArguments(call.args, OPTIONS);
  const { options } = parsed;
  refuseSeveral(OPTIONS, parsed, COMMANDS);
  if (options['empty'] !== undefined) return ok(EMPTY_CIB);
  const operation = operationAsked(parsed);
  if (options['query'] === undefined && operation !== undefined) return changeCib(operation, parsed, call, cluster);
  if (options['query'] === undefined) throw new ToolFailure(EXIT.USAGE, 'one of -Q, -C, -M, -R, -D, -d, -P and -a is needed');
  const xml = await cluster.cib();
  const { scope, xpath } = options;
  const shown = (one: XmlElement): XmlElement => (options['noChildren'] === undefined ? one : { ...one, children: [] });
  if (xpath !== undefined) {
    const found = findByPath(CibView.parse(xml).document, xpath);
    if (found.length === 0) throw new ToolFailure(EXIT.NO_SUCH, `nothing in the CIB matches ${xpath}: No such device or address`);
    if (options['nodePath'] !== undefined) return ok(found.map(({ path }) => `${path}\n`).join(''));
    return ok(matches(found.map(({ element: one }) => shown(one))));
  }
  if (scope === undefined && options['noChildren'] === undefined) return ok(xml.endsWith('\n') ? xml : `${xml}\n`);
  const section = CibView.parse(xml).section(scope ?? 'cib');
  if (section === undefined) throw new ToolFailure(EXIT.NO_SUCH, `the CIB has no section ${scope ?? ''}: No such device or address`);
  return ok(serializeXml(shown(section)));
}

/** One match as it is; several inside `xpath-query`, as cibadmin prints them. */
function matches(found: readonly XmlElement[]): string {
  const [only] = found;
  return serializeXml(only !== undefined && found.length === 1 ? only : element('xpath-query', {}, [...found]));
}
