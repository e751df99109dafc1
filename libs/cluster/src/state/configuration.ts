import { childElements, childrenNamed, element, firstChildNamed, parseBoolean, type XmlElement } from '@systole/cib';
import { memberOf, type ClusterState } from './cluster-state.js';
import { positionOf, putById, putOnly, removeById, withChildren } from './tree.js';

/** Reads and edits of the `configuration` section that the cluster itself needs; everything else is `@systole/cib`'s. */

export function configurationOf(cib: XmlElement): XmlElement {
  return firstChildNamed(cib, 'configuration') ?? element('configuration');
}

/** An entry of `configuration/nodes` that counts as a cluster node: type absent or `member` (specification 03 §1.1). */
export interface ConfiguredNode {
  readonly id: string;
  readonly name: string;
}

const configuredNodesOf = new WeakMap<XmlElement, readonly ConfiguredNode[]>();

/** The cluster nodes of the configuration, in document order. */
export function configuredNodes(cib: XmlElement): readonly ConfiguredNode[] {
  const section = firstChildNamed(configurationOf(cib), 'nodes');
  if (section === undefined) return [];
  const known = configuredNodesOf.get(section);
  if (known !== undefined) return known;
  const nodes = childrenNamed(section, 'node').flatMap(({ attributes }) => {
    const { id, uname, type } = attributes;
    const member = type === undefined || type.toLowerCase() === 'member';
    return id !== undefined && uname !== undefined && member ? [{ id, name: uname }] : [];
  });
  configuredNodesOf.set(section, nodes);
  return nodes;
}

const optionsOf = new WeakMap<XmlElement, ReadonlyMap<string, string>>();

/**
 * A cluster option as written, without regard to rules: the set `cib-bootstrap-options` first, then the others in document order; the
 * first value wins (specification 01 §4).
 */
export function clusterOption(cib: XmlElement, ...names: readonly string[]): string | undefined {
  const section = firstChildNamed(configurationOf(cib), 'crm_config');
  if (section === undefined) return undefined;
  let options = optionsOf.get(section);
  if (options === undefined) {
    const sets = childrenNamed(section, 'cluster_property_set');
    const bootstrap = sets.filter((set) => set.attributes['id'] === 'cib-bootstrap-options');
    const found = new Map<string, string>();
    for (const set of [...bootstrap, ...sets]) {
      for (const pair of childrenNamed(set, 'nvpair')) {
        const { name, value } = pair.attributes;
        if (name !== undefined && value !== undefined && !found.has(name)) found.set(name, value);
      }
    }
    options = found;
    optionsOf.set(section, options);
  }
  for (const name of names) {
    const value = options.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A cluster option as a boolean (`true on yes y 1` / `false off no n 0`, any case); the default when missing or anything else. */
export function booleanOption(cib: XmlElement, fallback: boolean, ...names: readonly string[]): boolean {
  return parseBoolean(clusterOption(cib, ...names)) ?? fallback;
}

/** Whether the cluster fences at all: option `fencing-enabled`, formerly `stonith-enabled`; default true. */
export function fencingEnabled(cib: XmlElement): boolean {
  return booleanOption(cib, true, 'fencing-enabled', 'stonith-enabled');
}

/** The id of a node: that of the configuration, else the one it gave when it joined, else its name. */
export function nodeIdOf(state: ClusterState, name: string): string {
  return configuredNodes(state.cib).find((node) => node.name === name)?.id ?? memberOf(state, name)?.id ?? name;
}

/** Applies `edit` to the `configuration` element. */
export function editConfiguration(cib: XmlElement, edit: (configuration: XmlElement) => XmlElement): XmlElement {
  return putOnly(cib, edit(configurationOf(cib)));
}

/** Adds `<node id uname>` unless a node of that name is there. */
export function ensureNode(cib: XmlElement, node: ConfiguredNode): XmlElement {
  const section = firstChildNamed(configurationOf(cib), 'nodes') ?? element('nodes');
  if (childElements(section).some((child) => child.attributes['uname'] === node.name)) return cib;
  const added = putById(section, element('node', { id: node.id, uname: node.name }));
  return editConfiguration(cib, (configuration) => putOnly(configuration, added));
}

/**
 * Sets or removes (value undefined) a permanent attribute of a node, in its first `instance_attributes` without a rule, made as
 * `nodes-<id>` when there is none. The CIB itself when there is no such node.
 */
export function setPermanentAttribute(cib: XmlElement, nodeName: string, name: string, value: string | undefined): XmlElement {
  const section = firstChildNamed(configurationOf(cib), 'nodes');
  const node = section === undefined ? undefined : childrenNamed(section, 'node').find((child) => child.attributes['uname'] === nodeName);
  const id = node?.attributes['id'];
  if (section === undefined || node === undefined || id === undefined) return cib;
  const set =
    childrenNamed(node, 'instance_attributes').find((candidate) => firstChildNamed(candidate, 'rule') === undefined) ??
    element('instance_attributes', { id: xmlId(`nodes-${id}`) });
  const edited = setPair(set, `${set.attributes['id'] ?? ''}-`, name, value);
  const position = node.children.indexOf(set);
  const known = position >= 0 || positionOf(node, 'instance_attributes', set.attributes['id'] ?? '') >= 0;
  if (!known && value === undefined) return cib;
  const changed = position >= 0 ? withChildren(node, node.children.with(position, edited)) : putById(node, edited);
  return editConfiguration(cib, (configuration) => putOnly(configuration, putById(section, changed)));
}

/** A permanent attribute of a node, without regard to rules. */
export function permanentAttribute(cib: XmlElement, nodeName: string, name: string): string | undefined {
  const section = firstChildNamed(configurationOf(cib), 'nodes');
  const node = section === undefined ? undefined : childrenNamed(section, 'node').find((child) => child.attributes['uname'] === nodeName);
  if (node === undefined) return undefined;
  for (const set of childrenNamed(node, 'instance_attributes')) {
    const pair = childrenNamed(set, 'nvpair').find((candidate) => candidate.attributes['name'] === name);
    if (pair !== undefined) return pair.attributes['value'];
  }
  return undefined;
}

/** Sets or removes one `nvpair` of a set, by its name; a new one gets id `<idPrefix><name>` made a valid XML id. */
export function setPair(set: XmlElement, idPrefix: string, name: string, value: string | undefined): XmlElement {
  const existing = childrenNamed(set, 'nvpair').find((pair) => pair.attributes['name'] === name);
  const id = existing?.attributes['id'] ?? xmlId(`${idPrefix}${name}`);
  if (value === undefined) return existing === undefined ? set : removeById(set, 'nvpair', id);
  if (existing?.attributes['value'] === value) return set;
  return putById(set, element('nvpair', { ...existing?.attributes, id, name, value }));
}

/** Text made a valid XML id: `#` and other foreign characters become `.`, a leading digit `_` (specification 08 §9.4). */
export function xmlId(text: string): string {
  return text.replace(/[^A-Za-z0-9_.-]/g, '.').replace(/^[0-9]/, '_');
}
