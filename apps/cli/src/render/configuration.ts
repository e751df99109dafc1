import { COLLECTION_NAMES, SETTINGS_NAMES } from '@systole/cib';
import type { Fields } from '../configuration/requests.js';
import type { Paint } from './paint.js';

/**
 * A configuration as text, much as crmsh has it: an element begins a line, what is in it stands below. @param document by collection, as the server shows it
 */
export function renderConfiguration(document: Fields, paint: Paint): readonly string[] {
  const lines = [
    ...COLLECTION_NAMES.flatMap((name) => listOf(document[name]).flatMap((element) => renderElement(element, paint))),
    ...SETTINGS_NAMES.flatMap((name) => renderSettings(name, fieldsOf(document[name]), paint)),
  ];
  return lines.length === 0 ? ['Nothing is configured.'] : lines;
}

/** The fields that make an element's first line, without its id; and those that are said otherwise. */
const HEADS: Readonly<Record<string, (fields: Fields) => string>> = {
  primitive: agentOf,
  template: agentOf,
  node: ({ uname, type }) => [text(uname), text(type)].filter((word) => word !== '').join(' '),
  rsc_location: ({ rsc, 'rsc-pattern': pattern, node, score, role }) =>
    words(
      pattern === undefined ? text(rsc) : `/${text(pattern)}/`,
      role === undefined ? '' : `role=${text(role)}`,
      scored(score),
      text(node),
    ),
  rsc_colocation: ({ rsc, 'rsc-role': role, 'with-rsc': other, 'with-rsc-role': otherRole, score }) =>
    rsc === undefined ? text(score) : words(withRole(rsc, role), 'with', withRole(other, otherRole), text(score)),
  rsc_order: ({ first, 'first-action': action, then, 'then-action': thenAction, kind, score }) =>
    words(first === undefined ? '' : words(withRole(first, action), 'then', withRole(then, thenAction)), text(kind), scored(score)),
  rsc_ticket: ({ ticket, rsc, 'rsc-role': role, 'loss-policy': policy }) =>
    words(text(ticket), rsc === undefined ? '' : withRole(rsc, role), policy === undefined ? '' : `loss-policy=${text(policy)}`),
  tag: ({ obj_ref: references }) =>
    listOf(references)
      .map(({ id }) => text(id))
      .join(' '),
  'fencing-level': ({ target, 'target-pattern': pattern, 'target-attribute': attribute, 'target-value': value, index, devices }) =>
    words(
      target !== undefined ? text(target) : pattern !== undefined ? `/${text(pattern)}/` : `${text(attribute)}=${text(value)}`,
      `${text(index)}:`,
      text(devices),
    ),
  alert: ({ path }) => quoted(text(path)),
  acl_target: rolesOf,
  acl_group: rolesOf,
};

const SAID: Readonly<Record<string, readonly string[]>> = {
  primitive: ['class', 'provider', 'type', 'template'],
  template: ['class', 'provider', 'type'],
  node: ['uname', 'type'],
  rsc_location: ['rsc', 'rsc-pattern', 'node', 'score', 'role'],
  rsc_colocation: ['rsc', 'rsc-role', 'with-rsc', 'with-rsc-role', 'score'],
  rsc_order: ['first', 'first-action', 'then', 'then-action', 'kind', 'score'],
  rsc_ticket: ['ticket', 'rsc', 'rsc-role', 'loss-policy'],
  tag: ['obj_ref'],
  'fencing-level': ['target', 'target-pattern', 'target-attribute', 'target-value', 'index', 'devices'],
  alert: ['path'],
  acl_target: ['role'],
  acl_group: ['role'],
};

const NAMES: Readonly<Record<string, string>> = {
  rsc_location: 'location',
  rsc_colocation: 'colocation',
  rsc_order: 'order',
  rsc_ticket: 'ticket',
  acl_role: 'acl-role',
  acl_target: 'acl-user',
  acl_group: 'acl-group',
};

/** What options are called, as they are typed. */
const SECTIONS: Readonly<Record<string, string>> = {
  properties: 'property',
  'rsc-defaults': 'resource defaults',
  'op-defaults': 'op defaults',
};

/** What a set is called, as it is typed. */
const SETS: Readonly<Record<string, string>> = {
  instance_attributes: 'params',
  meta_attributes: 'meta',
  utilization: 'utilization',
  cluster_property_set: 'property',
};

