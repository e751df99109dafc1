import { firstChildNamed } from '@systole/cib';
import { withAttributeWritten } from '../../epoch/attributes-of-before.js';
import { memberOf, type ClusterState, type NamedAttribute } from '../cluster-state.js';
import { configurationOf, nodeIdOf, setPermanentAttribute } from '../configuration.js';
import { withDelay, withHeld, withoutHeld } from '../dampening.js';
import { editNode } from '../members.js';
import { nodeStateOf, setTransientAttribute } from '../node-state.js';
import { withProblem } from '../problems.js';
import type { Folds } from './folds.js';

/** That attributes of nodes are set and cleared. */
export const attributeEvents: Folds<'NodeAttributeSet' | 'NodeAttributeCleared' | 'NodeAttributeHeld' | 'AttributeDelaySet'> = {
  NodeAttributeSet: (state, data, { version, actor }) =>
    withWriter(attributeChanged(state, data, data.value, version, data.uniqueIds), data, actor, true),
  NodeAttributeCleared: (state, data, { version, actor }) =>
    withWriter(attributeChanged(state, data, undefined, version), data, actor, false),
  NodeAttributeHeld: (state, { value = null, ...data }, { version, occurredAt: since }) =>
    memberOf(state, data.node) === undefined ? state : withHeld(state, { ...data, value }, { since, version }),
  AttributeDelaySet: (state, { name, delayMs }) => withDelay(state, name, delayMs),
};

function withWriter(
  state: ClusterState,
  { node, name, lifetime }: NamedAttribute & { readonly lifetime: 'forever' | 'reboot' },
  actor: string,
  isSet: boolean,
): ClusterState {
  return lifetime === 'forever' ? withAttributeWritten(state, { node, name }, actor, isSet) : state;
}

function attributeChanged(
  state: ClusterState,
  data: { readonly node: string; readonly name: string; readonly lifetime: 'forever' | 'reboot' },
  value: string | undefined,
  version: number,
  uniqueIds = false,
): ClusterState {
  if (data.lifetime === 'reboot') {
    const known = nodeStateOf(state.cib, { id: nodeIdOf(state, data.node), name: data.node }) !== undefined;
    if (known) {
      const unheld = withoutHeld(state, data.node, data.name);
      return editNode(unheld, data.node, (node, id) => setTransientAttribute(node, id, data.name, value));
    }
    return withProblem(state, version, `attribute ${data.name}: ${data.node} never joined`);
  }
  const cib = setPermanentAttribute(state.cib, data.node, data.name, value, uniqueIds);
  if (cib === state.cib && value !== undefined && !hasNode(state, data.node)) {
    return withProblem(state, version, `attribute ${data.name}: the configuration has no node ${data.node}`);
  }
  return { ...state, cib };
}

function hasNode(state: ClusterState, name: string): boolean {
  const nodes = firstChildNamed(configurationOf(state.cib), 'nodes');
  return nodes?.children.some((child) => child.kind === 'element' && child.attributes['uname'] === name) ?? false;
}
