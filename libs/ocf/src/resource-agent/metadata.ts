import { child, children, MetadataError, parseTree, type MetadataElement } from './metadata-tree.js';

export { MetadataError } from './metadata-tree.js';

/** One parameter that an agent takes. */
export interface AgentParameter {
  readonly name: string;
  readonly required: boolean;
  /** Two resources must not have the same values for all parameters of one unique group (OCF 1.1; `unique="1"` is a group of its own). */
  readonly uniqueGroup?: string;
  /** Can be changed in a running resource (`reload-agent`). */
  readonly reloadable: boolean;
  /** Its value is nobody else's business: a password. */
  readonly private: boolean;
  readonly deprecated: boolean;
  /** The older parameter in whose place it came: who gives that one needs not give this one. */
  readonly obsoletes?: string;
  /** `string`, `integer`, `boolean`, `second`, `select` ... as the agent declares. */
  readonly type: string;
  readonly default?: string;
  /** The values to choose from, of type `select`. */
  readonly options: readonly string[];
  readonly shortDescription?: string;
  readonly longDescription?: string;
}

/** One action that an agent implements; times in ms. */
export interface AgentAction {
  readonly name: string;
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  readonly startDelayMs?: number;
  readonly role?: string;
  /** Level of a monitor. */
  readonly depth?: string;
  /** Fence agents: `on` is run by itself when a node joins (unfencing). */
  readonly automatic: boolean;
  /** Fence agents: must run on the target itself. */
  readonly onTarget: boolean;
}

/** What an agent says about itself. */
export interface AgentMetadata {
  readonly name: string;
  /** Version of the agent. */
  readonly version?: string;
  /** Version of the OCF API that it follows; agents of OCF 1.0 say nothing reliable here. */
  readonly apiVersion?: string;
  readonly shortDescription?: string;
  readonly longDescription?: string;
  readonly parameters: readonly AgentParameter[];
  readonly actions: readonly AgentAction[];
}

/**
 * Reads the meta-data of a resource agent (OCF `ra-api-1`) or fence agent (same shape).
 * @throws {MetadataError} when the text is not XML or has no `resource-agent` element
 */
export function parseMetadata(xml: string): AgentMetadata {
  // The parser takes what was cut off for all that there is.
  if (xml.includes('<resource-agent') && !/<\/resource-agent\s*>/.test(xml)) throw new MetadataError("the agent's meta-data has no end");
  const root = parseTree(xml).find((node) => node.tag === 'resource-agent');
  if (root === undefined)
    throw new MetadataError('the agent printed no <resource-agent> element; run its meta-data action by hand to see why');
  return {
    name: root.attributes['name'] ?? '',
    ...optional('version', root.attributes['version']),
    ...optional('apiVersion', child(root, 'version')?.text),
    ...descriptions(root),
    parameters: children(child(root, 'parameters'), 'parameter').map(readParameter),
    actions: children(child(root, 'actions'), 'action').map(readAction),
  };
}

function readParameter(node: MetadataElement): AgentParameter {
  const content = child(node, 'content');
  const name = node.attributes['name'] ?? '';
  const uniqueGroup = node.attributes['unique-group'] ?? (isTrue(node.attributes['unique']) ? name : undefined);
  return {
    name,
    required: isTrue(node.attributes['required']),
    ...optional('uniqueGroup', uniqueGroup),
    reloadable: isTrue(node.attributes['reloadable']),
    private: isTrue(node.attributes['private']),
    deprecated: isTrue(node.attributes['deprecated']) || child(node, 'deprecated') !== undefined,
    ...optional('obsoletes', node.attributes['obsoletes']),
    type: content?.attributes['type'] ?? 'string',
    ...optional('default', content?.attributes['default']),
    options: children(content, 'option').map((option) => option.attributes['value'] ?? ''),
    ...descriptions(node),
  };
}

function readAction(node: MetadataElement): AgentAction {
  const { attributes } = node;
  return {
    name: attributes['name'] ?? '',
    ...optional('timeoutMs', durationMs(attributes['timeout'])),
    ...optional('intervalMs', durationMs(attributes['interval'])),
    ...optional('startDelayMs', durationMs(attributes['start-delay'])),
    ...optional('role', attributes['role']),
    ...optional('depth', attributes['depth']),
    automatic: isTrue(attributes['automatic']),
    onTarget: isTrue(attributes['on_target']),
  };
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1000,
  ms: 1,
  msec: 1,
  us: 0.001,
  usec: 0.001,
  s: 1000,
  sec: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  hr: 3_600_000,
};

/** `20`, `20s`, `1min`, `500ms` as ms; a bare number is seconds. Undefined for what is no duration. */
export function durationMs(text: string | undefined): number | undefined {
  const match = /^\s*(\d+)\s*([a-z]*)\s*$/i.exec(text ?? '');
  const unit = UNITS[(match?.[2] ?? 'none').toLowerCase()];
  return match?.[1] === undefined || unit === undefined ? undefined : Math.floor(Number(match[1]) * unit);
}

function isTrue(value: string | undefined): boolean {
  return value !== undefined && ['1', 'true', 'yes', 'on', 'y'].includes(value.toLowerCase());
}

function descriptions(node: MetadataElement): { shortDescription?: string; longDescription?: string } {
  return {
    ...optional('shortDescription', inEnglish(node, 'shortdesc')),
    ...optional('longDescription', inEnglish(node, 'longdesc')),
  };
}

function inEnglish(node: MetadataElement, tag: string): string | undefined {
  const all = children(node, tag);
  const text = (all.find((one) => (one.attributes['lang'] ?? 'en').startsWith('en')) ?? all[0])?.text;
  return text === '' ? undefined : text;
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}
