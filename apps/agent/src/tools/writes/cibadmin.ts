import { parseXml, type XmlElement } from '@systole/cib';
import type { ToolRequest } from '@systole/protocol';
import type { ParsedArguments } from '../arguments.js';
import { findByPath } from '../element-path.js';
import { fileOf, parsedXml, standardInput } from '../input.js';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from '../tool.js';
import type { ClusterConnection } from './cluster-connection.js';
import { callerOf, OK } from './command-line.js';
import { WRITE_EXIT } from './tool-exits.js';

type Change = Extract<ToolRequest, { readonly ask: 'change-document' }>['changes'][number];

const OPERATIONS = ['create', 'modify', 'replace', 'delete', 'deleteAll', 'patch'] as const;

type Operation = (typeof OPERATIONS)[number];

/** What of these is asked for; undefined: none. */
export function operationAsked({ options }: ParsedArguments): Operation | undefined {
  return OPERATIONS.find((name) => options[name] !== undefined);
}

/** `cibadmin` where it changes something: found by name and id, as one change of the configuration, by the checks that each of them has. */
export async function changeCib(
  operation: Operation,
  parsed: ParsedArguments,
  call: ToolCall,
  cluster: ClusterConnection,
): Promise<ToolResult> {
  const { options } = parsed;
  const xml = await xmlGiven(parsed, call);
  const { scope, xpath } = options;
  if (operation === 'deleteAll' && options['force'] === undefined) {
    throw new ToolFailure(
      WRITE_EXIT.UNSAFE,
      'The supplied command is considered dangerous.  To prevent accidental destruction of the cluster, the --force flag is required in order to proceed.',
    );
  }
  if (scope === 'status')
    throw new ToolFailure(EXIT.UNIMPLEMENTED, 'status is what agents report: crm_resource --cleanup and --refresh forget of it');
  const changes =
    xpath === undefined || operation === 'patch'
      ? [changeOf(operation, needed(xml), scope, options)]
      : changesAt(operation, xml, xpath, options, await cluster.cib());
  if (changes.length === 0) return OK;
  const force = options['force'] === undefined ? {} : { force: true as const };
  await cluster.request({ ask: 'change-document', changes, ...force }, callerOf(call));
  return OK;
}

function changeOf(operation: Operation, xml: string, within: string | undefined, options: ParsedArguments['options']): Change {
  return {
    operation: operation === 'deleteAll' ? 'delete' : operation,
    xml,
    ...(within === undefined || within === 'cib' ? {} : { within }),
    ...(options['allowCreate'] === undefined ? {} : { allowCreate: true as const }),
  };
}

/** What an XPath names is told to the server by name and id, so that it is the same there, whatever was changed meanwhile. */
function changesAt(
  operation: Operation,
  xml: string | undefined,
  xpath: string,
  options: ParsedArguments['options'],
  cib: string,
): readonly Change[] {
  const found = findByPath(parseXml(cib), xpath).map(({ element }) => element);
  const [first] = found;
  if (operation === 'delete' || operation === 'deleteAll') {
    const meant = operation === 'deleteAll' || first === undefined ? found : [first];
    return meant.map((one) => ({ operation: 'delete', xml: namedOnly(one) }));
  }
  if (first === undefined) throw new ToolFailure(EXIT.NO_SUCH, `Call cib_${operation} failed: No such device or address`);
  const within = operation === 'create' ? nameOf(first) : undefined;
  if (operation !== 'create' && !isLike(first, needed(xml))) {
    throw new ToolFailure(
      EXIT.NO_SUCH,
      `Call cib_${operation} failed: No such device or address (the XPath names <${first.name}> ${first.attributes['id'] ?? ''}, the XML something else)`,
    );
  }
  return [changeOf(operation, needed(xml), within, options)];
}

/** An element by its name and id; one without an id, a section, by its name. */
function namedOnly({ name, attributes: { id } }: XmlElement): string {
  return id === undefined
    ? `<${name}/>`
    : `<${name} id="${id.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"/>`;
}

function nameOf({ name, attributes: { id } }: XmlElement): string {
  return id ?? name;
}

function isLike(found: XmlElement, xml: string): boolean {
  const given = parsedXml(xml, WRITE_EXIT.CONFIGURATION);
  return given.name === found.name && (given.attributes['id'] === undefined || given.attributes['id'] === found.attributes['id']);
}

async function xmlGiven({ options }: ParsedArguments, call: ToolCall): Promise<string | undefined> {
  const { xml, file } = options;
  const text =
    xml ??
    (file === undefined
      ? options['pipe'] === undefined
        ? undefined
        : await piped(call)
      : await fileOf(call, file, WRITE_EXIT.CONFIGURATION));
  if (text !== undefined) parsedXml(text, WRITE_EXIT.CONFIGURATION);
  return text;
}

function needed(xml: string | undefined): string {
  if (xml === undefined) throw new ToolFailure(EXIT.USAGE, 'XML is needed: --xml-text, --xml-file or --xml-pipe');
  return xml;
}

function piped({ caller }: ToolCall): Promise<string> {
  if (caller === undefined)
    throw new ToolFailure(EXIT.UNIMPLEMENTED, '--xml-pipe: standard input does not reach the agent; use --xml-text or --xml-file');
  return standardInput({ caller });
}
