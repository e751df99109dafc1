import { childrenNamed, firstChildNamed, readingOf, type XmlElement } from '@systole/cib';
import { memberOf, type ClusterState } from './cluster-state.js';
import { configurationOf, nodeIdOf, writtenPermanentAttributes } from './configuration.js';
import { nodeStateOf, transientAttributes } from './node-state.js';
import { planTime } from './plan-time.js';

/** An attribute as it is written, whether it is in force or not. */
export interface WrittenAttribute {
  readonly name: string;
  readonly value: string;
  readonly lifetime: 'forever' | 'reboot';
}

/** What is written for a node in its own sets and until its reboot; undefined when there is no such node. */
export function writtenAttributes(state: ClusterState, node: string): readonly WrittenAttribute[] | undefined {
  if (entryOf(state, node) === undefined && memberOf(state, node) === undefined) return undefined;
  const nodeState = nodeStateOf(state.cib, { id: nodeIdOf(state, node), name: node });
  return [
    ...writtenPermanentAttributes(state.cib, node).map((attribute) => ({ ...attribute, lifetime: 'forever' as const })),
    ...(nodeState === undefined ? [] : transientAttributes(nodeState)).map((attribute) => ({ ...attribute, lifetime: 'reboot' as const })),
  ];
}

/** What a node can carry; undefined when there is no such node in the configuration. */
export function writtenUtilization(
  state: ClusterState,
  node: string,
): readonly { readonly name: string; readonly value: string }[] | undefined {
  const entry = entryOf(state, node);
  if (entry === undefined) return undefined;
  return [...readingOf(state.cib, planTime(state)).values(entry, 'utilization')].map(([name, value]) => ({ name, value }));
}

function entryOf(state: ClusterState, node: string): XmlElement | undefined {
  const section = firstChildNamed(configurationOf(state.cib), 'nodes');
  return section && childrenNamed(section, 'node').find(({ attributes }) => (attributes['uname'] ?? attributes['id']) === node);
}
