import type { ClusterState } from './cluster-state.js';
import { heldValue } from './dampening.js';
import { nodeStateOf, transientAttributes } from './node-state.js';

/** What was said last of a transient attribute of a node, be it written yet or held back. */
export interface TransientAttribute {
  readonly node: string;
  readonly name: string;
  readonly value: string;
}

/** The transient attributes of all nodes, those of one, or those of one name: as whoever keeps them knows them, which is not yet what the scheduler sees of dampened ones. */
export function transientByNode(
  state: ClusterState,
  { node, name }: { readonly node?: string; readonly name?: string },
): readonly TransientAttribute[] {
  return Object.values(state.nodes)
    .filter((member) => node === undefined || member.name === node || member.id === node)
    .flatMap((member) => {
      const nodeState = nodeStateOf(state.cib, member);
      const written = new Map((nodeState === undefined ? [] : transientAttributes(nodeState)).map((one) => [one.name, one.value]));
      for (const held of Object.keys(state.dampened ?? {})) {
        const value = heldValue(state, member.name, held);
        if (value === null) written.delete(held);
        else if (value !== undefined) written.set(held, value);
      }
      return [...written].flatMap(([known, value]) =>
        name === undefined || known === name ? [{ node: member.name, name: known, value }] : [],
      );
    });
}
