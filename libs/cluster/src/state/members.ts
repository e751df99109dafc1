import type { XmlElement } from '@systole/cib';
import { type ClusterState, memberOf, type NodeMember } from './cluster-state.js';
import { nodeIdOf } from './configuration.js';
import { editNodeState } from './node-state.js';

/** Edits the `node_state` of a node of which something was heard, or which is configured. */
export function editNode(state: ClusterState, name: string, edit: (nodeState: XmlElement, id: string) => XmlElement): ClusterState {
  const id = memberOf(state, name)?.id ?? nodeIdOf(state, name);
  const cib = editNodeState(state.cib, { id, name }, (nodeState) => edit(nodeState, id));
  return cib === state.cib ? state : { ...state, cib };
}

/** Changes what is known of a node; nothing where nothing is. */
export function withMember(state: ClusterState, name: string, changes: Partial<NodeMember>): ClusterState {
  const member = memberOf(state, name);
  return member === undefined ? state : { ...state, nodes: { ...state.nodes, [name]: { ...member, ...changes } } };
}
