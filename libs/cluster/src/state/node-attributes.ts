import { firstChildNamed, parseBoolean, readingOf } from '@systole/cib';
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
