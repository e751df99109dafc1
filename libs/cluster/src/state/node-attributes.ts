import { childrenNamed, descendants, firstChildNamed, parseBoolean, readingOf, type XmlElement } from '@systole/cib';
import type { ClusterState } from './cluster-state.js';
import { nodeIdOf } from './configuration.js';
import { nodeStateOf } from './node-state.js';

/**
 * The attributes of a node that are in force, as rules and the scheduler see them: built-in, permanent and transient ones (specification 01 §4.8).
 *
 * @param now epoch ms, for rules
 */
export function nodeAttributesOf(state: ClusterState, name: string, now: number): ReadonlyMap<string, string> {
  const node = { id: nodeIdOf(state, name), name };
  const nodeState = nodeStateOf(state.cib, node);
  const transient = nodeState === undefined ? undefined : firstChildNamed(nodeState, 'transient_attributes');
  return readingOf(state.cib, now).nodeAttributes(node, transient, state.cib.attributes['dc-uuid']);
}

/** Whether a node attribute is a true boolean. @param now epoch ms, for rules */
export function isAttributeSet(state: ClusterState, node: string, attribute: string, now: number): boolean {
  return parseBoolean(nodeAttributesOf(state, node, now).get(attribute)) === true;
}

/** Names of the members on which an attribute is a true boolean: only those are looked at of which anything is written about it. @param now epoch ms, for rules */
export function membersWithSet(state: ClusterState, attribute: string, now: number): ReadonlySet<string> {
  const named = new Set<string>();
  const note = (names: readonly (string | undefined)[], holder: XmlElement | undefined): void => {
    if (holder !== undefined && mayGive(holder, attribute)) for (const name of names) if (name !== undefined) named.add(name);
  };
  for (const { id, name, element } of readingOf(state.cib, now).nodes) note([id, name], element);
  const status = firstChildNamed(state.cib, 'status');
  for (const nodeState of status === undefined ? [] : childrenNamed(status, 'node_state')) {
    note([nodeState.attributes['id'], nodeState.attributes['uname']], firstChildNamed(nodeState, 'transient_attributes'));
  }
  if (named.size === 0) return named;
  const members = Object.values(state.nodes).filter(({ id, name }) => named.has(id) || named.has(name));
  return new Set(members.map(({ name }) => name).filter((name) => isAttributeSet(state, name, attribute, now)));
}

const written = new WeakMap<XmlElement, ReadonlySet<string>>();

/** Whether sets in an element write an attribute, or refer to others that may. */
function mayGive(holder: XmlElement, attribute: string): boolean {
  const names = written.get(holder) ?? namesIn(holder);
  return names.has(attribute) || names.has(ELSEWHERE);
}

/** Stands for whatever a reference may lead to: no attribute has an empty name. */
const ELSEWHERE = '';

function namesIn(holder: XmlElement): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { attributes } of descendants(holder)) {
    if (attributes['id-ref'] !== undefined) names.add(ELSEWHERE);
    if (attributes['name'] !== undefined) names.add(attributes['name']);
  }
  written.set(holder, names);
  return names;
}