const INDENT = '    ';

/** One element, with its name in the field `element`. */
export function renderElement(element: Fields, paint: Paint): readonly string[] {
  const kind = text(element['element']);
  const id = element['id'] === undefined ? '' : text(element['id']);
  const head = words(paint('bold', NAMES[kind] ?? kind), id, HEADS[kind]?.(element) ?? '');
  const hidden = new Set(['element', 'id', ...(SAID[kind] ?? [])]);
  const rest = Object.entries(element).filter(([name]) => !hidden.has(name));
  const plain = rest.filter(([, value]) => typeof value === 'string');
  const own = plain.map(([name, value]) => pair(name, text(value))).join(' ');
  const isOfNode = kind === 'node';
  return [words(head, own), ...rest.flatMap(([name, value]) => indented(renderField(name, value, paint, isOfNode)))];
}

function renderField(name: string, value: unknown, paint: Paint, ofNode: boolean): readonly string[] {
  if (typeof value === 'string') return [];
  if (name === 'operations') return operationsOf(value).flatMap((operation) => renderOperation(operation, paint));
  const set = SETS[name];
  if (set !== undefined) return renderSets(ofNode && set === 'params' ? 'attributes' : set, value, paint);
  return listOf(value).flatMap((child) => renderElement({ element: name, ...child }, paint));
}

function renderOperation({ name, id: _, ...fields }: Fields, paint: Paint): readonly string[] {
  const plain = Object.entries(fields).flatMap(([field, value]) => (typeof value === 'string' ? [pair(field, value)] : []));
  const nested = Object.entries(fields).flatMap(([field, value]) => indented(renderField(field, value, paint, false)));
  return [words(paint('dim', 'op'), text(name), ...plain), ...nested];
}

function operationsOf(value: unknown): readonly Fields[] {
  return listOf(value).flatMap((entry) => ('op' in entry ? listOf(entry['op']) : [entry]));
}

/** A plain set on one line; of several each on its own, with its id, its rules, and what else it has. */
function renderSets(title: string, value: unknown, paint: Paint): readonly string[] {
  if (!Array.isArray(value)) {
    const pairs = Object.entries(fieldsOf(value)).map(([name, set]) => pair(name, text(set)));
    return pairs.length === 0 ? [] : [words(paint('dim', title), ...pairs)];
  }
  return listOf(value).flatMap(({ nvpair, rule, ...fields }) => {
    const own = Object.entries(fields).flatMap(([name, field]) => (typeof field === 'string' ? [pair(name, field)] : []));
    const pairs = listOf(nvpair).map(({ name, value: set, 'id-ref': reference }) =>
      reference === undefined ? pair(text(name), text(set)) : `@${text(reference)}`,
    );
    return [
      words(paint('dim', title), `(${own.join(' ')})`, ...pairs),
      ...indented(listOf(rule).flatMap((one) => renderElement({ element: 'rule', ...one }, paint))),
    ];
  });
}

/** Options or defaults, each on its own line: they are many. */
function renderSettings(name: string, fields: Fields, paint: Paint): readonly string[] {
  return Object.values(fields).flatMap((value) => {
    if (Array.isArray(value)) return renderSets(SECTIONS[name] ?? name, value, paint);
    return Object.entries(fieldsOf(value)).map(([option, set]) => words(paint('bold', SECTIONS[name] ?? name), pair(option, text(set))));
  });
}

function agentOf({ class: standard, provider, type, template }: Fields): string {
  if (template !== undefined) return `@${text(template)}`;
  return [standard, provider, type].flatMap((part) => (part === undefined ? [] : [text(part)])).join(':');
}

function rolesOf({ role }: Fields): string {
  return listOf(role)
    .map(({ id }) => text(id))
    .join(' ');
}

function withRole(id: unknown, role: unknown): string {
  return role === undefined ? text(id) : `${text(id)}:${text(role)}`;
}

function scored(score: unknown): string {
  return score === undefined ? '' : `${text(score)}:`;
}

function pair(name: string, value: string): string {
  return `${name}=${quoted(value)}`;
}

/** As a shell would take it back. */
function quoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

function words(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `${INDENT}${line}`);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter(isFields) : [];
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
