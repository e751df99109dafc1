import type { AgentMetadata } from '../resource-agent/metadata.js';
import { child, children, type MetadataElement } from '../resource-agent/metadata-tree.js';
import type { Findings } from './trial.js';

/** Actions without which an agent is none (OCF Resource Agent API 1.1, "Mandatory Actions"). */
const MANDATORY = ['start', 'stop', 'monitor', 'meta-data'];
/** Those of which each needs the other. */
const PAIRS = [
  ['promote', 'demote'],
  ['migrate_to', 'migrate_from'],
] as const;
/** Types of values that the standard has, of all its versions, and those that agents and tools agreed on besides. */
const TYPES = [
  'string',
  'integer',
  'boolean',
  'time',
  'second',
  'select',
  'msec',
  'duration',
  'nonnegative_integer',
  'percentage',
  'port',
  'score',
  'timeout',
  'version',
  'epoch_time',
  'iso8601',
  'ISO8601',
];

/**
 * What an agent says about itself, held against the form that the OCF Resource Agent API has for it, 1.0 and 1.1.
 * @param tree the `resource-agent` element
 */
export function checkMetadata(tree: MetadataElement, metadata: AgentMetadata, type: string, findings: Findings): void {
  const name = 'meta-data: ';
  if (metadata.name === type) findings.kept(`${name}name`, type);
  else findings.broken(`${name}name`, `'${metadata.name}'`, `the agent is called ${type}; tools look for its meta-data by that name`);
  if (metadata.apiVersion === undefined)
    findings.note(
      `${name}version`,
      'no <version>',
      'the version of the API (1.0 or 1.1) tells how unique, reloadable and the like are meant',
    );
  else if (/^1\.[01]$/.test(metadata.apiVersion)) findings.kept(`${name}version`, metadata.apiVersion);
  else
    findings.note(
      `${name}version`,
      metadata.apiVersion,
      '<version> is the version of the API, 1.0 or 1.1; that of the agent is the attribute version of <resource-agent>',
    );
  checkDescriptions(tree, findings);
  checkParameters(tree, findings);
  checkActions(metadata, findings);
}

function checkDescriptions(tree: MetadataElement, findings: Findings): void {
  const missing = ['longdesc', 'shortdesc'].filter((tag) => (child(tree, tag)?.text ?? '') === '');
  if (missing.length === 0) findings.kept('meta-data: descriptions', 'longdesc, shortdesc');
  else
    findings.broken(
      'meta-data: descriptions',
      `no ${missing.join(', no ')}`,
      'the DTD demands both, in English at least; they are all that people see of the agent',
    );
}

function checkParameters(tree: MetadataElement, findings: Findings): void {
  const parameters = children(child(tree, 'parameters'), 'parameter');
  const faults = parameters.flatMap((parameter) => faultsOf(parameter));
  const names = parameters.map(({ attributes }) => attributes['name'] ?? '');
  faults.push(...names.filter((name, index) => name !== '' && names.indexOf(name) !== index).map((name) => `${name} is described twice`));
  if (faults.length === 0) findings.kept('meta-data: parameters', String(parameters.length));
  else
    findings.broken(
      'meta-data: parameters',
      faults.join('; '),
      'the DTD demands a name, descriptions and a content with a type of each parameter',
    );
}

function faultsOf(parameter: MetadataElement): readonly string[] {
  const name = parameter.attributes['name'] ?? '';
  if (name === '') return ['a parameter has no name'];
  const content = child(parameter, 'content');
  const faults: string[] = [];
  if (!/^[A-Za-z0-9_]+$/.test(name)) faults.push(`${name} can't be part of the name of an environment variable`);
  for (const tag of ['longdesc', 'shortdesc']) if (child(parameter, tag) === undefined) faults.push(`${name} has no ${tag}`);
  const type = content?.attributes['type'];
  if (type === undefined) faults.push(`${name} has no content with a type`);
  else if (!TYPES.includes(type)) faults.push(`${name} is of type '${type}', which nobody knows`);
  const given = content?.attributes['default'];
  if (given !== undefined && given !== '' && type === 'integer' && !/^[+-]?\d+$/.test(given))
    faults.push(`the default of ${name} is no integer: '${given}'`);
  return faults;
}

function checkActions({ actions, parameters }: AgentMetadata, findings: Findings): void {
  const names = new Set(actions.map(({ name }) => name));
  const missing = MANDATORY.filter((name) => !names.has(name));
  if (missing.length === 0) findings.kept('meta-data: actions', [...names].join(', '));
  else findings.broken('meta-data: actions', `no ${missing.join(', no ')}`, 'every agent has these');
  if (!names.has('validate-all'))
    findings.note('meta-data: validate-all', 'not advertised', 'with it a wrong configuration is found before anything is started');
  for (const [one, other] of PAIRS) {
    if (names.has(one) === names.has(other)) continue;
    const [has, lacks] = names.has(one) ? [one, other] : [other, one];
    findings.broken(`meta-data: ${one}, ${other}`, `${has} without ${lacks}`, 'what one does, only the other can undo');
  }
  const untimed = actions.filter(({ timeoutMs }) => timeoutMs === undefined).map(({ name }) => name);
  if (untimed.length === 0) findings.kept('meta-data: time-outs', 'of all actions');
  else
    findings.broken(
      'meta-data: time-outs',
      `none of ${untimed.join(', ')}`,
      'the DTD demands one of each action; tools propose it to who configures a resource',
    );
  checkMonitors(actions, names.has('promote'), findings);
  const reloads = parameters.some(({ reloadable }) => reloadable);
  if (reloads && !names.has('reload-agent'))
    findings.broken(
      'meta-data: reload-agent',
      'reloadable parameters, and no reload-agent',
      'they are changed by that action; without it a change restarts the resource',
    );
}

/** Monitors of one interval are one operation to a cluster. */
function checkMonitors(actions: AgentMetadata['actions'], isPromotable: boolean, findings: Findings): void {
  const monitors = actions.filter(({ name }) => name === 'monitor');
  const intervals = monitors.map(({ intervalMs }) => intervalMs ?? 0);
  if (new Set(intervals).size < intervals.length)
    findings.note(
      'meta-data: monitors',
      'several with one interval',
      'a cluster tells recurring operations of a resource apart by their intervals',
    );
  const promoted = monitors.some(({ role = '' }) => /^(promoted|master)$/i.test(role));
  if (isPromotable && !promoted)
    findings.note(
      'meta-data: monitors',
      'none for the promoted role',
      'a promotable agent has a monitor for each role, or nobody watches the promoted instance',
    );
}

/** How long an action may take by what the agent advertises, ms; undefined: it does not say. */
export function advertisedTimeout(metadata: AgentMetadata | undefined, action: string): number | undefined {
  const times = metadata?.actions.filter(({ name }) => name === action).map(({ timeoutMs }) => timeoutMs ?? 0) ?? [];
  const longest = Math.max(0, ...times);
  return longest === 0 ? undefined : longest;
}

/** A value that is none of a parameter's type; undefined where any text is one. */
export function wrongValue(type: string): string | undefined {
  return ['integer', 'second', 'time', 'port', 'percentage', 'nonnegative_integer', 'timeout', 'msec'].includes(type)
    ? 'not-a-number'
    : undefined;
}
