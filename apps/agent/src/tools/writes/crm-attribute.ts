import type { ToolRequest } from '@systole/protocol';
import type { ParsedArguments } from '../arguments.js';
import type { Answer } from '../output-format.js';
import { printValue } from '../printed-value.js';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from '../tool.js';
import type { ClusterConnection } from './cluster-connection.js';
import { callerOf, OK, said } from './command-line.js';
import { WRITE_EXIT } from './tool-exits.js';
import { sectionOf, writtenValue } from './written-values.js';

const SETS = { crm_config: 'cluster_property_set', rsc_defaults: 'meta_attributes', op_defaults: 'meta_attributes' } as const;

type Section = keyof typeof SETS;

/** Sections that hold node attributes: not this tool's part. */
const OF_NODES: ReadonlySet<string> = new Set(['nodes', 'forever', 'status', 'reboot']);

/**
 * `crm_attribute` where it is about cluster options, defaults, or what nodes provide. Node attributes are written through another way.
 *
 * @returns undefined for what is not its part
 */
export function sectionValue(parsed: ParsedArguments, call: ToolCall, cluster: ClusterConnection): Promise<Answer> | undefined {
  const { options } = parsed;
  const isWrite = options['update'] !== undefined || options['delete'] !== undefined;
  if (options['utilization'] !== undefined) return isWrite ? writeUtilization(parsed, call, cluster) : undefined;
  const type = sectionAsked(options);
  if (OF_NODES.has(type)) return undefined;
  if (!isSection(type)) return refuseSection(type);
  if (isWrite && options['id'] !== undefined)
    throw new ToolFailure(EXIT.UNIMPLEMENTED, 'a value is found by its name (--name), and its set (--set-name), not by an id');
  if (type === 'crm_config' && !isWrite) return undefined;
  return isWrite ? writeSection(type, parsed, call, cluster) : readSection(type, parsed, cluster);
}

function sectionAsked(options: ParsedArguments['options']): string {
  if (options['type'] !== undefined) return options['type'] === 'properties' ? 'crm_config' : options['type'];
  const isOfNode = options['promotion'] !== undefined || options['lifetime'] !== undefined || options['node'] !== undefined;
  return isOfNode || options['pattern'] !== undefined ? 'nodes' : 'crm_config';
}

function isSection(type: string): type is Section {
  return Object.hasOwn(SETS, type);
}

function refuseSection(type: string): Promise<ToolResult> {
  if (type === 'tickets') throw new ToolFailure(EXIT.UNIMPLEMENTED, 'attributes of tickets are set with crm_ticket --set-attr');
  throw new ToolFailure(WRITE_EXIT.NOT_SUPPORTED, `Error performing operation: No message of desired type (there is no section ${type})`);
}

function nameIn({ options }: ParsedArguments): string {
  const { name } = options;
  if (name === undefined || name === '') throw new ToolFailure(EXIT.USAGE, 'the name of the option is needed: --name');
  return name;
}

async function writeSection(section: Section, parsed: ParsedArguments, call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> {
  const { options } = parsed;
  const name = nameIn(parsed);
  const { set } = options;
  const isDelete = options['update'] === undefined;
  // What is deleted is named by its id, which nobody knows afterwards.
  const gone = isDelete ? writtenValue(sectionOf(await cluster.cib(), section), SETS[section], name, set) : undefined;
  const request: ToolRequest = {
    ask: 'set-section-value',
    section,
    name,
    value: options['update'] ?? null,
    ...(set === undefined ? {} : { set }),
  };
  await cluster.request(request, callerOf(call));
  const where = set === undefined ? '' : `set=${set} `;
  return gone === undefined
    ? OK
    : said(`Deleted ${section} ${section === 'crm_config' ? 'option' : 'attribute'}: id=${gone.id} ${where}name=${name}\n`);
}

async function readSection(section: Section, parsed: ParsedArguments, cluster: ClusterConnection): Promise<Answer> {
  const { options } = parsed;
  const name = nameIn(parsed);
  const found = writtenValue(sectionOf(await cluster.cib(), section), SETS[section], name, options['set'])?.value ?? options['default'];
  return printValue(section, name, found, options['quiet'] !== undefined);
}

async function writeUtilization(parsed: ParsedArguments, call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> {
  const { options } = parsed;
  const node = options['node'] ?? cluster.node;
  await cluster.request({ ask: 'set-node-utilization', node, name: nameIn(parsed), value: options['update'] ?? null }, callerOf(call));
  return OK;
}
